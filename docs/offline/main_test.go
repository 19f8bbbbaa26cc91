package main

import (
	"errors"
	"net/netip"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"sonde/runner/network/netns"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == netns.KeeperCommand {
		os.Exit(netns.RunKeeper(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// A command that contacts another machine fails. A command that fails by itself keeps its exit code.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes network namespaces")
	}
	if err := netns.CheckSupport(); err != nil {
		t.Skip(err)
	}
	for script, want := range map[string]int{
		"true":                                0,
		"exit 3":                              3,
		"echo hello > /dev/udp/127.0.0.1/9":   0,
		"echo hello > /dev/udp/203.0.113.9/9": 1,
	} {
		if got := run(exec.Command("bash", "-c", script)); got != want {
			t.Errorf("%s: got %d, want %d", script, got, want)
		}
	}
}

func TestLeaves(t *testing.T) {
	for to, want := range map[string]bool{
		"127.0.0.1:80":     false,
		"127.0.0.53:53":    true, // a resolver, which asks other machines
		"[::1]:8080":       false,
		"198.18.3.4:80":    false, // in the virtual network
		"198.20.0.1:80":    true,
		"203.0.113.9:443":  true,
		"10.0.0.1:53":      true,
		"[2001:db8::1]:80": true,
	} {
		if got := leaves(netip.MustParseAddrPort(to)); got != want {
			t.Errorf("%s: %t, want %t", to, got, want)
		}
	}
}

// A lookup is reported with the name that is looked up.
func TestAsked(t *testing.T) {
	q := dnsmessage.Message{Questions: []dnsmessage.Question{
		{Name: dnsmessage.MustNewName("shop.example."), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET},
	}}
	data, err := q.Pack()
	if err != nil {
		t.Fatal(err)
	}
	resolver := netip.MustParseAddrPort("127.0.0.53:53")
	for _, c := range []struct {
		e    netns.Event
		want string
	}{
		{netns.Event{Address: resolver, Data: data}, " for shop.example."},
		{netns.Event{Address: resolver, Data: data[:8]}, ""},
		{netns.Event{Address: netip.MustParseAddrPort("203.0.113.9:80"), Data: data}, ""},
	} {
		if got := asked(c.e); got != c.want {
			t.Errorf("%v: %q, want %q", c.e.Address, got, c.want)
		}
	}
}

func TestCode(t *testing.T) {
	if got := code(nil); got != 0 {
		t.Errorf("success is %d", got)
	}
	if got := code(errors.New("no such file")); got != 2 {
		t.Errorf("a command that cannot be started is %d", got)
	}
	if testing.Short() {
		t.Skip("it starts a shell")
	}
	if got := code(exec.Command("sh", "-c", "exit 7").Run()); got != 7 {
		t.Errorf("exit 7 is %d", got)
	}
}
