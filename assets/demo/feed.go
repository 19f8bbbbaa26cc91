package demo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// maxLine is the maximum length of an answer of the stock feed, in bytes.
const maxLine = 256

// ask opens a TCP connection, writes a line and returns the line that the other end answers.
func ask(ctx context.Context, addr, line string, timeout time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if deadline, is := ctx.Deadline(); is {
		conn.SetDeadline(deadline)
	}
	if _, err := fmt.Fprintf(conn, "%s\n", line); err != nil {
		return "", err
	}
	text, err := bufio.NewReader(io.LimitReader(conn, maxLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimSpace(text), nil
}

// meter sends counters by UDP, in the format of statsd. It ignores errors.
type meter struct {
	addr    string // "" for none
	timeout time.Duration

	mu   sync.Mutex
	conn net.Conn // nil until the first counter is sent
}

// send increments each counter. It sends the increments before it returns, and so before the client
// gets its answer.
func (m *meter) send(names []string) {
	if m.addr == "" || len(names) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conn == nil {
		conn, err := net.DialTimeout("udp", m.addr, m.timeout)
		if err != nil {
			return
		}
		m.conn = conn
	}
	for _, name := range names {
		fmt.Fprintf(m.conn, "%s:1|c\n", name)
	}
}
