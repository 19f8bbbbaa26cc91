//go:build unix

package probe

import (
	"net"
	"strings"
	"testing"
)

// serveUDP answers datagrams on the loopback and returns the address.
func serveUDP(t *testing.T) string {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 1000)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			c.WriteTo(append([]byte("re: "), b[:n]...), from)
		}
	}()
	return c.LocalAddr().String()
}

// The service sends datagrams to virtual addresses and sees virtual addresses as their senders. This holds for
// both address families and for all methods of net.UDPConn.
func TestDatagrams(t *testing.T) {
	at := serveUDP(t)
	table := "dns a.example A 198.18.0.7\ndns six.example AAAA fd00::7\nroute udp 198.18.0.7:99 " + at +
		"\nroute udp [fd00::7]:99 " + at + "\nroute udp *:53 " + at + "\n"
	play(t, table, "udp", "a.example:99").want("re: ping <nil> false 198.18.0.7:99", "refused")
	play(t, table, "udp", "six.example:99").want("re: ping <nil> false [fd00::7]:99", "refused")
	const want = "ReadFrom re: WriteTo true <nil>\nReadFromUDP re: WriteToUDP true <nil>\n" +
		"ReadFromUDPAddrPort re: WriteToUDPAddrPort true <nil>\nReadMsgUDP re: WriteMsgUDP true <nil>\n" +
		"ReadMsgUDPAddrPort re: WriteMsgUDPAddrPort true <nil>"
	play(t, table, "udp ways", "a.example:99").want(want, "lost")
	play(t, table, "udp ways", "203.0.113.5:53").want(want, "lost")
	play(t, table, "udp ways", "a.example:99", "udp4").want(want, "lost")
	play(t, table, "udp ways", "six.example:99").want(want, "lost")
	play(t, table, "udp ways", "six.example:99", "udp6").want(want, "lost")
}

// A connected socket receives nothing if its destination is silent. Datagrams from other hosts are lost.
func TestSilentDestination(t *testing.T) {
	const table = "dns a.example A 198.18.0.7\nroute udp 198.18.0.7:1 !\nroute udp 198.18.0.7:2 !ECONNREFUSED\n" +
		"route udp 198.18.0.7:3 !EHOSTUNREACH\n"
	for _, port := range []string{"2", "99"} {
		p := play(t, table, "udp", "a.example:"+port)
		if got := p.output(); !strings.HasPrefix(got, "read udp 198.19.255.254:") ||
			!strings.HasSuffix(got, "->198.18.0.7:"+port+": read: connection refused true 198.18.0.7:"+port) {
			t.Errorf("got %q", got)
		}
		if got := p.eventsWith("refused"); len(got) != 1 || got[0] != "refused udp 198.18.0.7:"+port+" ECONNREFUSED" {
			t.Errorf("told %q", got)
		}
		play(t, table, "udp send", "a.example:"+port).want("9 <nil>", "lost", "lost udp 198.18.0.7:"+port+" 746f006e6f626f6479")
	}
	play(t, table, "udp mute", "a.example:1").want("true", "refused")
	play(t, table, "udp send", "a.example:1").want("9 <nil>", "lost", "lost udp 198.18.0.7:1 746f006e6f626f6479")
	p := play(t, table, "udp send", "a.example:3")
	if got := p.output(); !strings.HasSuffix(got, "sendto: no route to host") {
		t.Errorf("got %q", got)
	}
}

// A datagram that the service sends by a system call of its own reaches no host. The call is reported.
func TestRawDatagram(t *testing.T) {
	p := play(t, "route udp 198.18.0.7:99 127.0.0.1:1\n", "udp raw")
	if got := p.output(); got != "invalid argument" && got != "network is unreachable" && !(got == "<nil>" && isHere("198.18.0.7")) {
		t.Errorf("got %q", got)
	}
	if got := p.eventsWith("raw udp"); len(got) != 1 {
		t.Errorf("told %q", p.read)
	}
}

// isHere reports whether an address belongs to this machine. All addresses do if docs/offline runs
// the tests; the kernel then accepts datagrams without a receiver.
func isHere(address string) bool {
	c, err := net.ListenPacket("udp", net.JoinHostPort(address, "0"))
	if err != nil {
		return false
	}
	return c.Close() == nil
}

// A service that receives datagrams can answer every sender, also itself.
func TestUDPServer(t *testing.T) {
	p := play(t, "", "udp serve", ":7000")
	listens := p.next("listen")
	if listens[1] != "udp" || listens[2] != "[::]:7000" {
		t.Errorf("told %q", listens)
	}
	c, err := net.Dial("udp", listens[3])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write([]byte("ping"))
	b := make([]byte, 100)
	n, err := c.Read(b)
	if string(b[:n]) != "you said ping" || err != nil {
		t.Errorf("got %q, %v", b[:n], err)
	}
	for wait := p.next("wait"); wait[4] != "13" || wait[5] != "4"; {
		wait = p.next("wait")
	}
	play(t, "", "udp self").want("pong true", "lost")
}

// A service can join a multicast group, even if the kernel does not support that. Members of the group receive
// datagrams to the group, and broadcasts.
func TestMulticast(t *testing.T) {
	play(t, "", "multicast").want("all of you <nil> 0.0.0.0:7000\nall of you <nil> 0.0.0.0:7000", "lost")
}
