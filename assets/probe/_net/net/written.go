//go:build unix

package net

import (
	"internal/poll"
	"io"
)

// What is written on a connection that is recorded is told before, with the request for
// which it is: the other end then knows whose bytes come.

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

// tell tells for which request the next bytes are, where that is another than before.
func (r *sondeRecorded) tell() {
	cause := poll.SondeCause()
	if r.told && r.cause == cause {
		return
	}
	r.told, r.cause = true, cause
	sondeTell("wrote", sondeText(r.id), sondeText(r.written), cause)
}

// readFrom copies what is told as it is written, and else has the kernel copy.
func (c *TCPConn) readFrom(r io.Reader) (int64, error) {
	if c.fd.sondeRecorded != nil {
		return genericReadFrom(c, r)
	}
	return c.sondeRealReadFrom(r)
}
