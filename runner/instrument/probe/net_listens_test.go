//go:build unix

package probe

import (
	"io"
	"net"
	"strings"
	"testing"

	"sonde/runner/testdata/port"
)

// A service can listen on any port, including privileged ones. It gets an error for a port in use. A
// port that was closed is free again.
func TestListen(t *testing.T) {
	for asked, virtual := range map[string]string{
		":8080":        "[::]:8080",
		"127.0.0.1:80": "127.0.0.1:80",
		"0.0.0.0:443":  "[::]:443",
		"10.1.2.3:22":  "10.1.2.3:22",
		"[::1]:8080":   "[::1]:8080",
	} {
		p := play(t, "", "listen", asked)
		first := p.next("listen")
		if first[1] != "tcp" || first[2] != virtual || !strings.HasPrefix(first[3], "127.0.0.1:") {
			t.Errorf("%s: told %q", asked, first)
		}
		if closed := p.next("closed"); closed[0] != first[0] {
			t.Errorf("%s: closed %q", asked, closed)
		}
		if got := p.output(); got != virtual+" true" {
			t.Errorf("%s: got %q", asked, got)
		}
	}
	play(t, "", "free port").want("true me", "refused")
}

// A service can connect to itself at all addresses of its machine.
func TestSelf(t *testing.T) {
	play(t, "", "self").want(
		"at 127.0.0.1:8080\nat 127.0.0.1:8080\nat 127.0.0.1:8080\nat 127.0.0.1:8080\nat 127.0.0.1:8080\n[::]:8080 true true",
		"refused",
	)
}

// A listener that is passed on as a file works, and has its real address.
func TestListenerAsFile(t *testing.T) {
	play(t, "", "hand on").want("false me", "refused")
}

// IPv4 and IPv6 have separate ports.
func TestFamilies(t *testing.T) {
	const want = "listen tcp :7001: bind: address already in use\nloopback\nloopback 6\nall of 4\nall of 6\n" +
		"dial tcp 198.19.255.254:7000: connect: connection refused"
	play(t, "", "families").want(want, "refused", "refused tcp 198.19.255.254:7000 ECONNREFUSED")
}

// Two copies of a service can listen on the same port at once.
func TestTwoCopies(t *testing.T) {
	one, two := play(t, "", "serve", ":8080"), play(t, "", "serve", ":8080")
	for _, p := range []*player{one, two} {
		at := p.next("listen")
		if at[2] != "[::]:8080" {
			t.Errorf("told %q", at)
		}
		if got := hear(t, at[3]); !strings.HasPrefix(got, "at 127.0.0.1:8080 from 127.0.0.1:") {
			t.Errorf("it says %q", got)
		}
	}
}

// hear connects to a real address and returns what it receives.
func hear(t *testing.T, at string) string {
	t.Helper()
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	said, err := io.ReadAll(c)
	if err != nil {
		t.Error(err)
	}
	return string(said)
}

// A port can be bound to a given real port.
func TestBind(t *testing.T) {
	at := port.Addr()
	p := play(t, "bind tcp 8080 "+at[strings.LastIndex(at, ":")+1:]+"\n", "serve", ":8080")
	if got := p.next("listen"); got[3] != at {
		t.Errorf("told %q, want %s", got, at)
	}
}

// A route maps a virtual address to a real one. If a peer connects from the real address, the service sees the
// virtual address as the address of the peer.
func TestSeenFrom(t *testing.T) {
	end := port.Addr()
	p := play(t, "route tcp 198.18.0.9:40000 "+end+"\n", "serve", ":8080")
	local, err := net.ResolveTCPAddr("tcp", end)
	if err != nil {
		t.Fatal(err)
	}
	c, err := (&net.Dialer{LocalAddr: local}).Dial("tcp", p.next("listen")[3])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if said, _ := io.ReadAll(c); string(said) != "at 127.0.0.1:8080 from 198.18.0.9:40000" {
		t.Errorf("it says %q", said)
	}
}

// If a port is watched, the service reports when it waits on a connection that the port accepted, and the wait can be
// ended with an error.
func TestWatchAccepted(t *testing.T) {
	p := play(t, "watch tcp 8080\n", "serve line")
	c, err := net.Dial("tcp", p.next("listen")[3])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "no end")
	for wait := p.next("wait"); ; wait = p.next("wait") {
		if wait[1] == "read" && wait[3] == c.LocalAddr().String() && wait[5] == "6" {
			p.send("starve %s ECONNRESET\n", wait[0])
			break
		}
	}
	if got := p.output(); got != `"no end" true` {
		t.Errorf("got %q", got)
	}
}
