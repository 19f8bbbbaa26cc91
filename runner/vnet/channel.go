//go:build unix

package vnet

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	mostLine = 256 << 10       // a datagram in hexadecimal digits
	mostWait = 2 * time.Second // for a service to answer what it is told
)

// errDeaf is the error of a channel at whose end nobody answers.
var errDeaf = errors.New("the service does not speak with its network: was it built with sonde build --net?")

// channel is the tool's end of the line to one process of the service.
type channel struct {
	file *os.File
	take func(event) // is called with one event after the other

	mu   sync.Mutex // of reading
	rest []byte
	buf  []byte

	writing sync.Mutex
	asked   uint64

	waiting sync.Mutex
	answers map[string]chan struct{} // what is waited for, such as "synced 7"
	gone    chan struct{}
}

// newChannel returns a channel and the file that the service inherits.
func newChannel(take func(event)) (*channel, *os.File, error) {
	fds, err := pair()
	if err != nil {
		return nil, nil, fmt.Errorf("no channel to the service: %w", err)
	}
	c := &channel{
		file: os.NewFile(uintptr(fds[0]), "network"), take: take, buf: make([]byte, 32<<10),
		answers: map[string]chan struct{}{}, gone: make(chan struct{}),
	}
	go c.follow()
	return c, os.NewFile(uintptr(fds[1]), "network of the service"), nil
}

// pair returns two sockets that are each other's end, which no other process that is
// started meanwhile inherits.
func pair() ([2]int, error) {
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

// follow takes what the service writes as long as it lives.
func (c *channel) follow() {
	defer close(c.gone)
	raw, err := c.file.SyscallConn()
	if err == nil {
		_ = raw.Read(c.drain)
	}
}

// pump takes what the service has written so far. Whoever saw something of the
// service by another way calls it first, so that all stays in order.
func (c *channel) pump() {
	if raw, err := c.file.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { c.drain(fd) })
	}
}

// drain takes what there is, and reports whether it was the last.
func (c *channel) drain(fd uintptr) (ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
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

// feed takes the lines that are whole. One that never ends is let go.
func (c *channel) feed(data []byte) {
	c.rest = append(c.rest, data...)
	for {
		line, rest, whole := bytes.Cut(c.rest, []byte("\n"))
		if !whole {
			break
		}
		c.event(parseEvent(string(line)))
		c.rest = rest
	}
	if len(c.rest) > mostLine {
		c.rest = nil
	}
	c.rest = append([]byte(nil), c.rest...)
}

func (c *channel) event(e event) {
	if e.kind == "set" || e.kind == "synced" {
		c.waiting.Lock()
		defer c.waiting.Unlock()
		key := e.kind + " " + e.field(0)
		if done := c.answers[key]; done != nil {
			close(done)
			delete(c.answers, key)
		}
		return
	}
	c.take(e)
}

// sync waits until all that the service did so far has been taken.
func (c *channel) sync() error {
	return c.ask("synced", func(n uint64) string { return fmt.Sprintf("sync %d\n", n) })
}

// set gives the service a table, and waits until it holds.
func (c *channel) set(table string) error {
	return c.ask("set", func(n uint64) string { return fmt.Sprintf("table %d %d\n%s", n, len(table), table) })
}

// starve ends a wait of the service with an error.
func (c *channel) starve(id, errno string) { _ = c.write(fmt.Sprintf("starve %s %s\n", id, errno)) }

func (c *channel) ask(answer string, command func(n uint64) string) error {
	done := make(chan struct{})
	c.waiting.Lock()
	c.asked++
	n := c.asked
	c.answers[fmt.Sprintf("%s %d", answer, n)] = done
	c.waiting.Unlock()
	if err := c.write(command(n)); err != nil {
		return err
	}
	late := time.NewTimer(mostWait)
	defer late.Stop()
	select {
	case <-done:
		return nil
	case <-c.gone:
		return errDeaf
	case <-late.C:
		return errDeaf
	}
}

func (c *channel) write(text string) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.file.SetWriteDeadline(time.Now().Add(mostWait))
	if _, err := c.file.WriteString(text); err != nil {
		return errDeaf
	}
	return nil
}

func (c *channel) close() { _ = c.file.Close() }
