//go:build unix

package net

import (
	"internal/poll"
	"io"
)

// Writes on a recorded connection are reported before, with the request that they
// belong to: the other end then knows which bytes come.

func (fd *netFD) Write(p []byte) (int, error) {
	r := fd.sondeRecorded
	switch {
	case r == nil:
		return fd.sondeRealWrite(p)
	case fd.net[:3] == "udp":
		return r.sends(fd, p)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell()
	n, err := fd.sondeRealWrite(p)
	r.written += uint64(n)
	return n, err
}

func (fd *netFD) writeBuffers(v *Buffers) (n int64, err error) {
	r := fd.sondeRecorded
	if r == nil || fd.net[:3] == "udp" {
		return fd.sondeRealWriteBuffers(v)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell()
	n, err = fd.sondeRealWriteBuffers(v)
	r.written += uint64(n)
	return n, err
}

// tell reports the request that the next bytes belong to, if it changed.
func (r *sondeRecorded) tell() {
	cause := poll.SondeCause()
	if r.told && r.cause == cause {
		return
	}
	r.told, r.cause = true, cause
	sondeTell("wrote", sondeText(r.id), sondeText(r.written), cause)
}

// readFrom copies in user space if writes are reported, or else in the kernel.
func (c *TCPConn) readFrom(r io.Reader) (int64, error) {
	if c.fd.sondeRecorded != nil {
		return genericReadFrom(c, r)
	}
	return c.sondeRealReadFrom(r)
}
