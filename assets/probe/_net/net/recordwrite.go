//go:build unix

package net

import (
	"internal/poll"
	"io"
)

// Before a write on a recorded connection, the ID of the request that caused the write is reported, unless the write
// before had the same cause. So Sonde knows the cause of the bytes when it reads them.

func (fd *netFD) Write(p []byte) (int, error) {
	r := fd.sondeRecorded
	switch {
	case r == nil:
		return fd.sondeRealWrite(p)
	case fd.net[:3] == "udp":
		return r.writeDatagram(fd, p)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reportCause()
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
	r.reportCause()
	n, err = fd.sondeRealWriteBuffers(v)
	r.written += uint64(n)
	return n, err
}

// reportCause reports the request that causes the next bytes, unless the last bytes had the same cause.
func (r *sondeRecorded) reportCause() {
	cause := poll.SondeCause()
	if r.reported && r.cause == cause {
		return
	}
	r.reported, r.cause = true, cause
	sondeReport("wrote", sondeFormatUint(r.id), sondeFormatUint(r.written), cause)
}

// readFrom copies in user space if the connection is recorded, so that the writes are reported.
// Otherwise the kernel may copy.
func (c *TCPConn) readFrom(r io.Reader) (int64, error) {
	if c.fd.sondeRecorded != nil {
		return genericReadFrom(c, r)
	}
	return c.sondeRealReadFrom(r)
}
