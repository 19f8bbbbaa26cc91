package main

import (
	"context"
	"net"
	"net/http"
	"sync"

	"sonde/runner/testdata/services/serve"
)

// hub has the paired devices.
type hub struct {
	broadcast string
	dial      func(ctx context.Context, network, address string) (net.Conn, error)

	mu     sync.Mutex
	paired map[int]*device
	last   int
}

// device is a device that called back.
type device struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Version  int      `json:"version"`
	Children []string `json:"children"`
	Warnings []string `json:"warnings"`
	At       string   `json:"at"` // the address at which it can be called, "" if there is none
}

// add stores a device. It refuses a second device with the same name.
func (h *hub) add(d *device) (serve.Answer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, other := range h.paired {
		if other.Name == d.Name {
			return serve.Answer{}, serve.Refuse(http.StatusConflict, "%s is paired already", d.Name)
		}
	}
	h.last++
	d.ID = h.last
	h.paired[d.ID] = d
	return serve.Created(d, "/pairings/%d", d.ID)
}

// find returns a copy of the device that a request names.
func (h *hub) find(c *serve.Call) (device, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d := h.paired[c.ID("id")]; d != nil {
		return *d, nil
	}
	return device{}, serve.Missing("device")
}

func (h *hub) get(c *serve.Call) (serve.Answer, error) {
	d, err := h.find(c)
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(d)
}

func (h *hub) list(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	kind := q.OneOf("kind", false, "printer", "scanner", "hub")
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	all := []*device{}
	for id := 1; id <= h.last; id++ {
		if d := h.paired[id]; d != nil && (kind == "" || d.Kind == kind) {
			all = append(all, d)
		}
	}
	return serve.OK(all)
}

// part removes a device, and broadcasts that.
func (h *hub) part(c *serve.Call) (serve.Answer, error) {
	d, err := h.find(c)
	if err != nil {
		return serve.Answer{}, err
	}
	if told, err := h.shout("BYE " + d.Name); err == nil {
		told.Close() // no device has to answer
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.paired, d.ID)
	return serve.NoContent()
}
