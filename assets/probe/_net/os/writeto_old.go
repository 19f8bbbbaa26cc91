//go:build unix && !go1.22

package os

import "io"

// sondeFileOf returns the file that a reader is, nil for other readers.
func sondeFileOf(r io.Reader) *File {
	f, _ := r.(*File)
	return f
}
