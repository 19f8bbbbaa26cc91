package netns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// RunKeeper is the keeper: it prepares the network, starts a command once it is told to, and returns
// its exit code when it has ended. Without a command it only prepares the network.
func RunKeeper(args []string) int {
	code, err := keep(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "sonde: %v\n", err)
		return notStarted
	}
	return code
}

// notStarted is the exit code of a keeper whose command never ran.
const notStarted = 125

func keep(args []string) (int, error) {
	if os.Getenv(mark) == "" {
		return 0, errors.New("this command is for Sonde itself, which starts it in a network of its own")
	}
	os.Unsetenv(mark)
	if err := prepare(); err != nil {
		return 0, err
	}
	sniff, err := newSniffer()
	if err != nil {
		return 0, fmt.Errorf("the keeper cannot observe what is refused: %w", err)
	}
	if len(args) == 0 {
		return 0, nil
	}
	asks, err := inherited(3)
	if err != nil {
		return 0, err
	}
	events, err := inherited(4)
	if err != nil {
		return 0, err
	}
	k := &keeper{asks: asks, events: events, sniff: sniff, begins: make(chan string), began: make(chan error)}
	go sniff.run(k.tell)
	go k.serve()
	return k.run(args)
}

// inherited returns a connection that the process inherited.
func inherited(fd uintptr) (*net.UnixConn, error) {
	unix.CloseOnExec(int(fd))
	f := os.NewFile(fd, "netns")
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	return c.(*net.UnixConn), nil
}

// keeper serves the process outside.
type keeper struct {
	asks, events *net.UnixConn
	sniff        *sniffer
	begins       chan string // the name of the machine, when the command is to start
	began        chan error  // the result of the start
	once         sync.Once
	answering    sync.Mutex // serialises the answers to requests
}

// maxDeaf is how long the process outside may not read.
const maxDeaf = time.Second

func (k *keeper) tell(e Event) {
	if text, err := json.Marshal(e); err == nil {
		_ = k.events.SetWriteDeadline(time.Now().Add(maxDeaf))
		_, _ = k.events.Write(append(text, '\n')) // dropped if the process outside does not read
	}
}

// run starts the command when Start is called, without the privileges of the keeper.
func (k *keeper) run(args []string) (int, error) {
	name, ok := <-k.begins
	if !ok {
		return 0, ErrKeeperEnded
	}
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := call(name)
	if err == nil {
		err = start(c)
	}
	k.began <- err
	if err != nil {
		return 0, err
	}
	// The command is in the same process group: it gets the signals of the keeper, which waits for
	// it to end.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	err = c.Wait()
	k.answering.Lock() // the start must be reported before the end
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
			die(s.Signal())
		}
		return c.ProcessState.ExitCode(), nil
	}
	return 0, err
}

// call sets the name of the machine, if it is to have another one.
func call(name string) error {
	if name == "" {
		return nil
	}
	return unix.Sethostname([]byte(name))
}

// die ends the keeper as the command ended, so that the process that waits sees the same.
func die(s syscall.Signal) {
	signal.Reset(s)
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Kill(os.Getpid(), s)
	<-context.Background().Done()
}

// serve answers requests from outside. If the process outside ends before the command was to
// start, it never starts.
func (k *keeper) serve() {
	defer k.once.Do(func() { close(k.begins) })
	buf := make([]byte, maxMessage)
	for {
		n, err := k.asks.Read(buf)
		if err != nil || n == 0 {
			return
		}
		k.answering.Lock()
		err = k.answer(buf[:n])
		k.answering.Unlock()
		if err != nil {
			return
		}
	}
}

// answer answers one request. A socket that it hands over is followed by a message when the keeper
// has closed its own copy: otherwise the socket would stay open when it is closed outside.
func (k *keeper) answer(text []byte) error {
	a, socket := k.did(text)
	says, err := json.Marshal(a)
	if err != nil || socket == nil {
		_, err = k.asks.Write(says)
		return err
	}
	_, _, err = k.asks.WriteMsgUnix(says, unix.UnixRights(int(socket.Fd())), nil)
	err = errors.Join(err, socket.Close())
	if err == nil {
		_, err = k.asks.Write([]byte(yours))
	}
	return err
}

// yours is that message.
const yours = "yours"

// did performs a request.
func (k *keeper) did(text []byte) (a answer, socket *os.File) {
	var r request
	err := json.Unmarshal(text, &r)
	if err == nil {
		switch r.Do {
		case "start":
			err = k.start(r.Name)
		case "sync":
			k.sniff.drain(k.tell)
			k.tell(Event{Kind: SyncedEvent, Serial: r.Serial})
		case "listening":
			a.Listening, err = listening()
		case "listen":
			socket, err = listen(r.Network, r.Address)
		case "dial":
			socket, err = dial(r.Network, r.From.Addr(), r.Address)
		case "refuse":
			err = refuse(r.From, r.To)
		default:
			err = fmt.Errorf("%q is not a request to a keeper", r.Do)
		}
	}
	if err != nil {
		a.Err = err.Error()
		errno, _ := errors.AsType[syscall.Errno](err)
		a.Errno = int(errno)
	}
	return a, socket
}

// start starts the command, once.
func (k *keeper) start(name string) (err error) {
	err = errors.New("the command was started before")
	k.once.Do(func() {
		k.begins <- name
		err = <-k.began
	})
	return err
}

// filed is a socket that can be handed over.
type filed interface {
	File() (*os.File, error)
	Close() error
}

func listen(network, address string) (*os.File, error) {
	free := net.ListenConfig{Control: control}
	free.SetMultipathTCP(false) // whose sockets no other process can take over as TCP
	if strings.HasPrefix(network, "udp") {
		c, err := free.ListenPacket(context.Background(), network, address)
		return file(c, err)
	}
	l, err := free.Listen(context.Background(), network, address)
	return file(l, err)
}

// control lets a socket of IPv6 use an address that no interface has, and one for datagrams report
// where they were sent.
func control(network, _ string, c syscall.RawConn) error {
	var refused error
	err := c.Control(func(fd uintptr) {
		switch {
		case strings.HasSuffix(network, "6"):
			refused = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_FREEBIND, 1)
		case network == "udp4":
			refused = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_PKTINFO, 1)
		}
	})
	return errors.Join(err, refused)
}

func dial(network string, from netip.Addr, address string) (*os.File, error) {
	d := net.Dialer{}
	if from.IsValid() {
		d.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	c, err := d.Dial(network, address)
	return file(c, err)
}

// file returns a descriptor of what was opened, which itself is closed.
func file(opened any, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	f, ok := opened.(filed)
	if !ok {
		return nil, fmt.Errorf("a %T cannot be handed over", opened)
	}
	defer f.Close()
	return f.File()
}
