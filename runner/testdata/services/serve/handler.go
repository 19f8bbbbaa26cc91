package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"sync"
)

// Operation is an operation of a service.
type Operation struct {
	Pattern string // a pattern of http.ServeMux, such as "GET /units/{code}"
	Do      func(*Call) (Answer, error)
	// Free is true if other operations may run at the same time, because this one waits for
	// other hosts. It must lock shared state itself.
	Free bool
}

// handler runs one operation after the other, except those that are Free.
type handler struct {
	mux  *http.ServeMux
	mu   sync.Mutex
	told sync.Map // the faults that were printed
}

// Handler returns a handler for operations. See Main for reset.
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

// ServeHTTP answers 404 in JSON if there is no operation. The mux itself would redirect unclean paths
// and answer in plain text.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := r.URL.EscapedPath()
	if _, pattern := h.mux.Handler(r); pattern == "" || p != path.Clean(p) {
		a := Problem{http.StatusNotFound, "there is nothing here"}.answer()
		a.write(w, "")
		return
	}
	h.mux.ServeHTTP(w, r)
}

// maxBody is the largest number of bytes that a service reads of a body.
const maxBody = 1 << 20

func (h *handler) endpoint(op Operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &Call{Request: r}
		c.body, c.bodyErr = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		a := h.run(op, c)
		a.write(w, c.fault)
	})
}

// run runs an operation. A panic becomes a 500.
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

// refused returns the answer for a Problem. It panics on any other error.
func refused(err error) Answer {
	var p Problem
	if !errors.As(err, &p) {
		panic(err)
	}
	return p.answer()
}

// tell prints each fault when it is triggered for the first time.
func (h *handler) tell(c *Call) {
	if c.fault == "" {
		return
	}
	if _, told := h.told.LoadOrStore(c.fault, true); !told {
		fmt.Printf("fault %s: %s %s\n", c.fault, c.Method, c.URL.RequestURI())
	}
}
