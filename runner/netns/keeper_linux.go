package netns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Keep is the keeper: it makes the network ready, starts a command and returns its
// exit code when it has ended.
func Keep(args []string) int {
	code, err := keep(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "sonde: the network around the service cannot be made: %v\n", err)
		return 125
	}
	return code
}

func keep(args []string) (int, error) {
	if len(args) == 0 {
		return 0, errors.New("there is no command to start in it")
	}
	asks, err := inherited(3)
	if err != nil {
		return 0, err
	}
	events, err := inherited(4)
	if err != nil {
		return 0, err
	}
	if err := prepare(); err != nil {
		return 0, err
	}
	sniff, err := newSniffer()
	if err != nil {
		return 0, err
	}
	go sniff.run(func(e Event) {
		if text, err := json.Marshal(e); err == nil {
			_, _ = events.Write(append(text, '\n')) // nobody is left to tell
		}
	})
	go serve(asks)
	return run(args)
}

// inherited is a connection that the process was started with.
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

// run starts the command without what the keeper may do, and passes signals on.
func run(args []string) (int, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := start(c); err != nil {
		return 0, err
	}
	asked := make(chan os.Signal, 8)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		for s := range asked {
			_ = c.Process.Signal(s) // it may have ended
		}
	}()
	err := c.Wait()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
			die(s.Signal())
		}
		return c.ProcessState.ExitCode(), nil
	}
	return 0, err
}

// die ends the keeper as the command ended, so that whoever waits sees the same.
func die(s syscall.Signal) {
	signal.Reset(s)
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Kill(os.Getpid(), s)
	<-context.Background().Done()
}

// serve opens sockets for those outside.
func serve(asks *net.UnixConn) {
	buf := make([]byte, maxMessage)
	for {
		n, err := asks.Read(buf)
		if err != nil || n == 0 {
			return
		}
		a, socket := did(buf[:n])
		var rights []byte
		if socket != nil {
			rights = unix.UnixRights(int(socket.Fd()))
		}
		text, err := json.Marshal(a)
		if err == nil {
			_, _, err = asks.WriteMsgUnix(text, rights, nil)
		}
		socket.Close() // its like is on the way
		if err != nil {
			return
		}
	}
}

// did does what is asked for.
func did(text []byte) (a answer, socket *os.File) {
	var r request
	err := json.Unmarshal(text, &r)
	if err == nil {
		switch r.Do {
		case "listening":
			a.Addresses, err = listening()
		case "listen":
			socket, err = listen(r.Network, r.Address)
		case "dial":
			socket, err = dial(r.Network, r.Address)
		default:
			err = fmt.Errorf("%q is nothing that a keeper does", r.Do)
		}
	}
	if err != nil {
		a.Err = err.Error()
	}
	return a, socket
}

// filed is a socket that can be handed over.
type filed interface {
	File() (*os.File, error)
	Close() error
}

func listen(network, address string) (*os.File, error) {
	free := net.ListenConfig{Control: anyAddress}
	free.SetMultipathTCP(false) // whose sockets no other process can take over as TCP
	if network == "udp" {
		c, err := free.ListenPacket(context.Background(), network, address)
		return file(c, err)
	}
	l, err := free.Listen(context.Background(), network, address)
	return file(l, err)
}

// anyAddress lets a socket of IPv6 have an address that no interface has.
func anyAddress(network, _ string, c syscall.RawConn) error {
	if !strings.HasSuffix(network, "6") {
		return nil
	}
	var refused error
	err := c.Control(func(fd uintptr) {
		refused = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_FREEBIND, 1)
	})
	return errors.Join(err, refused)
}

func dial(network, address string) (*os.File, error) {
	c, err := net.Dial(network, address)
	return file(c, err)
}

// file is a descriptor of what was opened, which itself is closed.
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
