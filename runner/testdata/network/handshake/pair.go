package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"sonde/runner/testdata/services/serve"
)

// handShake is the first word of a message.
const handShake = "HAND_SHAKE"

// patience limits the time of a device, mostBytes the length of what it sends.
const (
	patience  = 250 * time.Millisecond
	mostBytes = 4 << 10
)

// pair is figure 1 of the paper, with the same fault: it does not check that there is a line to read.
func (h *hub) pair(c *serve.Call) (serve.Answer, error) {
	var in struct {
		Port *int `json:"port"`
	}
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := serve.Check(serve.Rule{Holds: serve.Within(in.Port, 1, 65535), Text: "port: must be from 1 to 65535"}); err != nil {
		return serve.Answer{}, err
	}
	told, err := h.shout(fmt.Sprintf("%s:%d:%s", ownAddress(), *in.Port, handShake))
	if err != nil {
		return serve.Answer{}, err
	}
	told.Close()
	conn, err := await(*in.Port)
	if err != nil {
		return serve.Answer{}, err
	}
	defer conn.Close()
	d, err := read(c, &talk{conn, bufio.NewScanner(io.LimitReader(conn, mostBytes))})
	if err != nil {
		return serve.Answer{}, err
	}
	return h.add(d)
}

// voice is a socket for broadcasts.
type voice struct {
	*net.UDPConn
	to *net.UDPAddr
}

// shout broadcasts a datagram, and returns the socket on which answers arrive.
func (h *hub) shout(text string) (*voice, error) {
	everybody, err := net.ResolveUDPAddr("udp4", h.broadcast)
	if err != nil {
		return nil, unreachable("nobody can be told: there is no %s", h.broadcast)
	}
	conn, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return nil, unreachable("nobody can be told: there is no port left")
	}
	v := &voice{conn, everybody}
	if err := v.say(text); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

func (v *voice) say(text string) error {
	if _, err := v.WriteTo([]byte(text), v.to); err != nil {
		return unreachable("nobody can be told: the network is away")
	}
	return nil
}

// ownAddress returns the address at which devices call back.
func ownAddress() string {
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	return "127.0.0.1"
}

// await waits for the first connection on a port.
func await(port int) (net.Conn, error) {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{Port: port})
	if err != nil {
		return nil, serve.Refuse(http.StatusConflict, "port %d is taken", port)
	}
	defer l.Close()
	l.SetDeadline(time.Now().Add(patience))
	conn, err := l.Accept()
	if err != nil {
		return nil, unreachable("nobody called back on port %d", port)
	}
	conn.SetDeadline(time.Now().Add(patience))
	return conn, nil
}

// unreachable returns the error for a device that cannot be reached.
func unreachable(format string, args ...any) error {
	return serve.Refuse(http.StatusServiceUnavailable, format, args...)
}

// strange returns the error for a device whose answer is not understood.
func strange(format string, args ...any) error {
	return serve.Refuse(http.StatusFailedDependency, format, args...)
}

// talk is a connection with a device.
type talk struct {
	net.Conn
	lines *bufio.Scanner
}

// words returns the words of the next line, none if no line comes.
func (t *talk) words() []string {
	t.lines.Scan()
	return strings.Fields(t.lines.Text())
}
