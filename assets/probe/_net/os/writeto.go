//go:build unix && go1.22

package os

import "io"

// writeTo lets the kernel copy data only if the table permits all reads from f.
func (f *File) writeTo(w io.Writer) (int64, bool, error) {
	if f.sonde.cannotBeRead() {
		return 0, false, nil
	}
	return f.sondeRealWriteTo(w)
}

// sondeFileOf returns the file from which r reads. It returns nil if r is not a file.
func sondeFileOf(r io.Reader) *File {
	switch r := r.(type) {
	case *File:
		return r
	case fileWithoutWriteTo:
		return r.File
	}
	return nil
}
