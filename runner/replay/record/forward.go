package record

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/network/devca"
)

// AuthorityFile is the file, in the folder of the proxy, with the certificate of the authority for
// the hosts behind the proxy. Programs may be configured to trust it.
const AuthorityFile = "authority.pem"

// trustedFile has the same certificate, and those that programs trust by default.
const trustedFile = "trusted.pem"

// forward is a proxy for services that call hosts through one.
type forward struct {
	m     *Monitor
	relay *relay
	end   *tlsEnd
}

// ListenAsProxy begins to listen as a proxy that also decrypts TLS, with an authority whose files are
// in a folder. It returns the environment with which a service uses the proxy and trusts the
// authority; it overrides the environment of the service.
func (m *Monitor) ListenAsProxy(addr, folder string) (env []string, err error) {
	f := &forward{m: m, relay: newRelay(nil, false, m.transport)}
	ca, err := devca.New("Sonde's recorder")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, AuthorityFile)
	for path, data := range map[string][]byte{file: ca.PEM, filepath.Join(folder, trustedFile): ca.PEMWithSystem()} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return nil, err
		}
	}
	f.end = newTLSEnd(f, ca, file)
	if err := m.serve(Endpoint{Addr: addr}, false, func(string) http.Handler { return f }); err != nil {
		return nil, err
	}
	m.servers = append(m.servers, f.end.server)
	m.serving.Go(func() { _ = f.end.server.Serve(f.end.came) }) // it ends when it is closed
	full, err := filepath.Abs(filepath.Join(folder, trustedFile))
	return append(proxyEnv(m.at[len(m.at)-1].Addr), devca.TrustEnv(full)...), err
}

// ServeHTTP passes a request on to the host that it names.
func (f *forward) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		f.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		f.m.pass(w, r, f.relay, model.OutwardCall{Host: hostPort(r.URL), Name: r.URL.Host, Protocol: model.HTTP})
	default:
		http.Error(w, "this is a proxy: request an absolute URL", http.StatusBadRequest)
	}
}

// tunnelled is a connection of a service to a host, through the proxy.
type tunnelled struct {
	*net.TCPConn
	said  *bufio.Reader // the bytes that were read ahead, and then the connection
	to    string
	asked bool // something
}

func (t *tunnelled) Read(p []byte) (int, error) { return t.said.Read(p) }

// tunnel connects the service to a host: decrypted if possible, otherwise directly.
func (f *forward) tunnel(w http.ResponseWriter, r *http.Request) {
	c, ahead, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "HTTP/1.1 is required for CONNECT", http.StatusHTTPVersionNotSupported)
		return
	}
	t := &tunnelled{TCPConn: c.(*net.TCPConn), said: ahead.Reader, to: r.Host}
	if _, err := io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		c.Close()
		return
	}
	if f.end.reads(t) {
		return
	}
	defer c.Close()
	f.direct(t)
}

// direct connects the service directly to the host.
func (f *forward) direct(t *tunnelled) {
	theirs, err := net.DialTimeout("tcp", t.to, time.Minute)
	if err != nil {
		if abrupt(err) {
			reset(t.TCPConn)
		}
		return
	}
	defer theirs.Close()
	there := theirs.(*net.TCPConn)
	if _, err := io.CopyN(there, t.said, int64(t.said.Buffered())); err != nil {
		return
	}
	quiet := func([]byte) {}
	ended := make(chan error, 1)
	go func() { ended <- pass(there, t.TCPConn, quiet) }()
	_ = pass(t.TCPConn, there, quiet) // it reports the error to both ends
	<-ended
}

// proxyEnv returns the environment of a service that uses a proxy.
func proxyEnv(addr string) (env []string) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		env = append(env, name+"=http://"+addr, strings.ToLower(name)+"=http://"+addr)
	}
	return env
}

// handedListener is a listener for connections that were accepted elsewhere.
type handedListener struct {
	conns chan net.Conn
	over  chan struct{}
}

// Accept waits for a connection.
func (h *handedListener) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.over:
		return nil, net.ErrClosed
	}
}

// give adds a connection.
func (h *handedListener) give(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.over:
		c.Close()
	}
}

// Close ends Accept. It may be called several times, by one goroutine at a time.
func (h *handedListener) Close() error {
	select {
	case <-h.over:
		return errors.New("it is closed")
	default:
		close(h.over)
		return nil
	}
}

// Addr returns no particular address.
func (h *handedListener) Addr() net.Addr { return &net.TCPAddr{} }
