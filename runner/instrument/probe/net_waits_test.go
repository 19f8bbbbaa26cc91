//go:build unix

package probe

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// silent serves TCP and returns the address. It reads all data and sends none.
func silent(t *testing.T) string {
	return serve(t, func(c net.Conn) { io.Copy(io.Discard, c) })
}

// A socket reports its waits, with the numbers of bytes written and read. A command may end a wait
// with an error.
func TestStarve(t *testing.T) {
	table := "route tcp 198.18.0.7:80 " + silent(t) + " watch\n"
	p := play(t, table, "read", "198.18.0.7:80")
	wait := p.next("wait")
	if got := strings.Join(append(wait[1:2:2], wait[3:]...), " "); got != "read 198.18.0.7:80 8 0" ||
		!strings.HasPrefix(wait[2], "127.0.0.1:") {
		t.Errorf("told %q", wait)
	}
	p.send("starve %s ECONNRESET\n", wait[0])
	if got := p.output(); !strings.HasPrefix(got, "true read tcp 198.19.255.254:") ||
		!strings.HasSuffix(got, "->198.18.0.7:80: read: connection reset by peer") {
		t.Errorf("got %q", got)
	}
	for _, c := range []struct{ name, kind, local, errno, want string }{
		{"accept", "accept", "- 0 0", "ECONNABORTED", "true accept tcp [::]:8080: accept"},
		{"recv", "recv", "- 0 0", "EAGAIN", "true read udp [::]:7000: "},
	} {
		p := play(t, "", c.name)
		wait := p.next("wait")
		if got := strings.Join(wait[3:], " "); wait[1] != c.kind || got != c.local {
			t.Errorf("told %q", wait)
		}
		p.send("starve %s %s\n", wait[0], c.errno)
		if got := p.output(); !strings.HasPrefix(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Bytes that are written while a read waits are reported, too.
func TestWriteWhileReading(t *testing.T) {
	p := play(t, "route tcp 198.18.0.7:80 "+silent(t)+" watch\n", "read first", "198.18.0.7:80")
	first, second := p.next("wait"), p.next("wait")
	if first[4] != "0" || second[4] != "8" || first[0] != second[0] {
		t.Errorf("told %q and %q", first, second)
	}
	p.send("starve %s ECONNRESET\n", first[0])
	p.output()
}

// A socket whose wait was ended keeps the deadline that the service has set.
func TestStarveKeepsDeadline(t *testing.T) {
	p := play(t, "route tcp 198.18.0.7:80 "+silent(t)+" watch\n", "deadline", "198.18.0.7:80")
	p.send("starve %s EAGAIN\n", p.next("wait")[0])
	p.next("wait") // the wait ends when the deadline passes
	p.send("starve %s ECONNRESET\n", p.next("wait")[0])
	got := p.output()
	if !strings.HasPrefix(got, "true ") ||
		!strings.Contains(got, "resource temporarily unavailable true false\n") || !strings.HasSuffix(got, "connection reset by peer") {
		t.Errorf("got %q", got)
	}
}

// Bytes that the kernel writes by itself, as when it sends a file, are counted.
func TestCounts(t *testing.T) {
	p := play(t, "route tcp 198.18.0.7:80 "+silent(t)+" watch\n", "write by the kernel", "198.18.0.7:80")
	wait := p.next("wait")
	if wait[4] != "100014" || wait[5] != "0" {
		t.Errorf("told %q", wait)
	}
	p.send("starve %s ECONNRESET\n", wait[0])
	p.output()
}

// Bytes that the kernel copies from one connection to another are counted on both connections, already during
// the copy.
func TestCopiedBytesAreCounted(t *testing.T) {
	p := play(
		t, "route tcp 198.18.0.7:1 "+serve(t, greet)+" watch\nroute tcp 198.18.0.7:2 "+silent(t)+" watch\n",
		"pass on", "198.18.0.7:1", "198.18.0.7:2",
	)
	var from, to, id string
	for from != "5 5" || to != "5 0" {
		switch wait := p.next("wait"); wait[3] {
		case "198.18.0.7:1":
			from = strings.Join(wait[4:], " ")
		case "198.18.0.7:2":
			to, id = strings.Join(wait[4:], " "), wait[0]
		}
	}
	p.send("starve %s ECONNRESET\n", id)
	if got := p.output(); got != "true" {
		t.Errorf("got %q", got)
	}
}

// greet sends five bytes, and then nothing.
func greet(c net.Conn) {
	c.Write([]byte("hello"))
	io.Copy(io.Discard, c)
}

// A socket that is not watched does not report its waits.
func TestUnwatched(t *testing.T) {
	at := serve(t, func(c net.Conn) {
		for b := make([]byte, 4); ; {
			if _, err := io.ReadFull(c, b); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
			c.Write(b)
		}
	})
	play(t, "route tcp 198.18.0.7:80 "+at+"\n", "often", "198.18.0.7:80").want("done", "wait")
}

// A dial and the closing of the connection are reported together with the next event, or before the
// answer to a sync command.
func TestCloseIsReportedLater(t *testing.T) {
	binary := netProgram(t)
	p := newPlayer(t, binary, "net 1\nroute tcp 198.18.0.7:80 "+silent(t)+" watch\n", "close", "198.18.0.7:80")
	p.share()
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.start()
	if _, err := io.ReadFull(out, make([]byte, len("done\n"))); err != nil {
		t.Fatal(err)
	}
	p.send("sync 7\n")
	p.next("synced 7")
	if closed := p.eventsWith("closed"); len(closed) != 500 || closed[0] != "closed 1" || closed[499] != "closed 500" {
		t.Errorf("told of %d: %q", len(closed), closed)
	}
	if dialed := p.eventsWith("dialed"); len(dialed) != 500 ||
		!strings.HasPrefix(dialed[499], "dialed 500 127.0.0.1:") || !strings.HasSuffix(dialed[499], " 198.18.0.7:80") {
		t.Errorf("told of %d: %q", len(dialed), dialed)
	}
	for port := range p.slots {
		if owner := p.slots[port].owner.Load(); owner != 0 {
			t.Fatalf("slot %d is still %d's", port, owner>>16)
		}
	}
}

// With shared memory, a service shows its waits there instead of reporting them. It reports a wait only if the
// number of bytes written so far is the number that Sonde has set in the memory. Sonde may set it before the
// wait begins.
func TestShowWaits(t *testing.T) {
	dialed := make(chan net.Conn, 1)
	at := serve(t, func(c net.Conn) {
		dialed <- c
		io.Copy(io.Discard, c)
	})
	for _, wanted := range []uint64{0, 9, 1} {
		p := show(t, "route tcp 198.18.0.7:80 "+at+" watch\n", func(all *[1 << 16]slot) {
			for i := range all {
				all[i].wanted.Store(wanted)
			}
		}, "read", "198.18.0.7:80")
		c := <-dialed
		s := &p.slots[c.RemoteAddr().(*net.TCPAddr).Port]
		eventually(t, func() bool { return s.toggles.Load() == 1 })
		if s.owner.Load() != 1<<16|uint64(c.LocalAddr().(*net.TCPAddr).Port) || s.written.Load() != 8 || s.read.Load() != 0 {
			t.Errorf("it shows %d, %d, %d", s.owner.Load(), s.written.Load(), s.read.Load())
		}
		if wanted == 9 {
			p.next("wait")
		}
		p.send("sync 7\n")
		p.next("synced 7")
		if told := p.eventsWith("wait"); len(told) != int(wanted/9) {
			t.Errorf("told of %q", told)
		}
		c.Write([]byte("hello"))
		eventually(t, func() bool { return s.toggles.Load() == 3 && s.read.Load() == 5 })
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
		p.output()
	}
}

// Connections to two hosts may have the same local port. The first connection continues to show its waits, and
// the second one reports them.
func TestShowWaitsOfOnePort(t *testing.T) {
	needsBuild(t)
	portOf := func(a net.Addr) uint32 { return uint32(a.(*net.TCPAddr).Port) }
	var waiting sync.Map // the connections to the first host, by their ports
	second := make(chan net.Conn, 1)
	at := serve(t, func(c net.Conn) { waiting.Store(portOf(c.RemoteAddr()), c) })
	other := serve(t, func(c net.Conn) {
		if _, same := waiting.Load(portOf(c.RemoteAddr())); same {
			second <- c
			c.Write([]byte{1})
			return
		}
		c.Write([]byte{0})
		io.Copy(io.Discard, c)
		c.Close()
	})
	p := show(
		t, "route tcp 198.18.0.7:80 "+at+" watch\nroute tcp 198.18.0.8:80 "+other+" watch\n",
		func(*[1 << 16]slot) {}, "same port", "198.18.0.7:80", "198.18.0.8:80",
	)
	told := strings.Join(p.next("wait"), " ")
	comes := <-second
	port := portOf(comes.RemoteAddr())
	if at := fmt.Sprintf("127.0.0.1:%d 198.18.0.8:80 ", port); !strings.Contains(told, at) {
		t.Errorf("told of %q, want %s", told, at)
	}
	found, _ := waiting.Load(port)
	stays := found.(net.Conn)
	var number [1]byte
	if _, err := io.ReadFull(stays, number[:]); err != nil {
		t.Fatal(err)
	}
	s := &p.slots[port]
	toggles := s.toggles.Load()
	if owner := s.owner.Load(); owner != (uint64(number[0])+1)<<16|uint64(portOf(stays.LocalAddr())) || toggles%2 == 0 {
		t.Errorf("the slot is %d's, with %d toggles", owner, toggles)
	}
	stays.Write([]byte("more"))
	eventually(t, func() bool { return s.toggles.Load() == toggles+2 && s.read.Load() == 4 })
	comes.Close()
	p.output()
}

// A table can be replaced while the service runs. The service confirms the new table as soon as it uses that
// table.
func TestTable(t *testing.T) {
	p := play(t, "dns a.example A 198.18.0.7\n", "ask")
	ask := func(want string) {
		t.Helper()
		io.WriteString(p.in, "a.example\n")
		if got := p.next("lookup host a.example"); got[0] != want {
			t.Errorf("got %q, want %s", got, want)
		}
	}
	ask("198.18.0.7")
	const other = "net 1\ndns a.example A 198.18.0.8\n"
	p.send("table 7 %d\n%s", len(other), other)
	if got := p.next("set"); got[0] != "7" {
		t.Errorf("set %q", got)
	}
	ask("198.18.0.8")
	p.send("table 8 4\nnet9")
	p.next("set 8")
	ask("198.18.0.8")
	p.send("nonsense\nsync 9\n")
	p.next("synced 9")
	p.output()
	if errs := p.errs.String(); !strings.Contains(errs, "was not changed") || !strings.Contains(errs, "has no such command") {
		t.Errorf("it complains of %q", errs)
	}
}

// A service continues to run after Sonde has closed the channel.
func TestChannelIsClosed(t *testing.T) {
	p := play(t, "dns a.example A 198.18.0.7\n", "ask")
	p.next("hello")
	p.ctl.Close()
	io.WriteString(p.in, "a.example\na.example\n")
	if got := p.output(); got != "[198.18.0.7]\n[198.18.0.7]" {
		t.Errorf("got %q", got)
	}
}
