package netns

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Namespace is one around a service, seen from outside. Its methods may be called
// from any goroutine.
type Namespace struct {
	asking sync.Mutex
	asks   *net.UnixConn // a request and its answer, one after the other
	events *net.UnixConn
}

// request is what the keeper is asked for.
type request struct {
	Do      string // "listen", "dial" or "listening"
	Network string
	Address string
}

// answer comes with a descriptor, if the keeper has one to hand over.
type answer struct {
	Err       string
	Addresses []string // of listening: "tcp 127.0.0.1:80"
}

// New makes a namespace that is not there yet. The files are for the keeper's process,
// as its descriptors from 3 on; they are to be closed here when it has started.
func New() (n *Namespace, inherited []*os.File, err error) {
	asks, theirs, err := pair()
	if err != nil {
		return nil, nil, err
	}
	events, tells, err := pair()
	if err != nil {
		asks.Close()
		theirs.Close()
		return nil, nil, err
	}
	return &Namespace{asks: asks, events: events}, []*os.File{theirs, tells}, nil
}

// pair makes two ends of a connection, one of them for another process.
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

// Enter lets a command start in the namespace: it then is that of its keeper.
func Enter(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	a := c.SysProcAttr
	a.Cloneflags |= unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWNS
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	a.AmbientCaps = append(a.AmbientCaps, unix.CAP_NET_ADMIN, unix.CAP_NET_RAW, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_ADMIN)
}

// Listen listens on an address inside.
func (n *Namespace) Listen(address string) (net.Listener, error) {
	f, err := n.socket(request{"listen", "tcp", address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FileListener(f)
}

// ListenPacket takes the datagrams for an address inside.
func (n *Namespace) ListenPacket(address string) (net.PacketConn, error) {
	f, err := n.socket(request{"listen", "udp", address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FilePacketConn(f)
}

// Dial connects to an address inside. The network is "tcp" or "udp".
func (n *Namespace) Dial(network, address string) (net.Conn, error) {
	f, err := n.socket(request{"dial", network, address})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FileConn(f)
}

// Listening are the addresses on which processes inside listen, as "tcp 127.0.0.1:80".
func (n *Namespace) Listening() ([]string, error) {
	a, _, err := n.ask(request{Do: "listening"})
	return a.Addresses, err
}

// Events calls a function with each event, until the keeper is gone.
func (n *Namespace) Events(tell func(Event)) {
	in := bufio.NewScanner(n.events)
	for in.Scan() {
		var e Event
		if json.Unmarshal(in.Bytes(), &e) == nil {
			tell(e)
		}
	}
	tell(Event{Kind: Ended})
}

// Close lets go of the keeper. What it handed over stays open.
func (n *Namespace) Close() error {
	n.events.Close()
	return n.asks.Close()
}

// socket asks for a descriptor.
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
	if _, err = n.asks.Write(text); err != nil {
		return a, nil, fmt.Errorf("the keeper of the network is gone: %w", err)
	}
	data, oob := make([]byte, maxMessage), make([]byte, unix.CmsgSpace(4))
	size, oobSize, _, _, err := n.asks.ReadMsgUnix(data, oob)
	if err == nil {
		err = json.Unmarshal(data[:size], &a)
	}
	if err != nil {
		return a, nil, fmt.Errorf("the keeper of the network is gone: %w", err)
	}
	if a.Err != "" {
		return a, nil, fmt.Errorf("%s %s %s: %s", r.Do, r.Network, r.Address, a.Err)
	}
	return a, received(oob[:oobSize]), nil
}

// maxMessage is more bytes than any message between the two has.
const maxMessage = 1 << 16

// received is the descriptor that came with a message, nil for none.
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
