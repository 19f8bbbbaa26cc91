package netsim

import (
	"errors"
	"io"
	"sync"
)

// capture keeps the beginning of a body, at most max bytes, while the body is passed on.
type capture struct {
	mu       sync.Mutex
	kept     []byte
	max      int
	passed   int64
	expected int64 // size in bytes; -1 if unknown, 0 for requests
	cut      bool  // the body is longer than kept
	err      error
}

// add records the result of one Read, and reports whether the body ends or fails with that Read.
func (c *capture) add(b []byte, err error) (last bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := max(0, c.max-len(c.kept))
	c.cut = c.cut || len(b) > room
	c.kept = append(c.kept, b[:min(len(b), room)]...)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	c.passed += int64(len(b))
	return err != nil || c.passed == c.expected
}

func (c *capture) all() ([]byte, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept, c.cut, c.err
}

// tee is a body that a capture records while it is read. onEnd is called by a Read that reaches the
// end of the body, or fails.
type tee struct {
	io.ReadCloser
	to    *capture
	onEnd func()
}

func (t *tee) Read(b []byte) (int, error) {
	n, err := t.ReadCloser.Read(b)
	if t.to.add(b[:n], err) {
		t.onEnd()
	}
	return n, err
}
