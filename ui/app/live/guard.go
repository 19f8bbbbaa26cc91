package live

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
)

// hosts are the names under which requests may call the server.
type hosts struct {
	own      string // host and port
	port     string
	loopback bool
	any      bool // the server listens on all addresses
}

func newHosts(addr *net.TCPAddr) hosts {
	port := strconv.Itoa(addr.Port)
	h := hosts{own: addr.String(), port: port, loopback: addr.IP.IsLoopback(), any: addr.IP.IsUnspecified()}
	if h.any {
		h.own = net.JoinHostPort("127.0.0.1", port)
	}
	return h
}

// allow reports whether a request may have this host. A server on all addresses is called by an address, never by a name:
// a name may be one that an attacker lets point to this machine.
func (h hosts) allow(host string) bool {
	if host == h.own || h.loopback && host == net.JoinHostPort("localhost", h.port) {
		return true
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil || port != h.port || !h.any {
		return false
	}
	_, err = netip.ParseAddr(name)
	return err == nil
}

// guarded refuses requests that another site may have caused, and sets headers that protect the page.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.hosts.allow(r.Host):
			http.Error(w, "the host of the request is not the address of this server", http.StatusMisdirectedRequest)
		case !ownOrigin(r):
			http.Error(w, "the request comes from another site", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ownOrigin reports whether a request comes from the page itself, from the user's address bar, or from a program that is no
// browser.
func ownOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin":
		return true
	case "none":
		return r.URL.Path == "/"
	}
	// A link on another site may lead to the page, but nothing else.
	return r.URL.Path == "/" && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document"
}
