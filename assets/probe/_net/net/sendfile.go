//go:build unix

package net

import (
	"io"
	"os"
)

// sendFile makes the kernel copy a file to a connection, and counts the bytes as a write. If the table makes
// the file unreadable, sendFile does nothing and returns handled as false: package net then reads the file by
// other functions.
func sendFile(c *netFD, r io.Reader) (written int64, err error, handled bool) {
	if os.SondeReadMayFail(r) {
		return 0, nil, false
	}
	written, err, handled = sondeRealSendFile(c, r)
	c.pfd.SondeWrote(written)
	return written, err, handled
}
