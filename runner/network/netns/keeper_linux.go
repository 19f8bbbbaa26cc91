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

// RunKeeper is the main function of the keeper. It prepares the namespace, waits for
// Namespace.Start, runs the command, and returns the exit code of the command. Without a command it
// only prepares the namespace, and returns 0. If it fails, it prints the error and returns 125.
func RunKeeper(args []string) int {
	code, err := keep(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "sonde: %v\n", err)
		return notStarted
	}
	return code
}

// notStarted is the exit code of a keeper that failed. In most cases its command never ran.
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
	k := &keeper{
		requests: asks, events: events, sniff: sniff, starts: make(chan string), started: make(chan error), parent: os.Getppid(),
	}
	go sniff.run(k.report)
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

// keeper serves the Sonde process outside of the namespace.
type keeper struct {
	requests, events *net.UnixConn
	sniff            *sniffer
	starts           chan string // receives the name of the machine when the command is to start
	started          chan error  // the result of the start
	once             sync.Once   // ensures that starts is sent to, or closed, only once
	answering        sync.Mutex  // held while a request is answered
	parent           int         // ID of the process outside
}

// eventTimeout is how long report waits for the process outside to read an event.
const eventTimeout = time.Second

func (k *keeper) report(e Event) {
	if text, err := json.Marshal(e); err == nil {
		_ = k.events.SetWriteDeadline(time.Now().Add(eventTimeout))
		_, _ = k.events.Write(append(text, '\n')) // the event is dropped if the process outside does not read
	}
}

// run waits for Namespace.Start, runs the command, and returns the exit code of the command. The
// command does not have the capabilities of the keeper. run returns ErrKeeperEnded if the process
// outside ends before it calls Namespace.Start.
func (k *keeper) run(args []string) (int, error) {
	name, ok := <-k.starts
	if !ok {
		return 0, ErrKeeperEnded
	}
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := setHostname(name)
	if err == nil {
		err = start(c)
	}
	k.started <- err
	if err != nil {
		return 0, err
	}
	// The command is in the process group of the keeper, so that both get the same signals. The keeper ignores the
	// signals and waits until the command ends.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	err = c.Wait()
	k.killOrphans()
	k.sniff.settle(k.report)
	k.answering.Lock() // so that the answer to the start request is sent before the keeper ends
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
			die(s.Signal())
		}
		return c.ProcessState.ExitCode(), nil
	}
	return 0, err
}

// killOrphans kills the process group of the keeper, including the keeper itself, if the process outside has died. In
// that case the command often dies, too, because no process reads its output any more. But processes that the command
// started may still run.
func (k *keeper) killOrphans() {
	if os.Getppid() != k.parent && unix.Getpgrp() == os.Getpid() {
		_ = unix.Kill(0, unix.SIGKILL)
	}
}

// setHostname sets the name of the machine. With "" it does nothing.
func setHostname(name string) error {
	if name == "" {
		return nil
	}
	return unix.Sethostname([]byte(name))
}

// die kills the keeper with the signal that ended the command, so that the parent process sees
// the same end.
func die(s syscall.Signal) {
	signal.Reset(s)
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Kill(os.Getpid(), s)
	time.Sleep(time.Second)
	os.Exit(128 + int(s)) // the exit code of a shell; reached for signals that the runtime of Go ignores, such as SIGPIPE
}

// serve answers requests from outside. If the process outside ends before it requests the start,
// serve makes run return without a start.
func (k *keeper) serve() {
	defer k.once.Do(func() { close(k.starts) })
	buf := make([]byte, maxMessage)
	for {
		n, err := k.requests.Read(buf)
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

// answer answers one request. After answer has handed over a socket, it closes the keeper's copy of the socket and
// sends the message handedOver. The process outside waits for that message: while the keeper has a copy, the process
// outside cannot close the socket.
func (k *keeper) answer(text []byte) error {
	a, socket := k.perform(text)
	reply, err := json.Marshal(a)
	if err != nil || socket == nil {
		_, err = k.requests.Write(reply)
		return err
	}
	_, _, err = k.requests.WriteMsgUnix(reply, unix.UnixRights(int(socket.Fd())), nil)
	err = errors.Join(err, socket.Close())
	if err == nil {
		_, err = k.requests.Write([]byte(handedOver))
	}
	return err
}

// handedOver is the message that follows an answer with a socket. Only its arrival matters, not its
// content.
const handedOver = "yours"

// perform performs a request. It returns the answer, and the socket to hand over, if any.
func (k *keeper) perform(text []byte) (a answer, socket *os.File) {
	var r request
	err := json.Unmarshal(text, &r)
	if err == nil {
		switch r.Do {
		case "start":
			err = k.start(r.Name)
		case "sync":
			k.sniff.drain(k.report)
			k.report(Event{Kind: SyncedEvent, Serial: r.Serial})
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

// start passes the name of the machine to the method run, which then starts the command. It returns the error of the
// start. A second call fails.
func (k *keeper) start(name string) (err error) {
	err = errors.New("the command was started before")
	k.once.Do(func() {
		k.starts <- name
		err = <-k.started
	})
	return err
}

// filed is implemented by sockets of package net that can be handed over.
type filed interface {
	File() (*os.File, error)
	Close() error
}

func listen(network, address string) (*os.File, error) {
	free := net.ListenConfig{Control: control}
	free.SetMultipathTCP(false) // a multipath socket cannot be used as a TCP socket by the other process
	if strings.HasPrefix(network, "udp") {
		c, err := free.ListenPacket(context.Background(), network, address)
		return file(c, err)
	}
	l, err := free.Listen(context.Background(), network, address)
	return file(l, err)
}

// control sets options of a socket. An IPv6 socket may use an address that no interface has. A
// udp4 socket reports the destination of each datagram.
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

// file returns a new descriptor for a socket of package net, and closes the socket.
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
