//go:build linux

package netns

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain runs the test program as the keeper, or as the service inside the namespace, if the first argument says
// so.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == KeeperCommand:
		os.Exit(RunKeeper(os.Args[2:]))
	case len(os.Args) > 1 && os.Args[1] == "inside":
		os.Exit(inside())
	}
	os.Exit(m.Run())
}

// inside is the service: it executes the lines of its input.
func inside() int {
	in, asked := bufio.NewScanner(os.Stdin), make(chan os.Signal, 8)
	for in.Scan() {
		do, what, _ := strings.Cut(in.Text(), " ")
		switch do {
		case "dial":
			network, address, _ := strings.Cut(what, " ")
			fmt.Println(reply(net.DialTimeout(network, address, time.Second)))
		case "raw":
			fmt.Println(raw())
		case "lookup":
			addresses, err := (&net.Resolver{PreferGo: true}).LookupHost(context.Background(), what)
			fmt.Println(addresses, err)
		case "shout":
			fmt.Println(shout(what))
		case "watch":
			signal.Notify(asked, syscall.SIGTERM)
			fmt.Println("watches")
		case "asked":
			time.Sleep(100 * time.Millisecond)
			fmt.Println(len(asked))
		case "hostname":
			fmt.Println(os.Hostname())
		case "listen":
			l, err := net.Listen("tcp", what)
			if err != nil {
				fmt.Println(err)
				continue
			}
			fmt.Println("listens")
			c, err := l.Accept()
			fmt.Println(reply(c, err))
		case "exit":
			return 7
		case "die":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	return 0
}

func reply(c net.Conn, err error) string {
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	fmt.Fprintln(c, "hello from", c.LocalAddr().(interface{ Network() string }).Network())
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return "read: " + err.Error()
	}
	return "heard " + strings.TrimSpace(line) + " at " + c.RemoteAddr().String()
}

// raw connects without package net.
func raw() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	return unix.Connect(s, &unix.SockaddrInet4{Port: 80, Addr: [4]byte{203, 0, 113, 9}})
}

// shout sends a broadcast or multicast datagram.
func shout(to string) error {
	c, err := net.Dial("udp", to)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte("who is there"))
	return err
}

// runningNamespace is a namespace in which a service runs.
type runningNamespace struct {
	*Namespace
	t      *testing.T
	cmd    *exec.Cmd
	in     io.Writer
	out    *bufio.Reader
	errs   strings.Builder
	events chan string
	from   func(netip.AddrPort) // called with the sender of each event, before events gets it; may be nil
}

func newKept(t *testing.T) *runningNamespace {
	t.Helper()
	k := entered(t)
	if err := k.Start(""); err != nil {
		t.Fatal(err)
	}
	return k
}

// entered returns a namespace whose keeper waits for Start.
func entered(t *testing.T, args ...string) *runningNamespace {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs a network namespace")
	}
	if err := CheckSupport(); err != nil {
		t.Skip(err)
	}
	n, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if args == nil {
		args = []string{os.Args[0], "inside"}
	}
	k := &runningNamespace{Namespace: n, t: t, cmd: exec.Command(args[0], args[1:]...), events: make(chan string, 100)}
	k.cmd.Stderr, k.cmd.SysProcAttr = &k.errs, &syscall.SysProcAttr{Setpgid: true}
	in, err := k.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	k.in, k.out = in, bufio.NewReader(out)
	done, err := k.PrepareCommand(k.cmd)
	if err == nil {
		err = k.cmd.Start()
		done()
	}
	if err != nil {
		t.Fatal(err)
	}
	go k.HandleEvents(func(e Event) {
		if k.from != nil && e.Kind == RefusedEvent {
			k.from(e.From)
		}
		k.events <- strings.TrimSpace(fmt.Sprintf("%s %s %s %s", e.Kind, e.Network, e.Address, e.Data))
	})
	t.Cleanup(func() {
		in.Close()
		n.Close()
		_ = k.cmd.Wait()
	})
	return k
}

// execute makes the service execute a line, and returns its answer.
func (k *runningNamespace) execute(line string) string {
	k.t.Helper()
	fmt.Fprintln(k.in, line)
	answer, err := k.out.ReadString('\n')
	if err != nil {
		k.t.Fatal(err)
	}
	return strings.TrimSpace(answer)
}

func (k *runningNamespace) wantEvent(want string) {
	k.t.Helper()
	timer := time.After(30 * time.Second)
	for {
		select {
		case got := <-k.events:
			if got == want {
				return
			}
		case <-timer:
			k.t.Fatalf("%q was not told", want)
		}
	}
}

