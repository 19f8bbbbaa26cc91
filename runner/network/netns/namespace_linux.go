package netns

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Namespace is the namespace of a service, seen from outside. Its methods are safe for concurrent
// use.
type Namespace struct {
	asking sync.Mutex
	asks   *net.UnixConn // a request and its answer, one after the other
	buf    []byte        // of an answer
	events *net.UnixConn
	theirs []*os.File // of the keeper, until it has started

	syncing sync.Mutex
	serial  uint64
	synced  map[uint64]chan struct{} // nil when no more events come
}

// request is a request to the keeper.
type request struct {
	Do      string // "start", "sync", "listen", "dial", "refuse" or "listening"
	Network string `json:",omitempty"`
	Address string `json:",omitempty"`
	Name    string `json:",omitempty"` // of start: what the machine is called
	Serial  uint64 `json:",omitempty"` // of sync
	From    netip.AddrPort
	To      netip.AddrPort
}

// answer is the answer of the keeper. A descriptor comes with it, if the keeper hands one over.
type answer struct {
	Err       string
	Errno     int
	Listening []ListeningSocket
}

// New returns a namespace, which exists once its keeper does: see PrepareCommand.
func New() (*Namespace, error) {
	asks, theirs, err := pair()
	if err != nil {
		return nil, err
	}
	events, tells, err := pair()
	if err != nil {
		asks.Close()
		theirs.Close()
		return nil, err
	}
	return &Namespace{
		asks:   asks,
		buf:    make([]byte, maxMessage),
		events: events,
		theirs: []*os.File{theirs, tells},
		synced: map[uint64]chan struct{}{},
	}, nil
}

// pair returns the two ends of a connection, one of them for another process.
func pair() (ours *net.UnixConn, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	f := os.NewFile(uintptr(fds[0]), "netns")
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		unix.Close(fds[1])
		return nil, nil, err
	}
	return c.(*net.UnixConn), os.NewFile(uintptr(fds[1]), "netns"), nil
}

// PrepareCommand makes a command that is about to start the command of the namespace's keeper, which waits
// for Start. The command has its environment by now, and no further files. The caller calls
// entered when the command has started, or failed to.
func (n *Namespace) PrepareCommand(c *exec.Cmd) (entered func(), err error) {
	if err := enter(c); err != nil {
		return nil, err
	}
	c.ExtraFiles = n.theirs
	return func() {
		for _, f := range n.theirs {
			f.Close()
		}
	}, nil
}

func enter(c *exec.Cmd) error {
	if os.Getenv(mark) != "" {
		return errors.New("this program cannot be started as the keeper of a network")
	}
	c.Path, c.Args = "/proc/self/exe", append([]string{os.Args[0], KeeperCommand}, c.Args...)
	c.Env = append(c.Environ(), mark+"=1")
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	a := c.SysProcAttr
	a.Cloneflags |= unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWUTS
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	a.AmbientCaps = append(
		a.AmbientCaps,
		unix.CAP_NET_ADMIN,
		unix.CAP_NET_RAW,
		unix.CAP_NET_BIND_SERVICE,
		unix.CAP_SYS_ADMIN,
	)
	return nil
}

// CheckSupport returns an error of one line that says why users of this system cannot create namespaces,
// or nil if they can.
func CheckSupport() error {
	var said bytes.Buffer
	c := &exec.Cmd{Stderr: &said}
	err := enter(c)
	if err == nil {
		err = c.Run()
	}
	words := strings.TrimSpace(strings.TrimPrefix(said.String(), "sonde: "))
	errno, forbidden := errors.AsType[syscall.Errno](err)
	switch {
	case err == nil:
		return nil
	case errno == unix.ENOSPC:
		return fmt.Errorf("%w: user.max_user_namespaces allows no more", ErrUnsupported)
	case forbidden:
		return fmt.Errorf("%w: %w", ErrUnsupported, errno)
	}
	return errors.New(cmp.Or(words, err.Error()))
}

// Start starts the command, on a machine with a name; "" keeps the name that it has.
func (n *Namespace) Start(name string) error {
	_, _, err := n.ask(request{Do: "start", Name: name})
	return err
}

