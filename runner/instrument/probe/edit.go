package probe

import (
	"bytes"
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// edit replaces bytes of a file by text. No edit adds or removes a line.
type edit struct {
	offset, remove int  // the place of the edit, and the number of bytes to remove there
	opens          bool // the text belongs to the source after it; see apply
	in             copies
	text           string
}

// copies says to which copies of the source an edit belongs; see lightCopies.
type copies uint8

const (
	inAll   copies = iota
	inFull         // a probe of a predicate, which the light copy does not have
	inLight        // only in the light copy
)

// without returns the edits except those whose field in has the given value.
func without(edits []edit, of copies) []edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.in == of })
}

// apply returns the source with the edits. At the same offset, edits without opens come first.
// Otherwise edits keep their order.
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

// editor records the edits of a file.
type editor struct {
	file  *sourceFile
	edits []edit
	in    copies // the copies to which the next edits belong
}

// before inserts text before the node that begins at a position.
func (d *editor) before(at token.Pos, format string, args ...any) {
	d.add(edit{offset: d.file.offset(at), opens: true, in: d.in, text: fmt.Sprintf(format, args...)})
}

// after inserts text after the node that ends at a position.
func (d *editor) after(at token.Pos, format string, args ...any) {
	d.add(edit{offset: d.file.offset(at), in: d.in, text: fmt.Sprintf(format, args...)})
}

// replace replaces the source between two positions, and keeps its line breaks.
func (d *editor) replace(from, to token.Pos, text string) {
	a, b := d.file.offset(from), d.file.offset(to)
	lines := strings.Repeat("\n", bytes.Count(d.file.text[a:b], []byte("\n")))
	d.add(edit{offset: a, remove: b - a, opens: true, in: d.in, text: text + lines})
}

func (d *editor) add(e edit) { d.edits = append(d.edits, e) }

// record calls a function that adds edits. These edits belong to the given copies.
func (d *editor) record(in copies, edits func()) {
	was := d.in
	d.in = in
	edits()
	d.in = was
}

// mark returns the number of edits so far. The number can be passed to the method since.
func (d *editor) mark() int { return len(d.edits) }

// since returns the edits after a mark.
func (d *editor) since(mark int) []edit { return d.edits[mark:] }

// result returns the edited file.
func (d *editor) result() []byte { return apply(d.file.text, without(d.edits, inLight)) }
