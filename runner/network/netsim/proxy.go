package netsim

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"strings"
	"time"

	"sonde/model"
)

// proxyGround is the ground of a service that uses the proxy in its environment. All hosts
// speak HTTP, with or without TLS. The ground knows nothing about the process.
type proxyGround struct {
	loopbackGround
	n     *Network
	proxy net.Listener // nil if it is not open
}

func (g *proxyGround) start() (err error) {
	g.proxy, err = net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go g.accept()
	return g.n.openHosts(g.n.test)
}

func (g *proxyGround) close() {
	if g.proxy != nil {
		_ = g.proxy.Close()
	}
}

// hasSocket is false, because the proxy receives the requests to all hosts.
func (*proxyGround) hasSocket(dialStep) bool { return false }

func (g *proxyGround) enter(c *exec.Cmd) (entered func(started error) error, err error) {
	at := "http://" + g.proxy.Addr().String()
	direct := strings.Join(g.n.options.Allow, ",")
	c.Env = c.Environ()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		c.Env = append(c.Env, name+"="+at, strings.ToLower(name)+"="+at)
	}
	c.Env = append(c.Env, "NO_PROXY="+direct, "no_proxy="+direct)
	trustAuthority(c, g.n.caFile())
	return func(started error) error { return started }, nil
}

// accept accepts connections to the proxy until the proxy is closed.
func (g *proxyGround) accept() {
	for {
		c, err := g.proxy.Accept()
		switch {
		case err == nil:
			go g.serve(c.(*net.TCPConn))
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(acceptRetry)
		}
	}
}

func (g *proxyGround) serve(socket *net.TCPConn) {
	c := newConn(g.n, socket, endpoint{})
	c.proxied = map[endpoint]*testState{}
	if !g.n.accept(c, func() { c.test, c.stub, c.hosts = g.n.test, -1, []string{"the proxy"} }) {
		c.kill()
		return
	}
	g.n.web.serve(&stream{Conn: c, c: c})
}

// routeTo assigns a connection with the proxy to the host that a request on the connection names. In each test, the
// first request of the connection to a host counts as a dial. routeTo returns false if the host cannot be reached. The
// caller must hold the mutex.
func (c *conn) routeTo(host string) bool {
	n, t := c.n, c.n.test
	to, ok := n.endpointOf(host)
	if !ok {
		return false
	}
	if c.proxied[to] == t {
		c.to, c.hosts = to, n.names.hosts(to.addr)
		return true
	}
	if d := t.dials[to]; d == nil || d.current().fault != "" {
		n.refused(to)
		return false
	}
	c.to, c.proxied[to] = to, t
	n.connect(c)
	return true
}

// endpointOf returns the endpoint of a host in the current test. It returns false if the name has
// no address. The caller must hold the mutex.
func (n *Network) endpointOf(host string) (endpoint, bool) {
	host = withPort(host, 80)
	name, port := splitHost(host)
	all := newZone(n.test.stubs).addresses(name)
	if len(all) == 0 {
		return endpoint{}, false
	}
	n.names.addStub(host, all[0])
	return endpoint{network: string(model.TCP), addr: netip.AddrPortFrom(all[0], port)}, true
}

// routeToHost assigns the connection to the host of the request. It returns false if it has
// answered the request itself: with an error, or because the method is CONNECT.
func (x *httpExchange) routeToHost() bool {
	found := false
	x.s.c.n.pump()
	x.s.c.change(func() { found = x.s.c.routeTo(x.r.Host) })
	switch {
	case !found:
		http.Error(x, "the host cannot be reached", http.StatusBadGateway)
		return false
	case x.r.Method == http.MethodConnect:
		x.tunnel()
		return false
	}
	return true
}

// tunnel answers CONNECT, and serves the rest of the connection as a connection to the host.
func (x *httpExchange) tunnel() {
	_, buffered, err := http.NewResponseController(x.ResponseWriter).Hijack()
	if err != nil {
		x.abort()
	}
	c := x.s.c
	if _, err := io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		c.kill()
		return
	}
	s := &stream{Conn: c, c: c}
	_, _ = io.CopyN(&s.ahead, buffered, int64(buffered.Reader.Buffered())) // cannot fail: the bytes are in the buffer
	c.change(func() {
		c.setState(connFresh)
		c.proxied, c.requests = nil, 0
	})
	go c.dispatch(s)
}
