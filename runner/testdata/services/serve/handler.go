package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"sync"
)

// Operation is one thing that a service does.
type Operation struct {
	Pattern string // "GET /units/{code}", as http.ServeMux has it
	Do      func(*Call) (Answer, error)
}

// handler answers one call after the other.
type handler struct {
	mux  *http.ServeMux
	mu   sync.Mutex
	told map[string]bool // faults that were said to have been met
}

func newHandler(ops []Operation, reset func()) *handler {
	h := &handler{mux: http.NewServeMux(), told: map[string]bool{}}
	for _, op := range ops {
		h.mux.Handle(op.Pattern, h.endpoint(op.Do))
	}
	h.mux.Handle("GET /health", h.endpoint(func(*Call) (Answer, error) { return OK(map[string]string{"status": "up"}) }))
	h.mux.Handle("POST /__reset", h.endpoint(func(*Call) (Answer, error) {
		reset()
		return NoContent()
	}))
	return h
}

// ServeHTTP answers 404 in JSON where there is nothing; the mux would redirect
// unclean paths and answer in plain text.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := r.URL.EscapedPath()
	if _, pattern := h.mux.Handler(r); pattern == "" || p != path.Clean(p) {
		a := Problem{http.StatusNotFound, "there is nothing here"}.answer()
		a.write(w, "")
		return
	}
	h.mux.ServeHTTP(w, r)
}

// maxBody is the most bytes that a service reads of a body.
const maxBody = 1 << 20

func (h *handler) endpoint(do func(*Call) (Answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &Call{Request: r}
		c.body, c.bodyErr = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		a := h.run(do, c)
		a.write(w, c.fault)
	})
}

// run does what is asked for. A panic becomes a 500.
func (h *handler) run(do func(*Call) (Answer, error), c *Call) (a Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer func() {
		if recover() != nil {
			a = Problem{http.StatusInternalServerError, "internal error"}.answer()
		}
		h.tell(c)
	}()
	a, err := do(c)
	if err != nil {
		a = refused(err)
	}
	a.marshal()
	return a
}

// refused panics on an error that is not the caller's.
func refused(err error) Answer {
	var p Problem
	if !errors.As(err, &p) {
		panic(err)
	}
	return p.answer()
}

// tell prints each fault when it is met for the first time.
func (h *handler) tell(c *Call) {
	if c.fault != "" && !h.told[c.fault] {
		h.told[c.fault] = true
		fmt.Printf("fault %s: %s %s\n", c.fault, c.Method, c.URL.RequestURI())
	}
}
