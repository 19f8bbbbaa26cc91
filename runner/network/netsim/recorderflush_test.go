//go:build unix

package netsim_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/runner/network/netsim"
	"sonde/runner/testdata/port"
)

// recordedClient behaves on the channel to a Recorder like the code built into a service.
type recordedClient struct {
	t       *testing.T
	channel *os.File
	in      *bufio.Reader
	dials   int
}

// newRecordedClient returns a recorder with an attached client, and a function that returns the
// delivered calls.
func newRecordedClient(t *testing.T) (*netsim.Recorder, *recordedClient, func() []model.OutwardCall) {
	t.Helper()
	var mu sync.Mutex
	var delivered []model.OutwardCall
	r, err := netsim.NewRecorder(netsim.RelayOptions{Deliver: func(c model.OutwardCall) {
		mu.Lock()
		defer mu.Unlock()
		delivered = append(delivered, c)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	command := exec.Command("unstarted")
	if _, err := r.PrepareCommand(command); err != nil {
		t.Fatal(err)
	}
	channel := command.ExtraFiles[0]
	t.Cleanup(func() { channel.Close() })
	c := &recordedClient{t: t, channel: channel, in: bufio.NewReader(channel)}
	return r, c, func() []model.OutwardCall {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(delivered)
	}
}

func (c *recordedClient) report(format string, a ...any) { fmt.Fprintf(c.channel, format+"\n", a...) }

// ask asks the recorder for a connection to a host, for the request "r1". It returns an address, or
// an error that begins with "!".
func (c *recordedClient) ask(host string) string {
	c.t.Helper()
	c.dials++
	c.report("ask %d %s r1", c.dials, host)
	line, err := c.in.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.Fields(line)[2]
}

// dial opens a connection to a host.
func (c *recordedClient) dial(host string) net.Conn {
	c.t.Helper()
	conn, err := net.Dial("tcp", c.ask(host))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { conn.Close() })
	c.report("opened %d %s", c.dials, conn.LocalAddr())
	c.report("wrote %d 0 r1", c.dials)
	return conn
}

// muteHost is a host that never answers a request.
func muteHost(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func TestFlushDeliversWhatWasSentBefore(t *testing.T) {
	const request = "POST /charge HTTP/1.1\r\nHost: pay.example\r\nContent-Length: 2\r\n\r\n{}"
	for name, tt := range map[string]struct {
		text    string
		keeps   bool // the connection is open when the recording ends
		deliver model.Protocol
	}{
		"request that the service abandoned": {text: request, deliver: model.HTTP},
		"request that waits for its answer":  {text: request, keeps: true, deliver: model.HTTP},
		"lines that the service left":        {text: "EHLO x\r\n", deliver: model.TCP},
		"lines on an open connection":        {text: "EHLO x\r\n", keeps: true, deliver: model.TCP},
	} {
		t.Run(name, func(t *testing.T) {
			r, c, delivered := newRecordedClient(t)
			host := muteHost(t)
			if tt.deliver == model.TCP {
				host = listen(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
			}
			conn := c.dial(host)
			_, _ = io.WriteString(conn, tt.text)
			if !tt.keeps {
				conn.Close()
			}
			r.Flush()
			all := delivered()
			if len(all) != 1 || all[0].Protocol != tt.deliver || all[0].CauseID != "r1" {
				t.Fatalf("delivered %+v", all)
			}
			if tt.deliver == model.HTTP && (string(all[0].Request.Body) != "{}" || all[0].Err == nil) {
				t.Errorf("the request is %+v", all[0])
			}
			if tt.deliver == model.TCP && string(all[0].Messages[0].Request) != tt.text {
				t.Errorf("the messages are %q", all[0].Messages)
			}
		})
	}
}

func TestFlushDeliversAFailedDialOfOneAddress(t *testing.T) {
	r, c, delivered := newRecordedClient(t)
	down := port.Addr()
	_, number, _ := net.SplitHostPort(down)
	c.report("lookup host down.example 127.0.0.1,127.0.0.2")
	if got := c.ask("127.0.0.1:" + number); got != "!ECONNREFUSED" {
		t.Fatalf("the dial ended with %q", got)
	}
	r.Flush()
	all := delivered()
	if len(all) != 1 || all[0].Host != "down.example:"+number || all[0].Err == nil {
		t.Fatalf("delivered %+v", all)
	}
	r.Flush()
	if got := len(delivered()); got != 1 {
		t.Errorf("it is delivered %d times", got)
	}
}
