// Command caller is a service that contacts other hosts on request: the body of POST / has a step in each line. The
// answer has the result of each step. A step after "briefly" has a short time limit, because no data is expected.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// patience is the time limit of each step.
	patience = 2 * time.Second
	// brevity is the time limit of a step after "briefly".
	brevity = 200 * time.Millisecond
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "")
	flag.Parse()
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := &caller{web: &http.Client{CheckRedirect: stay}}
	c.clear = &http.Client{Timeout: patience, Transport: &http.Transport{Protocols: new(http.Protocols)}}
	c.clear.Transport.(*http.Transport).Protocols.SetUnencryptedHTTP2(true)
	go c.hearLines()
	go c.hearDatagrams()
	panic(http.ListenAndServe(*addr, http.HandlerFunc(c.serve)))
}

// caller is the service.
type caller struct {
	web, clear *http.Client

	mu   sync.Mutex
	said []string // data from hosts that sent first, since the last request for it
}

// line is a connection or listener that one request to the service opened.
type line struct {
	net.Conn
	net.Listener
	lines *bufio.Reader
}

// hearLines receives data from hosts that send first by TCP.
func (c *caller) hearLines() {
	l, err := net.Listen("tcp", ":7002")
	for err == nil {
		var conn net.Conn
		if conn, err = l.Accept(); err == nil {
			go func() {
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					c.hear(lines.Text())
				}
				conn.Close()
			}()
		}
	}
}

// hearDatagrams receives data from hosts that send first by UDP.
func (c *caller) hearDatagrams() {
	u, err := net.ListenPacket("udp", ":7002")
	for b := make([]byte, 1000); err == nil; {
		var n int
		n, _, err = u.ReadFrom(b)
		c.hear(string(b[:n]))
	}
}

func (c *caller) hear(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.said = append(c.said, text); text == "" {
		c.said = c.said[:len(c.said)-1]
	}
}

// takeSaid returns the data since the last call, as soon as there are n texts or patience is over. A text that has left the
// network may not have been received yet.
func (c *caller) takeSaid(n int) []string {
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		said := c.said
		if len(said) >= n || time.Now().After(end) {
			c.said = nil
			c.mu.Unlock()
			return said
		}
		c.mu.Unlock()
	}
}

func (c *caller) serve(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	all, conns := []string{}, map[string]*line{}
	for _, step := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		limit := patience
		step, brief := strings.CutPrefix(strings.TrimSpace(step), "briefly ")
		if brief {
			limit = brevity
		}
		words := strings.SplitN(step, " ", 3)
		said, err := c.do(words[0], append(words, "", "")[1], strings.Join(words[min(2, len(words)):], " "), limit, conns)
		if err != nil {
			said = strings.TrimSpace(said + " " + plainly(err))
		}
		all = append(all, said)
	}
	for _, l := range conns {
		l.close()
	}
	json.NewEncoder(w).Encode(map[string][]string{"came": all})
}

// do does one step, such as "get http://a.example/", "dial a a.example:25", "say a text" or "said 2", which waits for two texts
// of hosts that send first.
func (c *caller) do(verb, at, rest string, limit time.Duration, conns map[string]*line) (string, error) {
	switch verb {
	case "get", "post":
		web := *c.web
		web.Timeout = limit
		return ask(&web, strings.ToUpper(verb), at, rest)
	case "clear":
		return ask(c.clear, "GET", at, rest)
	case "dial", "udp", "tls", "hears", "accept":
		conn, err := open(verb, rest, conns)
		if err == nil {
			conns[at] = &line{Conn: conn, lines: bufio.NewReader(conn)}
			conn.SetDeadline(time.Now().Add(patience))
		}
		return verb, err
	case "listen":
		l, err := net.Listen("tcp", rest)
		conns[at] = &line{Listener: l}
		return verb, err
	case "said":
		n, err := strconv.Atoi(at)
		return strings.Join(c.takeSaid(n), " "), err
	case "lookup":
		all, err := net.LookupHost(at)
		return strings.Join(all, " "), err
	case "sleep":
		d, err := time.ParseDuration(at)
		time.Sleep(d)
		return "", err
	}
	return conns[at].do(verb, rest, limit)
}

func open(verb, host string, conns map[string]*line) (net.Conn, error) {
	d := &net.Dialer{Timeout: patience}
	switch verb {
	case "accept":
		return conns[host].Accept()
	case "hears":
		u, err := net.ListenPacket("udp", host)
		if err != nil {
			return nil, err
		}
		return u.(*net.UDPConn), nil
	case "udp":
		return d.Dial("udp", host)
	case "tls":
		return tls.DialWithDialer(d, "tcp", host, nil)
	}
	return d.Dial("tcp", host)
}

// do does a step on a connection.
func (l *line) do(verb, text string, limit time.Duration) (string, error) {
	if l == nil {
		return "", errors.New("not there")
	}
	if limit < patience {
		l.SetDeadline(time.Now().Add(limit))
	}
	switch verb {
	case "say":
		_, err := io.WriteString(l, strings.ReplaceAll(text, `\n`, "\n"))
		return "", err
	case "hear":
		said, err := l.lines.ReadString('\n')
		return strings.TrimSpace(said), err
	case "take":
		b := make([]byte, 1000)
		n, err := l.Read(b)
		return string(b[:n]), err
	case "half":
		return "", l.Conn.(*net.TCPConn).CloseWrite()
	case "close":
		return "", l.close()
	}
	return "", fmt.Errorf("no such step: %s", verb)
}

func (l *line) close() error {
	if l.Listener != nil {
		return l.Listener.Close()
	}
	return l.Conn.Close()
}

// ask sends a request, and returns the status and the body.
func ask(by *http.Client, method, at, body string) (string, error) {
	r, err := http.NewRequest(method, at, bytes.NewReader([]byte(body)))
	if err != nil {
		return "", err
	}
	r.Header.Set("X-Key", "k")
	res, err := by.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return strings.TrimSpace(fmt.Sprintf("%d %s %s", res.StatusCode, text, res.Header.Get("Location"))), err
}

// plainly returns a common error in a word. It returns other errors without the ports that the system chose.
func plainly(err error) string {
	var name *net.DNSError
	var late net.Error
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "expired" // the text has the time
	case errors.As(err, &name) && name.IsNotFound:
		return "unknown"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ENETUNREACH):
		return "unreachable"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, syscall.ECONNABORTED):
		return "aborted"
	case errors.Is(err, syscall.ETIMEDOUT):
		return "timed out"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "broken off"
	case errors.As(err, &late) && late.Timeout(), errors.Is(err, os.ErrDeadlineExceeded):
		return "late"
	case errors.Is(err, io.EOF):
		return "end"
	}
	return regexp.MustCompile(`:\d{4,5}->`).ReplaceAllString(err.Error(), "->")
}
