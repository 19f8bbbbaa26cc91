//go:build unix

package net

import "io"

// sendFile has the kernel write a file, which is counted as other writing is.
func sendFile(c *netFD, r io.Reader) (written int64, err error, handled bool) {
	written, err, handled = sondeRealSendFile(c, r)
	c.pfd.SondeWrote(written)
	return written, err, handled
}
