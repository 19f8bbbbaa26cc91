package record

import (
	"bufio"
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

// AuthorityFile is the name of the file with the certificate of the proxy's authority. Programs may
// be configured to trust it.
const AuthorityFile = "authority.pem"

// trustedFile is the name of the file with the certificate of the proxy's authority and the
// certificates that programs trust by default.
const trustedFile = "trusted.pem"

// forwardProxy is the HTTP proxy of services that read the proxy variables of their environment.
type forwardProxy struct {
	monitor *Monitor
	relay   *relay
	tls     *tlsTerminator
}

// ListenAsProxy listens as a proxy that also decrypts TLS. It writes two files into folder: the certificate of its
// authority, and the same with the certificates that programs trust by default. It returns the environment variables
// with which a service uses the proxy and trusts the authority.
func (m *Monitor) ListenAsProxy(addr, folder string) (env []string, err error) {
	f := &forwardProxy{monitor: m, relay: newRelay(nil, false, m.toHosts)}
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
	f.tls = newTLSTerminator(f, ca, file)
	if err := m.serve(Endpoint{Addr: addr}, false, func(string) http.Handler { return f }); err != nil {
		return nil, err
	}
	m.servers = append(m.servers, f.tls.server)
	m.serving.Go(func() { _ = f.tls.server.Serve(f.tls.listener) }) // Serve returns when the listener is closed
	full, err := filepath.Abs(filepath.Join(folder, trustedFile))
	return append(proxyEnv(m.listening[len(m.listening)-1].Addr), devca.TrustEnv(full)...), err
}

// ServeHTTP relays a request to the host that the request names.
func (f *forwardProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		f.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		f.monitor.relayOutward(w, r, f.relay, model.OutwardCall{Host: hostPort(r.URL), Name: r.URL.Host, Protocol: model.HTTP})
	default:
		http.Error(w, "this is a proxy: request an absolute URL", http.StatusBadRequest)
	}
}

// tunnelled is a connection of the service through the proxy to a host.
type tunnelled struct {
	*net.TCPConn
	buffered   *bufio.Reader // reads the connection, after bytes that were read ahead
	host       string
	hasRequest bool // a request was read from the connection
}

func (c *tunnelled) Read(p []byte) (int, error) { return c.buffered.Read(p) }

// tunnel answers CONNECT. It decrypts the connection if possible, and otherwise connects it
// directly to the host.
func (f *forwardProxy) tunnel(w http.ResponseWriter, r *http.Request) {
	conn, ahead, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "HTTP/1.1 is required for CONNECT", http.StatusHTTPVersionNotSupported)
		return
	}
	c := &tunnelled{TCPConn: conn.(*net.TCPConn), buffered: ahead.Reader, host: r.Host}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		conn.Close()
		return
	}
	if f.tls.takeOver(c) {
		return
	}
	defer conn.Close()
	f.direct(c)
}

// direct connects the service directly to the host. Nothing is recorded.
func (f *forwardProxy) direct(c *tunnelled) {
	upstream, err := net.DialTimeout("tcp", c.host, time.Minute)
	if err != nil {
		if wasReset(err) {
			reset(c.TCPConn)
		}
		return
	}
	defer upstream.Close()
	there := upstream.(*net.TCPConn)
	if _, err := io.CopyN(there, c.buffered, int64(c.buffered.Buffered())); err != nil {
		return
	}
	quiet := func([]byte) {}
	ended := make(chan error, 1)
	go func() { ended <- copyData(there, c.TCPConn, quiet) }()
	_ = copyData(c.TCPConn, there, quiet) // copyData reports the error to both ends
	<-ended
}

// proxyEnv returns the environment variables of a service that uses the proxy.
func proxyEnv(addr string) (env []string) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		env = append(env, name+"=http://"+addr, strings.ToLower(name)+"=http://"+addr)
	}
	return env
}