// A socket can listen at any address, and the service reaches it there. Where no socket listens, a dial is refused at
// once, and an event reports it. Nothing leaves the machine.
func TestEveryAddressIsLocal(t *testing.T) {
	k := newKept(t)
	for _, at := range []string{"198.18.0.7:80", "203.0.113.9:443", "[2001:db8::7]:25"} {
		l, err := k.Listen("tcp", at)
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
		if got := k.execute("dial tcp " + at); got != "heard you said hello from tcp at "+at {
			t.Errorf("%s: %s", at, got)
		}
	}
	if got := k.execute("dial tcp 93.184.216.34:80"); !strings.Contains(got, "connection refused") {
		t.Errorf("a host that is not there: %s", got)
	}
	k.wantEvent("refused tcp 93.184.216.34:80")
	if got := k.execute("raw"); got != "connection refused" {
		t.Errorf("past the net package: %s", got)
	}
	k.wantEvent("refused tcp 203.0.113.9:80")
	if got := k.execute("dial udp 198.18.0.9:53"); !strings.Contains(got, "connection refused") {
		t.Errorf("a datagram without a receiver: %s", got)
	}
	k.wantEvent("refused udp 198.18.0.9:53 hello from udp")
}

// A service in the namespace looks up names at the resolver that the test runs there.
func TestNamesAreAskedForInside(t *testing.T) {
	k := newKept(t)
	c, err := k.ListenPacket("udp4", "127.0.0.53:53")
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
	if got := k.execute("lookup shop.example"); !strings.Contains(got, "no such host") {
		t.Errorf("answer %s", got)
	}
	if got := <-asked; !strings.Contains(got, "\x04shop\x07example") {
		t.Errorf("asked %q", got)
	}
}

// A port of the service is listed, and can be called from outside.
func TestListeningSockets(t *testing.T) {
	k := newKept(t)
	if got := k.execute("listen 127.0.0.1:80"); got != "listens" {
		t.Fatal(got)
	}
	if all, err := k.ListeningSockets(); err != nil ||
		!slices.Contains(all, ListeningSocket{Network: "tcp", Address: netip.MustParseAddrPort("127.0.0.1:80")}) {
		t.Errorf("%v, %v", all, err)
	}
	c, err := k.Dial(netip.Addr{}, "127.0.0.1:80")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintln(c, "hi")
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || line != "hello from tcp\n" {
		t.Errorf("%q, %v", line, err)
	}
}

// Broadcast and multicast datagrams are reported, although the kernel never refuses them.
func TestBroadcasts(t *testing.T) {
	k := newKept(t)
	for _, to := range []string{"255.255.255.255:9", "239.255.255.250:1900"} {
		if got := k.execute("shout " + to); got != "<nil>" {
			t.Errorf("%s: %s", to, got)
		}
		k.wantEvent("spread udp " + to + " who is there")
	}
}

// Events name the sender, so that the process outside the namespace recognizes events that it caused itself.
func TestEventsHaveTheSender(t *testing.T) {
	k := newKept(t)
	var from []string
	k.from = func(at netip.AddrPort) { from = append(from, at.Addr().String()) }
	if _, err := k.Dial(netip.MustParseAddr("198.18.0.1"), "127.0.0.1:9"); err == nil {
		t.Error("an address has a listener")
	}
	k.execute("dial tcp 203.0.113.9:80")
	k.execute("dial udp 203.0.113.8:80")
	if err := k.Sync(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(from, " "); got != "198.18.0.1 203.0.113.9 203.0.113.8" {
		t.Errorf("told %s", got)
	}
}

// RefuseDatagram gives the sender of a datagram an error, and no event reports this refusal.
func TestRefuse(t *testing.T) {
	k := newKept(t)
	at := netip.MustParseAddrPort("198.18.0.9:9")
	c, err := k.ListenPacket("udp4", at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		b := make([]byte, 100)
		_, from, err := c.ReadFrom(b)
		if err == nil {
			err = k.RefuseDatagram(from.(*net.UDPAddr).AddrPort(), at)
		}
		if err != nil {
			t.Error(err)
		}
	}()
	if got := k.execute("dial udp " + at.String()); !strings.Contains(got, "connection refused") {
		t.Error(got)
	}
	if err := k.Sync(); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-k.events:
		t.Errorf("told: %s", got)
	default:
	}
}

