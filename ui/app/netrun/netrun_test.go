package netrun

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/network/netns"
)

// The test binary is also the keeper of network namespaces.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == netns.KeeperCommand {
		os.Exit(netns.RunKeeper(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// needsCurl returns the ground of commands on this machine. It skips the test if the machine has no curl, or if the
// user cannot create network namespaces.
func needsCurl(t *testing.T) model.NetworkGround {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl")
	}
	g, why := Ground()
	if why != nil {
		t.Skip(why)
	}
	return g
}

// A command that does not know Sonde gets the answers of the stubs, and reaches no other host. Its contacts are
// reported.
func TestRun(t *testing.T) {
	ground := needsCurl(t)
	for name, tt := range map[string]struct {
		args     []string
		code     int
		out      string
		contacts []string
	}{
		"answered": {
			[]string{"-sS", "http://price.example/price"},
			0, "7",
			[]string{"lookup price.example answer", "dial price.example:80 connected", "message price.example:80 200"},
		},
		"unknown name": {[]string{"-s", "http://other.example/"}, 6, "", []string{"lookup other.example nxdomain"}},
		"address":      {[]string{"-s", "http://192.0.2.9/"}, 7, "", []string{"dial 192.0.2.9:80 refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			var contacts []string
			price := model.Stub{Host: "price.example:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 200, Body: "7"}}}
			code, err := Run(context.Background(), Options{
				Command: append([]string{"curl"}, tt.args...),
				Network: &model.VirtualNetwork{Ground: ground, Stubs: []model.Stub{price}},
				Out:     &out,
				Err:     &errs,
				Contact: func(c model.Contact) { contacts = append(contacts, string(c.Kind)+" "+c.Host+" "+c.Outcome) },
			})
			if err != nil || code != tt.code || out.String() != tt.out {
				t.Errorf("code %d, %v, output %q, %s", code, err, out.String(), errs.String())
			}
			if !slices.Equal(contacts, tt.contacts) {
				t.Errorf("contacts %q, want %q", contacts, tt.contacts)
			}
		})
	}
}

// When Run is cancelled, the command can still clean up and choose its exit code.
func TestRunCancelled(t *testing.T) {
	ground := needsCurl(t)
	ctx, cancel := context.WithCancel(context.Background())
	var out bytes.Buffer
	code, err := Run(ctx, Options{
		Command: []string{"sh", "-c", `trap "echo ended; exit 3" TERM; curl -s http://price.example/; sleep 60 & wait`},
		Network: &model.VirtualNetwork{Ground: ground},
		Out:     &out,
		Contact: func(model.Contact) { cancel() },
	})
	if err != nil || code != 3 || strings.TrimSpace(out.String()) != "ended" {
		t.Errorf("code %d, %v, output %q", code, err, out.String())
	}
}

// On a terminal, the keys send signals to the command itself. If ctx is cancelled, Run waits until the command ends.
func TestRunOnATerminal(t *testing.T) {
	ground := needsCurl(t)
	ctx, cancel := context.WithCancel(context.Background())
	code, err := Run(ctx, Options{
		Command:       []string{"sh", "-c", "curl -s http://price.example/; sleep 0.2; exit 4"},
		Network:       &model.VirtualNetwork{Ground: ground},
		IsInteractive: true,
		Contact:       func(model.Contact) { cancel() },
	})
	if err != nil || code != 4 {
		t.Errorf("code %d, %v", code, err)
	}
}

func TestRunRefuses(t *testing.T) {
	ground := needsCurl(t)
	inward := model.Stub{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: []model.Answer{{Body: "x"}}}
	for want, o := range map[string]Options{
		`cannot start "nosuch"`: {Command: []string{"nosuch"}, Network: &model.VirtualNetwork{}},
		`the stub of ":7000"`:   {Command: []string{"true"}, Network: &model.VirtualNetwork{Stubs: []model.Stub{inward}}},
	} {
		o.Network.Ground = ground
		if _, err := Run(context.Background(), o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want %s", o.Command, err, want)
		}
	}
}
