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
	// Free lets others be done at the same time: the operation waits for what is
	// outside, and guards what it shares itself.
	Free bool
}

// handler answers one call after the other, but for those that are free.
type handler struct {
	mux  *http.ServeMux
	mu   sync.Mutex
	told sync.Map // faults that were said to have been met
}

// Handler answers the calls of operations. Reset is as Main has it.
func Handler(ops []Operation, reset func()) http.Handler {
	h := &handler{mux: http.NewServeMux()}
	own := []Operation{
		{Pattern: "GET /health", Do: func(*Call) (Answer, error) { return OK(map[string]string{"status": "up"}) }},
		{Pattern: "POST /__reset", Do: func(*Call) (Answer, error) {
			reset()
			return NoContent()
		}},
	}
	for _, op := range append(own, ops...) {
		h.mux.Handle(op.Pattern, h.endpoint(op))
	}
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

func (h *handler) endpoint(op Operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &Call{Request: r}
		c.body, c.bodyErr = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		a := h.run(op, c)
		a.write(w, c.fault)
	})
}

// run does what is asked for. A panic becomes a 500.
func (h *handler) run(op Operation, c *Call) (a Answer) {
	if !op.Free {
		h.mu.Lock()
		defer h.mu.Unlock()
	}
	defer func() {
		if recover() != nil {
			a = Problem{http.StatusInternalServerError, "internal error"}.answer()
		}
		h.tell(c)
	}()
	a, err := op.Do(c)
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
	if c.fault == "" {
		return
	}
	if _, told := h.told.LoadOrStore(c.fault, true); !told {
		fmt.Printf("fault %s: %s %s\n", c.fault, c.Method, c.URL.RequestURI())
	}
}
