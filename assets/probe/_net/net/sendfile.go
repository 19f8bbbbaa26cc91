//go:build unix

package net

import (
	"io"
	"os"
)

// sendFile makes the kernel write a file. Its bytes are counted like those of other writes. It leaves files whose content the table
// decides to other functions.
func sendFile(c *netFD, r io.Reader) (written int64, err error, handled bool) {
	if os.SondeLimits(r) {
		return 0, nil, false
	}
	written, err, handled = sondeRealSendFile(c, r)
	c.pfd.SondeWrote(written)
	return written, err, handled
}