// Events that happen before a call of Sync are reported before Sync returns.
func TestSync(t *testing.T) {
	k := newKept(t)
	for port := range 20 {
		at := fmt.Sprintf("198.18.0.1:%d", 1000+port)
		k.execute("dial tcp " + at)
		if err := k.Sync(); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-k.events:
			if got != "refused tcp "+at {
				t.Errorf("%s is told behind %s", got, at)
			}
		default:
			t.Errorf("%s is not told", at)
		}
	}
	fmt.Fprintln(k.in, "exit")
	_ = k.cmd.Wait()
	if err := k.Sync(); !errors.Is(err, ErrKeeperEnded) {
		t.Errorf("without a keeper: %v", err)
	}
}

// The machine has the given name.
func TestHostname(t *testing.T) {
	k := entered(t)
	if err := k.Start("shop-1"); err != nil {
		t.Fatal(err)
	}
	if got := k.execute("hostname"); got != "shop-1 <nil>" {
		t.Error(got)
	}
	if err := k.Start(""); err == nil {
		t.Error("it starts twice")
	}
}

// Start succeeds if the shell starts, even if the command of the shell does not exist. If the process outside has
// left before Start, the keeper ends without starting a command.
func TestNeverStarts(t *testing.T) {
	k := entered(t, "/bin/sh", "-c", "nothing-of-this-name")
	if err := k.Start(""); err != nil {
		t.Error(err)
	}
	k.cmd.Wait()
	if k.cmd.ProcessState.ExitCode() != 127 {
		t.Errorf("the shell: %v", k.cmd.ProcessState)
	}
	k = entered(t)
	k.Close()
	k.cmd.Wait()
	if k.cmd.ProcessState.ExitCode() != notStarted || !strings.Contains(k.errs.String(), "has ended") {
		t.Errorf("%v, %s", k.cmd.ProcessState, &k.errs)
	}
}

// Listen and Dial return the error of the kernel if the keeper cannot open the socket.
func TestErrors(t *testing.T) {
	k := newKept(t)
	l, err := k.Listen("tcp", "198.18.0.7:80")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := k.Listen("tcp", "198.18.0.7:80"); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("listens twice: %v", err)
	}
	if _, err := k.Dial(netip.Addr{}, "198.18.0.8:80"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dials an address without a listener: %v", err)
	}
}

// A program that does not know the command of a keeper is not started again and again.
func TestKeeperCommandIsUnknown(t *testing.T) {
	t.Setenv(mark, "1")
	if _, err := (&Namespace{}).PrepareCommand(exec.Command("true")); err == nil {
		t.Error("it starts itself")
	}
}

// A keeper that was started by hand does not change its network.
func TestKeeperStartedByHand(t *testing.T) {
	ways := [][]string{nil}
	if all, err := net.Interfaces(); err == nil && len(all) > 1 {
		ways = append(ways, []string{mark + "=1"}) // as a keeper of this machine's own network
	}
	for _, env := range ways {
		c := exec.Command("/proc/self/exe", KeeperCommand, "true")
		c.Env = append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "of its own") {
			t.Errorf("%v: %v, %s", env, err, out)
		}
	}
}

// In the namespace, names are only looked up in /etc/hosts and by DNS.
func TestByDNS(t *testing.T) {
	was := "passwd: files\n hosts:  files resolve [!UNAVAIL=return] dns\nnetworks: files\n"
	if got := string(byDNS([]byte(was))); got != "passwd: files\nhosts: files dns\nnetworks: files\n" {
		t.Errorf("%q", got)
	}
}

// A signal to the process group reaches the service only once, and the keeper waits until the service has ended.
func TestGroupSignalReachesServiceOnce(t *testing.T) {
	k := newKept(t)
	k.execute("watch")
	if err := syscall.Kill(-k.cmd.Process.Pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := k.execute("asked"); got != "1" {
		t.Errorf("it was asked %s times", got)
	}
}

// The keeper ends with the exit code of the service, or by the same signal.
func TestKeeperEndsAsTheService(t *testing.T) {
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

// If the service ends by a signal that Go programs ignore, the keeper ends with the exit code of a shell.
func TestKeeperEndsByIgnoredSignal(t *testing.T) {
	k := entered(t, "sh", "-c", "kill -PIPE $$")
	if err := k.Start(""); err != nil {
		t.Fatal(err)
	}
	if err := k.cmd.Wait(); k.cmd.ProcessState.ExitCode() != 128+int(syscall.SIGPIPE) {
		t.Errorf("exit code: %v", err)
	}
}