// Listen listens on an address inside.
func (n *Namespace) Listen(network, address string) (net.Listener, error) {
	f, err := n.socket(request{Do: "listen", Network: network, Address: address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FileListener(f)
}

// ListenPacket receives the datagrams for an address inside. With network "udp4" each has a
// control message with the address to which it was sent, and an answer with the same message comes
// from that address.
func (n *Namespace) ListenPacket(network, address string) (net.PacketConn, error) {
	f, err := n.socket(request{Do: "listen", Network: network, Address: address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FilePacketConn(f)
}

// Dial connects to an address inside by TCP, from an IPv4 address; the zero address is any.
func (n *Namespace) Dial(from netip.Addr, address string) (net.Conn, error) {
	f, err := n.socket(request{Do: "dial", Network: "tcp", From: netip.AddrPortFrom(from, 0), Address: address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FileConn(f)
}

// RefuseDatagram tells the sender of a datagram between two IPv4 addresses that the port is unreachable; a
// connected socket gets an error.
func (n *Namespace) RefuseDatagram(from, to netip.AddrPort) error {
	_, _, err := n.ask(request{Do: "refuse", From: from, To: to})
	return err
}

// ListeningSockets returns the sockets on which processes inside wait, and those that were handed over.
func (n *Namespace) ListeningSockets() ([]ListeningSocket, error) {
	a, _, err := n.ask(request{Do: "listening"})
	return a.Listening, err
}

// HandleEvents calls a function with each event, until the keeper ends. Sync needs it to run.
func (n *Namespace) HandleEvents(tell func(Event)) {
	in := bufio.NewScanner(n.events)
	for in.Scan() {
		var e Event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			continue
		}
		if e.Kind == SyncedEvent {
			n.done(e.Serial)
		} else {
			tell(e)
		}
	}
	tell(Event{Kind: EndedEvent})
	n.syncing.Lock()
	defer n.syncing.Unlock()
	for _, done := range n.synced {
		close(done)
	}
	n.synced = nil
}

// Sync returns when HandleEvents has reported everything that happened inside before.
func (n *Namespace) Sync() error {
	done := make(chan struct{})
	n.syncing.Lock()
	if n.synced == nil {
		n.syncing.Unlock()
		return ErrKeeperEnded
	}
	n.serial++
	serial := n.serial
	n.synced[serial] = done
	n.syncing.Unlock()
	if _, _, err := n.ask(request{Do: "sync", Serial: serial}); err != nil {
		return err
	}
	<-done
	return nil
}

func (n *Namespace) done(serial uint64) {
	n.syncing.Lock()
	defer n.syncing.Unlock()
	if done := n.synced[serial]; done != nil {
		close(done)
		delete(n.synced, serial)
	}
}

// Close ends the connection with the keeper. Sockets that were handed over stay open.
func (n *Namespace) Close() error { return errors.Join(n.events.Close(), n.asks.Close()) }

// socket requests a descriptor.
func (n *Namespace) socket(r request) (*os.File, error) {
	_, f, err := n.ask(r)
	if err == nil && f == nil {
		err = fmt.Errorf("the keeper of the network gave no socket for %s", r.Address)
	}
	return f, err
}

func (n *Namespace) ask(r request) (a answer, f *os.File, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return a, nil, err
	}
	n.asking.Lock()
	defer n.asking.Unlock()
	_, err = n.asks.Write(text)
	if err != nil {
		return a, nil, fmt.Errorf("%w: %w", ErrKeeperEnded, err)
	}
	oob := make([]byte, unix.CmsgSpace(4))
	size, oobSize, _, _, err := n.asks.ReadMsgUnix(n.buf, oob)
	if err == nil {
		err = json.Unmarshal(n.buf[:size], &a)
	}
	if err != nil {
		return a, nil, fmt.Errorf("%w: %w", ErrKeeperEnded, err)
	}
	if a.Err != "" {
		return a, nil, a.err()
	}
	f = received(oob[:oobSize])
	if f != nil {
		_, err = n.asks.Read(n.buf)
		if err != nil {
			f.Close()
			return a, nil, fmt.Errorf("%w: %w", ErrKeeperEnded, err)
		}
	}
	return a, f, nil
}

// err is the error of the keeper. errors.Is finds the error of the kernel in it.
func (a answer) err() error {
	if a.Errno == 0 {
		return errors.New(a.Err)
	}
	return &refusal{a.Err, syscall.Errno(a.Errno)}
}

type refusal struct {
	text  string
	errno syscall.Errno
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Unwrap() error { return r.errno }

// maxMessage is more bytes than any message between the two has.
const maxMessage = 1 << 16

// received returns the descriptor that came with a message, nil if there is none.
func received(oob []byte) *os.File {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil || len(messages) == 0 {
		return nil
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return nil
	}
	unix.CloseOnExec(fds[0])
	_ = unix.SetNonblock(fds[0], true)
	return os.NewFile(uintptr(fds[0]), "netns")
}
