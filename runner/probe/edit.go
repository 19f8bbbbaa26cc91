package probe

import (
	"bytes"
	"cmp"
	"slices"
)

// edit is text put into a file, in place of so many bytes of it. No edit adds or
// removes a line.
type edit struct {
	offset, remove int
	opens          bool // begins something: goes behind what ends there
	in             copies
	text           string
}

// copies are the copies of some source that an edit is for.
type copies uint8

const (
	inAll   copies = iota
	inFull         // is of a predicate: without it the service does the same
	inLight        // keeps what is light so
)

// without are the edits but for those of some copies.
func without(edits []edit, of copies) []edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.in == of })
}

// apply makes the edits. Of those at one place the ones that end something come
// first, else each comes as it was made.
func apply(src []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.offset == b.offset && a.opens != b.opens {
			if b.opens {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.offset, b.offset)
	})
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(src[at:e.offset])
		out.WriteString(e.text)
		at = e.offset + e.remove
	}
	out.Write(src[at:])
	return out.Bytes()
}
