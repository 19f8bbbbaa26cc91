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

// Namespace is the network namespace of a service, as the process outside sees it. Its methods
// are safe for concurrent use.
type Namespace struct {
	requesting sync.Mutex    // held from a request to its answer
	requests   *net.UnixConn // requests and answers
	buf        []byte        // buffer for an answer
	events     *net.UnixConn
	keeperEnds []*os.File // the keeper's ends of requests and events, until the keeper has started

	syncing sync.Mutex
	serial  uint64                   // the number of the last Sync
	synced  map[uint64]chan struct{} // for each Sync that waits, a channel that is closed at its end; nil after the keeper has ended
}

// request is a request to the keeper.
type request struct {
	Do      string // "start", "sync", "listen", "dial", "refuse" or "listening"
	Network string `json:",omitempty"`
	Address string `json:",omitempty"`
	Name    string `json:",omitempty"` // for start, the name of the machine
	Serial  uint64 `json:",omitempty"` // for sync
	From    netip.AddrPort
	To      netip.AddrPort
}

// answer is the answer of the keeper to a request. If the keeper hands over a socket, it sends the descriptor of the
// socket with the answer.
type answer struct {
	Err       string
	Errno     int
	Listening []ListeningSocket
}

// New returns a namespace. The kernel creates it when the command of PrepareCommand starts.
func New() (*Namespace, error) {
	requests, requestsEnd, err := pair()
	if err != nil {
		return nil, err
	}
	events, eventsEnd, err := pair()
	if err != nil {
		requests.Close()
		requestsEnd.Close()
		return nil, err
	}
	return &Namespace{
		requests:   requests,
		buf:        make([]byte, maxMessage),
		events:     events,
		keeperEnds: []*os.File{requestsEnd, eventsEnd},
		synced:     map[uint64]chan struct{}{},
	}, nil
}

// pair returns the two ends of a connection: the one for this process, and a file that a child process inherits.
func pair() (parent *net.UnixConn, child *os.File, err error) {
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

// PrepareCommand makes a command start the keeper of the namespace. The keeper runs the original
// command once Start is called. The environment of the command must be set, and its ExtraFiles
// empty. The caller must call entered after it has tried to start the command.
func (n *Namespace) PrepareCommand(c *exec.Cmd) (entered func(), err error) {
	if err := enter(c); err != nil {
		return nil, err
	}
	c.ExtraFiles = n.keeperEnds
	return func() {
		for _, f := range n.keeperEnds {
			f.Close()
		}
	}, nil
}

// enter makes a command start a keeper in new namespaces.
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

// CheckSupport returns nil if users of this system can create namespaces. Otherwise it returns
// an error of one line with the reason.
func CheckSupport() error {
	var stderr bytes.Buffer
	c := &exec.Cmd{Stderr: &stderr}
	err := enter(c)
	if err == nil {
		err = c.Run()
	}
	words := strings.TrimSpace(strings.TrimPrefix(stderr.String(), "sonde: "))
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

// Start starts the command. name is the name of the machine in the namespace; "" keeps the real
// name.
func (n *Namespace) Start(name string) error {
	_, _, err := n.ask(request{Do: "start", Name: name})
	return err
}

// Listen listens on an address in the namespace.
func (n *Namespace) Listen(network, address string) (net.Listener, error) {
	f, err := n.socket(request{Do: "listen", Network: network, Address: address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FileListener(f)
}

// ListenPacket listens for datagrams to an address in the namespace. With the network "udp4",
// each datagram has control data with its destination. An answer that is sent with the same
// control data comes from that destination.
func (n *Namespace) ListenPacket(network, address string) (net.PacketConn, error) {
	f, err := n.socket(request{Do: "listen", Network: network, Address: address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FilePacketConn(f)
}

// Dial connects by TCP to an address in the namespace. If from is valid, it is the IPv4 address
// of the local end.
func (n *Namespace) Dial(from netip.Addr, address string) (net.Conn, error) {
	f, err := n.socket(request{Do: "dial", Network: "tcp", From: netip.AddrPortFrom(from, 0), Address: address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FileConn(f)
}

// RefuseDatagram tells the sender of a datagram that the destination is unreachable. A connected
// socket of the sender gets an error. Both addresses must be IPv4.
func (n *Namespace) RefuseDatagram(sender, destination netip.AddrPort) error {
	_, _, err := n.ask(request{Do: "refuse", From: sender, To: destination})
	return err
}

// ListeningSockets returns the listening sockets of processes in the namespace, and the sockets that the keeper
// handed over.
func (n *Namespace) ListeningSockets() ([]ListeningSocket, error) {
	a, _, err := n.ask(request{Do: "listening"})
	return a.Listening, err
}

// HandleEvents calls the function handle with each event, except a SyncedEvent, until the keeper ends. The last event
// is an EndedEvent. Sync works only while HandleEvents runs.
func (n *Namespace) HandleEvents(handle func(Event)) {
	in := bufio.NewScanner(n.events)
	for in.Scan() {
		var e Event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			continue
		}
		if e.Kind == SyncedEvent {
			n.done(e.Serial)
		} else {
			handle(e)
		}
	}
	handle(Event{Kind: EndedEvent})
	n.syncing.Lock()
	defer n.syncing.Unlock()
	for _, done := range n.synced {
		close(done)
	}
	n.synced = nil
}

// Sync waits until HandleEvents has reported all events that happened before the call. It returns ErrKeeperEnded if
// the keeper has ended before the call.
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

// Close closes the connections with the keeper. Sockets that were handed over stay open.
func (n *Namespace) Close() error { return errors.Join(n.events.Close(), n.requests.Close()) }

// socket sends a request and returns the socket that the keeper hands over.
func (n *Namespace) socket(r request) (*os.File, error) {
	_, f, err := n.ask(r)
	if err == nil && f == nil {
		err = fmt.Errorf("the keeper of the network gave no socket for %s", r.Address)
	}
	return f, err
}

// ask sends a request. It returns the answer, and the socket that comes with the answer, or nil.
func (n *Namespace) ask(r request) (a answer, f *os.File, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return a, nil, err
	}
	n.requesting.Lock()
	defer n.requesting.Unlock()
	_, err = n.requests.Write(text)
	if err != nil {
		return a, nil, fmt.Errorf("%w: %w", ErrKeeperEnded, err)
	}
	oob := make([]byte, unix.CmsgSpace(4))
	size, oobSize, _, _, err := n.requests.ReadMsgUnix(n.buf, oob)
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
		_, err = n.requests.Read(n.buf)
		if err != nil {
			f.Close()
			return a, nil, fmt.Errorf("%w: %w", ErrKeeperEnded, err)
		}
	}
	return a, f, nil
}

// err returns the error in the answer. errors.Is finds the kernel's error in it.
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

// maxMessage is the maximum size of a message between the keeper and the process outside, in
// bytes.
const maxMessage = 1 << 16

// received returns the file whose descriptor is in the control data of a message, nil if there is
// none.
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
