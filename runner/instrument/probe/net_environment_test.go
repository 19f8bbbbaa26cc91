//go:build unix

package probe

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A resource, such as the name of the machine, may have another value at each use. A lookup of the name that the
// service read returns the address of the machine.
func TestHostnameScript(t *testing.T) {
	p := play(t, "unknown resolve\nhostname fixed\nuse hostname =web-1 ok =web-2 again\n", "hostname")
	// The second name is the one in the line "hostname", because "ok" does not change the name. Then the program looks
	// up the fourth name, which is the first name again.
	p.want("web-1\nfixed\nweb-2\n[198.19.255.254]", "use", "use read hostname hostname 0 ok 1")
}

// The service reports that it reads the name of the machine, even if no resource of the table decides the name.
func TestHostnameReport(t *testing.T) {
	p := play(t, "hostname box\n", "hostname")
	p.output()
	if got := p.eventsWith("use"); len(got) != 1 || got[0] != "use read hostname - 0 ok 1" {
		t.Errorf("reported %q", got)
	}
}

// The first use in a round is reported together with the next event. The number of further uses is reported at
// the end of the round.
func TestUsesAreCounted(t *testing.T) {
	p := play(t, "hostname box\n", "hostname again")
	first := p.next("use")
	p.next("lookup")
	p.send("sync 1\n")
	others := p.next("use")
	if first[4] != "ok" || first[5] != "1" || others[5] != "2" {
		t.Errorf("reported %q and %q", first, others)
	}
	p.next("synced")
}

// If the service starts itself as a child process, the child has no channel. So its environment is the real
// one.
func TestEnvironmentOfChild(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(table, []byte("net 1\nunknown absent\nuse 7000/tcp !EADDRINUSE\nuse hostname =web-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	child := exec.Command(netProgram(t), "hostname")
	child.Env = append(os.Environ(), "SONDE_NET="+table)
	output, err := child.CombinedOutput()
	if name, _ := os.Hostname(); err != nil || !strings.HasPrefix(string(output), name+"\n") {
		t.Errorf("error %v, printed %q, want %q", err, output, name)
	}
}

// A lookup of the machine's name returns an address, even before the service has read the name. Upper and lower case
// make no difference.
func TestHostnameIsLookedUp(t *testing.T) {
	play(t, "use hostname =Web-1\n", "lookup", "web-1").want("[198.19.255.254]", "dial")
}

// Interfaces have the addresses in the value of the resource. The addresses of a single interface are those in
// the list that the service read last.
func TestInterfacesScript(t *testing.T) {
	const table = "use interfaces =eth0%2010.1.2.3/24%0Aeth0%202001:db8::3/64%0Atun0%20down%0Awlan0 !EACCES =\n"
	p := play(t, table, "interfaces")
	p.want("lo true [127.0.0.1/8 ::1/128]\neth0 true [10.1.2.3/24 2001:db8::3/64]\ntun0 false []\nwlan0 true []\n"+
		"route ip+net: netlinkrib: permission denied true true\n[127.0.0.1/8 ::1/128] <nil>", "refused")
}

// If another program uses a port, or if the service may not use it, a listen fails with the error of the
// kernel. The error is the same as for a port that the service itself uses.
func TestTakenPort(t *testing.T) {
	p := play(t, "use 7000/tcp !EADDRINUSE ok\nuse */udp !EACCES\n", "taken port", "127.0.0.1:7000")
	p.want("listen tcp 127.0.0.1:7000: bind: address already in use EADDRINUSE\n127.0.0.1:7000\n"+
		"listen udp 127.0.0.1:7000: bind: permission denied permission\nlisten udp 127.0.0.1:7000: bind: permission denied permission",
		"use", "use listen 7000/tcp 7000/tcp 0 failed 1", "use listen 7000/tcp 7000/tcp 1 ok 1",
		"use listen 7000/udp */udp 0 failed 1")
	if got := p.eventsWith("listen"); len(got) != 1 {
		t.Errorf("it listens %d times", len(got))
	}
}

// The ports of the service's API are not part of its environment, so a line of the table about ports does not apply
// to them.
func TestPortOfTheAPI(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, free, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	p := play(t, "bind tcp 7000 "+free+"\nbind udp 7000 "+free+"\nuse */tcp !EADDRINUSE\n", "taken port", ":7000")
	if got := p.output(); strings.Contains(got, "in use") || len(p.eventsWith("use")) > 0 {
		t.Errorf("printed %q, reported %q", got, p.eventsWith("use"))
	}
}

// An invalid line about a resource is reported, and has no other effect.
func TestInvalidResource(t *testing.T) {
	for _, line := range []string{
		"use hostname", "use hostname web", "use 7000/tcp !EWHAT", "use interfaces =eth0%20x", "use hostname again",
	} {
		p := play(t, "hostname box\n"+line+"\n", "hostname")
		if got := p.output(); !strings.HasPrefix(got, "box\n") || !strings.Contains(p.errs.String(), "invalid line: "+line+"\n") {
			t.Errorf("%s: printed %q, errors %q", line, got, p.errs.String())
		}
	}
}

// Without a virtual network the environment is the real one, and is not reported.
func TestEnvironmentWithoutNetwork(t *testing.T) {
	binary := netProgram(t)
	p := playBinary(t, binary, "off", "taken port", "127.0.0.1:0")
	if got := strings.Fields(p.output()); len(got) != 4 || slices.Contains(got, "listen") || len(p.eventsWith("use")) > 0 {
		t.Errorf("printed %q, reported %q", got, p.eventsWith("use"))
	}
}
