package demo

import (
	"bytes"
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

//go:embed openapi.json
var spec []byte

// Specification returns the shop's OpenAPI 3.0 document, a fresh copy.
func Specification() []byte { return bytes.Clone(spec) }

// FormerHashes returns the SHA-256 hashes of earlier released versions of the document. These
// versions differ from the present one only in summaries and descriptions.
func FormerHashes() []string {
	return []string{"32d6c354e4f1aa0f4c9b0e56ad3590feb852c206968ea6461d1aeac4cc652c90"} // 0.1.0
}

// Config is the configuration of a shop. The zero value is a shop that has all faults, does not
// reveal them and calls no other host.
type Config struct {
	// Reveal adds the header X-Fault, with the ID of the fault, to each answer that a fault causes.
	Reveal bool
	// Healthy repairs all faults.
	Healthy bool
	// Payments is the URL to which card charges are posted; "" for none.
	Payments string
	// Stock is the host:port of the TCP stock feed; "" for none.
	Stock string
	// Metrics is the host:port to which counters are sent by UDP; "" for none.
	Metrics string
	// Timeout is how long the shop waits for another host; 0 is 2 s.
	Timeout time.Duration
	// Now is the clock of createdAt and similar properties; nil is time.Now.
	Now func() time.Time
}

// Check returns an error if the address of a dependency is malformed. It calls no other
// host.
func (c Config) Check() error {
	if u, err := url.Parse(c.Payments); c.Payments != "" && (err != nil || !web(u)) {
		return fmt.Errorf("payments %q is not an http URL, write it like http://payments.example/charge", c.Payments)
	}
	for _, a := range []struct{ name, addr string }{{"stock", c.Stock}, {"metrics", c.Metrics}} {
		if _, port, err := net.SplitHostPort(a.addr); a.addr != "" && (err != nil || port == "") {
			return fmt.Errorf("%s %q is not an address, write it as host:port", a.name, a.addr)
		}
	}
	return nil
}

func web(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// Shop is the service. It serves [Specification] at /openapi.json. POST /__reset, which the document does
// not mention, resets the shop. A Shop may be used by several goroutines.
type Shop struct {
	config Config
	mux    *http.ServeMux
	client *http.Client
	meter  meter

	mu    sync.Mutex
	state *state // guarded by mu
}

// NewShop returns an empty shop. It does not check the configuration: a malformed address has the
// same effect as a dependency that is down.
func NewShop(c Config) *Shop {
	if c.Timeout == 0 {
		c.Timeout = 2 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Shop{
		config: c,
		mux:    http.NewServeMux(),
		client: newClient(c.Timeout),
		meter:  meter{addr: c.Metrics, timeout: c.Timeout},
	}
	for _, e := range endpoints {
		s.mux.Handle(e.pattern, s.endpoint(e))
	}
	s.mux.HandleFunc("GET /openapi.json", serveSpec)
	s.mux.HandleFunc("POST /__reset", s.serveReset)
	s.Reset()
	return s
}

// Reset empties the shop and starts its ids over.
func (s *Shop) Reset() {
	fresh := newState(s.config, s.client)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = fresh
}

func (s *Shop) serveReset(w http.ResponseWriter, _ *http.Request) {
	s.Reset()
	w.WriteHeader(http.StatusNoContent)
}

func serveSpec(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(spec)
}
