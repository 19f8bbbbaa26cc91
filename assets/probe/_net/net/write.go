//go:build unix

package net

import "io"

// sendFile makes the kernel write a file. It is counted as other writes are.
func sendFile(c *netFD, r io.Reader) (written int64, err error, handled bool) {
	written, err, handled = sondeRealSendFile(c, r)
	c.pfd.SondeWrote(written)
	return written, err, handled
}
