//go:build unix

package netsim

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	maxEventLine = 256 << 10       // bytes; enough for a datagram in hexadecimal digits
	maxReply     = 2 * time.Second // for writing a command, and for its acknowledgement
)

// errNoReply is the error of a command that cannot be sent, or that the service does not acknowledge.
var errNoReply = errors.New("the service does not connect to its virtual network: build it with sonde build --net")

// channel is Sonde's end of the connection to one process of the service. It sends commands
// and receives events.
type channel struct {
	file *os.File
	take func(event) // called with one event at a time

	reading sync.Mutex
	rest    []byte // the beginning of a line whose end is not read yet
	buf     []byte

	writing     sync.Mutex
	lastCommand uint64 // number of the last command

	waiting sync.Mutex
	replies map[replyEvent]chan struct{} // for each expected reply, a channel that is closed when the reply comes
	ended   chan struct{}                // closed when the service has ended
}

// newChannel returns a channel and the file that the service inherits.
func newChannel(take func(event)) (*channel, *os.File, error) {
	fds, err := socketPair()
	if err != nil {
		return nil, nil, fmt.Errorf("no channel to the service: %w", err)
	}
	c := &channel{
		file:    os.NewFile(uintptr(fds[0]), "network"),
		take:    take,
		buf:     make([]byte, 32<<10),
		replies: map[replyEvent]chan struct{}{},
		ended:   make(chan struct{}),
	}
	go c.follow()
	return c, os.NewFile(uintptr(fds[1]), "network of the service"), nil
}

// socketPair returns two connected sockets. It holds the fork lock, so that no process which
// starts at the same time inherits them.
func socketPair() ([2]int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return fds, err
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	return fds, syscall.SetNonblock(fds[0], true)
}

// follow handles events until the service ends.
func (c *channel) follow() {
	defer close(c.ended)
	raw, err := c.file.SyscallConn()
	if err == nil {
		_ = raw.Read(c.drain)
	}
}

// pump handles the events that the service has written so far.
func (c *channel) pump() {
	if raw, err := c.file.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { c.drain(fd) })
	}
}

// drain handles the events that can be read without waiting. It reports whether the service
// has ended.
func (c *channel) drain(fd uintptr) (ended bool) {
	c.reading.Lock()
	defer c.reading.Unlock()
	for {
		n, err := syscall.Read(int(fd), c.buf)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return false
		case err != nil || n == 0:
			return true
		default:
			c.feed(c.buf[:n])
		}
	}
}

// feed adds data that was read, and handles each complete line. If the incomplete last line
// gets longer than maxEventLine, feed drops what was read of it.
func (c *channel) feed(data []byte) {
	c.rest = append(c.rest, data...)
	for {
		line, rest, complete := bytes.Cut(c.rest, []byte("\n"))
		if !complete {
			break
		}
		c.handle(parseEvent(string(line)))
		c.rest = rest
	}
	if len(c.rest) > maxEventLine {
		c.rest = nil
	}
	c.rest = append([]byte(nil), c.rest...)
}

// handle passes an event to take. For a replyEvent it wakes the caller of ask instead.
func (c *channel) handle(e event) {
	reply, isReply := e.(replyEvent)
	if !isReply {
		c.take(e)
		return
	}
	c.waiting.Lock()
	defer c.waiting.Unlock()
	if done := c.replies[reply]; done != nil {
		close(done)
		delete(c.replies, reply)
	}
}

// sync waits until all events that the service has caused so far are handled.
func (c *channel) sync() error {
	return c.ask("synced", func(n uint64) string { return fmt.Sprintf("sync %d\n", n) })
}

// setTable gives the service a table, and waits until the service follows it.
func (c *channel) setTable(table string) error {
	return c.ask("set", func(n uint64) string {
		return fmt.Sprintf("table %d %d\n%s", n, len(table), table)
	})
}

// endWait ends a wait of the service with an error.
func (c *channel) endWait(id, errno string) {
	_ = c.write(fmt.Sprintf("starve %s %s\n", id, errno))
}

// ask sends a numbered command. It waits for the replyEvent with this number whose command is reply. It returns
// errNoReply if it cannot send the command, if no replyEvent comes within maxReply, or if the service ends.
func (c *channel) ask(reply string, command func(n uint64) string) error {
	done := make(chan struct{})
	c.waiting.Lock()
	c.lastCommand++
	n := c.lastCommand
	c.replies[replyEvent{command: reply, number: strconv.FormatUint(n, 10)}] = done
	c.waiting.Unlock()
	if err := c.write(command(n)); err != nil {
		return err
	}
	late := time.NewTimer(maxReply)
	defer late.Stop()
	select {
	case <-done:
		return nil
	case <-c.ended:
		return errNoReply
	case <-late.C:
		return errNoReply
	}
}

func (c *channel) write(text string) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.file.SetWriteDeadline(time.Now().Add(maxReply))
	if _, err := c.file.WriteString(text); err != nil {
		return errNoReply
	}
	return nil
}

func (c *channel) close() { _ = c.file.Close() }
