package vnet

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"strings"
	"time"
)

// A proxy stands for all hosts where nothing better can be had: for those of HTTP, with
// and without TLS, as far as a service asks the proxy that stands in its environment.

// listenAsProxy opens the proxy.
func (n *Network) listenAsProxy() (err error) {
	n.proxy, err = net.Listen("tcp4", "127.0.0.1:0")
	if err == nil {
		go n.proxied(n.proxy)
	}
	return err
}

// enterProxied is Enter for a service that asks a proxy.
func (n *Network) enterProxied(c *exec.Cmd) {
	at := "http://" + n.proxy.Addr().String()
	direct := strings.Join(n.options.Allow, ",")
	c.Env = c.Environ()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		c.Env = append(c.Env, name+"="+at, strings.ToLower(name)+"="+at)
	}
	c.Env = append(c.Env, "NO_PROXY="+direct, "no_proxy="+direct)
	n.trusted(c)
}

// proxied takes connections to the proxy, until that is closed.
func (n *Network) proxied(l net.Listener) {
	for {
		c, err := l.Accept()
		switch {
		case err == nil:
			go n.takeProxied(c.(*net.TCPConn))
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(knock) // no descriptor is free
		}
	}
}

func (n *Network) takeProxied(socket *net.TCPConn) {
	c := newConn(n, socket, way{})
	c.proxied = map[way]*test{}
	if !n.admitted(c, func() { c.test, c.stub, c.hosts = n.test, -1, []string{"the proxy"} }) {
		c.kill()
		return
	}
	n.web.take(&stream{Conn: c, c: c})
}

// leads finds the host for which a request comes to the proxy. The first request to it
// in a test is what else a dial would be; false is a host that cannot be reached. The
// mutex is held.
func (c *conn) leads(host string) bool {
	n, t := c.n, c.n.test
	to, ok := n.placeOf(host)
	if !ok {
		return false
	}
	if c.proxied[to] == t {
		c.way, c.hosts = to, n.book.hosts(to.to)
		return true
	}
	if d := t.dials[to]; d == nil || d.steps[d.at].fault != "" {
		n.refusedAt("tcp", to.to)
		return false
	}
	c.way, c.proxied[to] = to, t
	n.connects(c)
	return true
}

// placeOf is the address of a host as the test has it.
func (n *Network) placeOf(host string) (way, bool) {
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = net.JoinHostPort(strings.Trim(host, "[]"), "80")
	}
	name, port := split(host)
	all := newZone(n.test.stubs).addresses(name)
	if len(all) == 0 {
		return way{}, false
	}
	if !isAddress(name) {
		n.book.add(name, all[0])
	}
	return way{"tcp", netip.AddrPortFrom(all[0], port)}, true
}

// passes lets a request to the proxy go on to its host; false is one that is answered.
func (v *visit) passes() bool {
	found := false
	v.s.c.n.pump()
	v.s.c.change(func() { found = v.s.c.leads(v.r.Host) })
	switch {
	case !found:
		http.Error(v, "the host cannot be reached", http.StatusBadGateway)
		return false
	case v.r.Method == http.MethodConnect:
		v.tunnel()
		return false
	}
	return true
}

// tunnel lets the service speak to the host by itself.
func (v *visit) tunnel() {
	_, ahead, err := http.NewResponseController(v.ResponseWriter).Hijack()
	if err != nil {
		v.abort()
	}
	c := v.s.c
	if _, err := io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		c.kill()
		return
	}
	s := &stream{Conn: c, c: c}
	_, _ = io.CopyN(&s.ahead, ahead, int64(ahead.Reader.Buffered())) // they are there
	c.change(func() {
		c.becomes(fresh)
		c.proxied, c.asked = nil, 0
	})
	go c.sniff(s)
}
