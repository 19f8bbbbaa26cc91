//go:build unix

package net

import "io"

// sendFile makes the kernel write a file. Its bytes are counted like those of other writes.
func sendFile(c *netFD, r io.Reader) (written int64, err error, handled bool) {
	written, err, handled = sondeRealSendFile(c, r)
	c.pfd.SondeWrote(written)
	return written, err, handled
}
