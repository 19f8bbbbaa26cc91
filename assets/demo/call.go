package demo

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
)

// maxBody is the maximum number of bytes that the shop reads of a body.
const maxBody = 1 << 20

// call is one request to an operation.
type call struct {
	r       *http.Request
	body    []byte
	bodyErr error // why the body could not be read
	user    *User // nil for anonymous calls
	healthy bool
	fault   string   // the ID of the last fault that the call triggered
	counts  []string // names of the counters to raise after the call
	// unlocked releases the lock of the shop while it calls a function that waits for another host.
	// It reports whether the shop was reset meanwhile.
	unlocked func(func()) (reset bool)
}

// id returns the id in a path parameter. It returns 0, which no resource has, if the parameter is not an id.
func (c *call) id(name string) int {
	text := c.r.PathValue(name)
	id, err := strconv.Atoi(text)
	if err != nil || id < 0 || strconv.Itoa(id) != text {
		return 0
	}
	return id
}

// decode reads the JSON body into a struct. Its argument is a pointer to the struct.
func (c *call) decode(into any) error {
	if c.bodyErr != nil {
		return refuse(http.StatusBadRequest, "body: must be whole and at most 1 MiB")
	}
	err := json.Unmarshal(c.body, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return refuse(http.StatusBadRequest, "%s: must be %s", wrong.Field, inWords(wrong.Type))
	case err != nil:
		return refuse(http.StatusBadRequest, "body: must be a JSON object")
	}
	return nil
}

func inWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a text"
	}
}

// count raises a counter when the call is over.
func (c *call) count(name string) { c.counts = append(c.counts, name) }

// endpoint returns the HTTP handler of an operation.
func (s *Shop) endpoint(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		c := &call{r: r, body: body, bodyErr: err, user: userOf(r), healthy: s.config.Healthy, unlocked: s.unlocked}
		reply := s.run(e, c)
		s.meter.send(c.counts)
		reply.write(w)
	})
}

// run runs the operation under the lock. After a panic it answers 500.
func (s *Shop) run(e endpoint, c *call) (r reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if recover() != nil {
			r = s.crashed(c)
		}
	}()
	if err := e.access.admit(c.user); err != nil {
		return failed(err)
	}
	a, err := e.handler(s.state)(c)
	if err != nil {
		return failed(err)
	}
	return a.reply()
}

// failed returns the reply to a request that failed with a problem. It panics on other errors.
func failed(err error) reply {
	var p problem
	if !errors.As(err, &p) {
		panic(err)
	}
	return p.reply()
}

// crashed returns the reply after a panic: status 500, with the fault's ID in X-Fault if the shop reveals faults.
func (s *Shop) crashed(c *call) reply {
	c.counts = nil
	r := problem{http.StatusInternalServerError, "internal error"}.reply()
	if s.config.Reveal && c.fault != "" {
		r.header["X-Fault"] = c.fault
	}
	return r
}

// unlocked calls f without holding the lock of the shop, and reports whether the shop was reset meanwhile.
func (s *Shop) unlocked(f func()) (reset bool) {
	before := s.state
	defer func() {
		s.mu.Lock()
		reset = s.state != before
	}()
	s.mu.Unlock()
	f()
	return false
}
