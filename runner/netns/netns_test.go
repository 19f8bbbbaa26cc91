//go:build linux

package netns

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The test's own program is the keeper and the service, too.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == Word:
		os.Exit(Keep(os.Args[2:]))
	case len(os.Args) > 1 && os.Args[1] == "inside":
		os.Exit(inside())
	}
	os.Exit(m.Run())
}

// inside is a service that does what the lines of its input say.
func inside() int {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		do, what, _ := strings.Cut(in.Text(), " ")
		switch do {
		case "dial":
			network, address, _ := strings.Cut(what, " ")
			fmt.Println(said(net.DialTimeout(network, address, time.Second)))
		case "raw":
			fmt.Println(raw())
		case "lookup":
			addresses, err := (&net.Resolver{PreferGo: true}).LookupHost(context.Background(), what)
			fmt.Println(addresses, err)
		case "listen":
			l, err := net.Listen("tcp", what)
			if err != nil {
				fmt.Println(err)
				continue
			}
			fmt.Println("listens")
			c, err := l.Accept()
			fmt.Println(said(c, err))
		case "exit":
			return 7
		case "die":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	return 0
}

func said(c net.Conn, err error) string {
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	fmt.Fprintln(c, "hello from", c.LocalAddr().(interface{ Network() string }).Network())
	_ = c.SetReadDeadline(time.Now().Add(2 * time.Second))
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return "read: " + err.Error()
	}
	return "heard " + strings.TrimSpace(line) + " at " + c.RemoteAddr().String()
}

// raw connects without the net package.
func raw() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	return unix.Connect(s, &unix.SockaddrInet4{Port: 80, Addr: [4]byte{203, 0, 113, 9}})
}

// kept is a namespace with a service in it.
type kept struct {
	*Namespace
	t       *testing.T
	cmd     *exec.Cmd
	in      io.Writer
	out     *bufio.Reader
	refused chan string
}

func newKept(t *testing.T) *kept {
	t.Helper()
	n, files, err := New()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{Namespace: n, t: t, cmd: exec.Command(self, Word, self, "inside"), refused: make(chan string, 100)}
	Enter(k.cmd)
	k.cmd.ExtraFiles, k.cmd.Stderr = files, os.Stderr
	in, err := k.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	k.in, k.out = in, bufio.NewReader(out)
	if err := k.cmd.Start(); err != nil {
		t.Skipf("this system gives its users no namespaces: %v", err)
	}
	for _, f := range files {
		f.Close()
	}
	go k.Events(func(e Event) { k.refused <- e.Kind + " " + e.Network + " " + e.Address })
	t.Cleanup(func() {
		in.Close()
		_ = k.cmd.Wait()
		n.Close()
	})
	return k
}

// asks has the service do something and returns its answer.
func (k *kept) asks(line string) string {
	k.t.Helper()
	fmt.Fprintln(k.in, line)
	answer, err := k.out.ReadString('\n')
	if err != nil {
		k.t.Fatal(err)
	}
	return strings.TrimSpace(answer)
}

func (k *kept) tells(want string) {
	k.t.Helper()
	timer := time.After(5 * time.Second)
	for {
		select {
		case got := <-k.refused:
			if got == want {
				return
			}
		case <-timer:
			k.t.Fatalf("%q was not told", want)
		}
	}
}

// What listens at a virtual address is reached, whatever the address is; all else is
// refused at once, told, and never leaves the machine.
func TestAddressesAreOurs(t *testing.T) {
	k := newKept(t)
	for _, at := range []string{"198.18.0.7:80", "203.0.113.9:443", "[2001:db8::7]:25"} {
		l, err := k.Listen(at)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			c, err := l.Accept()
			if err == nil {
				line, _ := bufio.NewReader(c).ReadString('\n')
				fmt.Fprintf(c, "you said %s", line)
				c.Close()
			}
		}()
		if got := k.asks("dial tcp " + at); got != "heard you said hello from tcp at "+at {
			t.Errorf("%s: %s", at, got)
		}
	}
	if got := k.asks("dial tcp 93.184.216.34:80"); !strings.Contains(got, "connection refused") {
		t.Errorf("a host that is not there: %s", got)
	}
	k.tells("refused tcp 93.184.216.34:80")
	if got := k.asks("raw"); got != "connection refused" {
		t.Errorf("past the net package: %s", got)
	}
	k.tells("refused tcp 203.0.113.9:80")
	if got := k.asks("dial udp 198.18.0.9:53"); !strings.Contains(got, "connection refused") {
		t.Errorf("a datagram to nobody: %s", got)
	}
	k.tells("refused udp 198.18.0.9:53")
}

// Names are asked for at the resolver inside, which is ours.
func TestNamesAreAskedForInside(t *testing.T) {
	k := newKept(t)
	c, err := k.ListenPacket(Resolver)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	asked := make(chan string, 8)
	go func() {
		b := make([]byte, 512)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			asked <- string(b[:n])
			b[2], b[3] = 0x81, 0x83 // no such name
			_, _ = c.WriteTo(b[:n], from)
		}
	}()
	if got := k.asks("lookup shop.example"); !strings.Contains(got, "no such host") {
		t.Errorf("answer %s", got)
	}
	if got := <-asked; !strings.Contains(got, "\x04shop\x07example") {
		t.Errorf("asked %q", got)
	}
}

// A port of the service is seen, and can be called from outside.
func TestItsPortsAreSeen(t *testing.T) {
	k := newKept(t)
	if got := k.asks("listen 127.0.0.1:80"); got != "listens" {
		t.Fatal(got)
	}
	if all, err := k.Listening(); err != nil || !slices.Contains(all, "tcp 127.0.0.1:80") {
		t.Errorf("%q, %v", all, err)
	}
	c, err := k.Dial("tcp", "127.0.0.1:80")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintln(c, "hi")
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || line != "hello from tcp\n" {
		t.Errorf("%q, %v", line, err)
	}
}

// The keeper ends as the service does.
func TestEndsAlike(t *testing.T) {
	k := newKept(t)
	fmt.Fprintln(k.in, "exit")
	if err := k.cmd.Wait(); k.cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("exit code: %v", err)
	}
	k = newKept(t)
	fmt.Fprintln(k.in, "die")
	err := k.cmd.Wait()
	if s, ok := k.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || s.Signal() != syscall.SIGKILL {
		t.Errorf("signal: %v", err)
	}
}
