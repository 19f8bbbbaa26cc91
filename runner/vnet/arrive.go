package vnet

import (
	"errors"
	"net"
	"net/netip"
	"time"
)

// accept takes in who comes through the door.
func (r *Recorder) accept() {
	for {
		c, err := r.door.AcceptTCP()
		switch {
		case err == nil:
			r.comes(c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(knock) // no descriptor is free
		}
	}
}

// comes and opened say the same of a connection, in any order: it came, and which it is.
func (r *Recorder) comes(c *net.TCPConn) {
	from := place(c.RemoteAddr())
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.claimed[from]; l != nil {
		delete(r.claimed, from)
		l.begin(c)
		return
	}
	r.arrived[from] = c
	time.AfterFunc(mostComing, func() { r.strange(from, c) })
}

func (r *Recorder) opened(id uint64, from netip.AddrPort) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.lines[id]
	if l == nil {
		return
	}
	if c := r.arrived[from]; c != nil {
		delete(r.arrived, from)
		l.begin(c)
		return
	}
	r.claimed[from] = l
}

// strange ends a connection of which nobody said what it is.
func (r *Recorder) strange(from netip.AddrPort, c *net.TCPConn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.arrived[from] == c {
		delete(r.arrived, from)
		_ = c.Close()
	}
}
