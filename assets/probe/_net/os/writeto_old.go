//go:build unix && !go1.22

package os

import "io"

// sondeFileOf returns the file from which r reads. It returns nil if r is not a file.
func sondeFileOf(r io.Reader) *File {
	f, _ := r.(*File)
	return f
}
