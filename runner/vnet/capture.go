package vnet

import (
	"io"
	"sync"
)

// capture keeps what passes.
type capture struct {
	mu       sync.Mutex
	kept     []byte
	most     int
	passed   int64
	expected int64 // -1 where that is not known, and of requests 0
	cut      bool
	err      error
}

// took takes what was read, and reports whether that was the last.
func (c *capture) took(b []byte, err error) (last bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := max(0, c.most-len(c.kept))
	c.cut = c.cut || len(b) > room
	c.kept = append(c.kept, b[:min(len(b), room)]...)
	if err != nil && err != io.EOF {
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

// tee is a body that is kept as it is read.
type tee struct {
	io.ReadCloser
	to   *capture
	last func() // is called when it ends
}

func (t *tee) Read(b []byte) (int, error) {
	n, err := t.ReadCloser.Read(b)
	if t.to.took(b[:n], err) {
		t.last()
	}
	return n, err
}
