//go:build unix

package probe

import (
	"flag"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// want checks the output of the program, and its events that begin with a text. said is the expected output, begins is
// this text, and told are the expected events.
func (p *player) want(said, begins string, told ...string) {
	p.t.Helper()
	if got := p.output(); got != said {
		p.t.Errorf("%v: got %q, want %q", p.cmd.Args[1:], got, said)
	}
	if got := p.eventsWith(begins); strings.Join(got, "\n") != strings.Join(told, "\n") {
		p.t.Errorf("%v: told %q, want %q", p.cmd.Args[1:], got, told)
	}
}

func echo(c net.Conn) {
	io.Copy(c, c)
	c.Close()
}

// A dial to a name or an address is redirected, and the service sees only virtual addresses.
func TestDial(t *testing.T) {
	at := serve(t, echo)
	table := "dns a.example A 198.18.0.7\ndns six.example AAAA fd00::7\nroute tcp 198.18.0.7:80 " + at +
		"\nroute tcp [fd00::7]:80 " + at + "\nroute tcp *:99 " + at + "\n"
	for target, want := range map[string]string{
		"a.example:80": "from 198.19.255.254 to 198.18.0.7:80", "198.18.0.7:80": "from 198.19.255.254 to 198.18.0.7:80",
		"six.example:80": "from ::1 to [fd00::7]:80", "203.0.113.5:99": "from 198.19.255.254 to 203.0.113.5:99",
	} {
		play(t, table, "dial", target).want(want, "refused")
	}
	play(t, table+"iface eth0 2001:db8::1/64\n", "dial", "[fd00::7]:80").want("from 2001:db8::1 to [fd00::7]:80", "refused")
	play(t, table, "echo", "a.example:80").want("hello from 198.18.0.7:80", "refused")
	play(t, table, "methods", "a.example:80").want("true <nil> <nil> <nil> <nil> <nil>", "refused")
	play(t, table, "control", "a.example:80").want("tcp4 198.18.0.7:80\ndial tcp 198.18.0.7:80: the service does not want that", "refused")
	play(t, table, "from", "a.example:80").want("10.1.2.3:4000 198.18.0.7:80", "refused")
}

// A dial to a missing or unreachable host fails like in a real network, and is reported.
func TestRefused(t *testing.T) {
	const table = "dns a.example A 198.18.0.7\nroute tcp 198.18.0.7:1 !ECONNREFUSED\n" +
		"route tcp 198.18.0.7:2 !ETIMEDOUT\nroute tcp 198.18.0.7:3 !ENETUNREACH\n" +
		"route tcp 198.18.0.7:4 !EHOSTUNREACH\nroute udp 198.18.0.7:3 !ENETUNREACH\n"
	for _, c := range []struct{ name, target, want, event string }{
		{
			"dial", "a.example:80",
			"refused true op true timeout false dial tcp 198.18.0.7:80: connect: connection refused",
			"refused tcp 198.18.0.7:80 ECONNREFUSED",
		},
		{
			"dial", "[2001:db8::1]:80",
			"refused true op true timeout false dial tcp [2001:db8::1]:80: connect: connection refused",
			"refused tcp [2001:db8::1]:80 ECONNREFUSED",
		},
		{
			"dial", "127.0.0.1:5432",
			"refused true op true timeout false dial tcp 127.0.0.1:5432: connect: connection refused",
			"refused tcp 127.0.0.1:5432 ECONNREFUSED",
		},
		{
			"dial", "a.example:1",
			"refused true op true timeout false dial tcp 198.18.0.7:1: connect: connection refused",
			"refused tcp 198.18.0.7:1 ECONNREFUSED",
		},
		{
			"dial", "a.example:2",
			"refused false op true timeout true dial tcp 198.18.0.7:2: connect: connection timed out",
			"refused tcp 198.18.0.7:2 ETIMEDOUT",
		},
		{
			"dial", "a.example:3",
			"refused false op true timeout false dial tcp 198.18.0.7:3: connect: network is unreachable",
			"refused tcp 198.18.0.7:3 ENETUNREACH",
		},
		{
			"dial", "a.example:4",
			"refused false op true timeout false dial tcp 198.18.0.7:4: connect: no route to host",
			"refused tcp 198.18.0.7:4 EHOSTUNREACH",
		},
		{
			"dial udp", "a.example:3",
			"refused false op true timeout false dial udp 198.18.0.7:3: connect: network is unreachable",
			"refused udp 198.18.0.7:3 ENETUNREACH",
		},
		{"dial ip", "198.18.0.7", "true dial ip4:icmp 198.18.0.7: socket: operation not permitted", "refused ip 198.18.0.7 EPERM"},
	} {
		play(t, table, c.name, c.target).want(c.want, "refused", c.event)
	}
}

// Successive dials to an address may have different results.
func TestScriptsOfDials(t *testing.T) {
	const refused, unreachable = "dial tcp 198.18.0.7:80: connect: connection refused\n", "dial tcp 198.18.0.7:80: " +
		"connect: network is unreachable\n"
	at := serve(t, echo)
	play(t, "route tcp 198.18.0.7:80 !ECONNREFUSED !ENETUNREACH "+at+" watch\n", "dial often", "198.18.0.7:80").want(refused+
		unreachable+"<nil>\n<nil>", "real")
	play(t, "route tcp 198.18.0.7:80 !ECONNREFUSED "+at+" watch again\n", "dial often", "198.18.0.7:80").want(refused+
		"<nil>\n"+refused+"<nil>", "real")
}

// campaigns makes tests use the large numbers that docs/network.md states, such as 10,000 connections.
var campaigns = flag.Bool("campaigns", false, "open 10,000 connections")

// The virtual network can have many connections at once.
func TestManyConnections(t *testing.T) {
	needsBuild(t)
	count := 800
	if *campaigns {
		count = 10_000
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur < uint64(count)+1_000 {
		t.Skipf("needs %d open files: ulimit -n %[1]d", count+1_000)
	}
	p := play(t, "route tcp 198.18.0.7:80 "+serve(t, pong)+" watch\n", "dial many", "198.18.0.7:80", strconv.Itoa(count))
	if got := p.output(); got != strconv.Itoa(count) {
		t.Errorf("got %q", got)
	}
}

// A dial during the initialisation of packages uses the virtual network.
func TestEarlyDial(t *testing.T) {
	table := "dns echo.example A 198.18.0.7\nroute tcp 198.18.0.7:7 " + serve(t, echo) + "\n"
	play(t, table, "early").want("connected to 198.18.0.7:7", "lookup", "lookup host echo.example 198.18.0.7")
}

// Hosts that the table allows are reached in the real network. They may be allowed by address, by address with
// any port, and by name.
func TestAllow(t *testing.T) {
	at := serve(t, echo)
	host, port, _ := net.SplitHostPort(at)
	play(t, "allow tcp "+at+"\n", "echo", at).want("hello from "+at, "real", "real tcp "+at)
	play(t, "allow tcp "+host+":*\n", "echo", at).want("hello from "+at, "real", "real tcp "+at)
	p := play(t, "allow tcp localhost:"+port+"\n", "echo", "localhost:"+port)
	if got := p.output(); got != "hello from "+at && got != "hello from [::1]:"+port {
		t.Errorf("by name: %s", got)
	}
	if got := p.eventsWith("lookup"); len(got) != 1 || got[0] != "lookup host localhost real" {
		t.Errorf("told %q", got)
	}
	play(t, "allow udp "+at+"\n", "dial", at).want("refused true op true timeout false dial tcp "+at+
		": connect: connection refused", "real")
}

// Unix sockets do not change.
func TestUnixSocket(t *testing.T) {
	play(t, "", "unix").want("hello", "refused")
}

// Child processes of the service do not get the channel to Sonde. Their start is reported.
func TestChildHasNoChannel(t *testing.T) {
	p := play(t, "", "child")
	if got := p.output(); got != "\"\"\nbad file descriptor\n\"\"\nbad file descriptor" && got != "\"\"\n\"\"\nbad file descriptor" {
		t.Errorf("got %q", got)
	}
	if got := p.eventsWith("exec"); len(got) != 1 || !strings.HasSuffix(got[0], "/network") {
		t.Errorf("told %q", got)
	}
	if hellos := p.eventsWith("hello"); len(hellos) != 1 || hellos[0] != fmt.Sprintf("hello 1 %d", p.cmd.Process.Pid) {
		t.Errorf("told %q", hellos)
	}
}

// Without a table, or with the table "off", the service uses the real network.
func TestRollback(t *testing.T) {
	binary := netProgram(t)
	at := serve(t, echo)
	plain := run(t, ".", binary, "echo", at)
	if plain != "hello from "+at+"\n" {
		t.Errorf("without a table: %q", plain)
	}
	p := playBinary(t, binary, "off\n", "echo", at)
	p.want(strings.TrimSpace(plain), "hello", fmt.Sprintf("hello 1 %d", p.cmd.Process.Pid))
	if len(p.read) != 1 {
		t.Errorf("told %q", p.read)
	}
}

// With a table that cannot be read, all connections are refused. The real network is not used by mistake.
func TestNoTable(t *testing.T) {
	binary := netProgram(t)
	at := serve(t, echo)
	for _, table := range []string{"", "net 2\n", "virtual\n"} {
		p := playBinary(t, binary, table, "dial", at)
		p.want(
			"refused true op true timeout false dial tcp "+at+": connect: connection refused", "refused",
			"refused tcp "+at+" ECONNREFUSED",
		)
		if !strings.Contains(p.errs.String(), `a table begins with "net 1", "record 1" or "off"`) {
			t.Errorf("it complains of %q", p.errs.String())
		}
	}
	if p := playBinary(t, binary, "net 1\nroute tcp nowhere 127.0.0.1:1\n", "lookup", "localhost"); p.output() != "[127.0.0.1]" ||
		!strings.Contains(p.errs.String(), "route tcp nowhere") {
		t.Errorf("it complains of %q", p.errs.String())
	}
}
