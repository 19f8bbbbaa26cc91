package probe

import (
	"bytes"
	"go/token"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// At the same offset, edits without opens come first, and otherwise edits keep their order.
func TestApply(t *testing.T) {
	got := string(apply([]byte("ab"), []edit{
		{offset: 1, opens: true, text: "<"},
		{offset: 1, text: ")"},
		{offset: 1, opens: true, text: "["},
		{offset: 1, text: "]"},
		{offset: 0, remove: 1, opens: true, text: "A"},
	}))
	if got != "A)]<[b" {
		t.Errorf("got %s", got)
	}
}

// Insertions do not change the rest of the source.
func TestApplyKeepsSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SliceOfN(rapid.ByteRange('a', 'z'), 0, 20).Draw(t, "source")
		var edits []edit
		for _, at := range rapid.SliceOfN(rapid.IntRange(0, len(src)), 0, 10).Draw(t, "offsets") {
			edits = append(edits, edit{offset: at, opens: rapid.Bool().Draw(t, "opens"), text: "#"})
		}
		got := apply(src, edits)
		if kept := bytes.ReplaceAll(got, []byte("#"), nil); !bytes.Equal(kept, src) {
			t.Fatalf("%s became %s", src, got)
		}
		if n := bytes.Count(got, []byte("#")); n != len(edits) {
			t.Fatalf("%d of %d insertions in %s", n, len(edits), got)
		}
	})
}

// newTestEditor returns an editor of a file with some text, which begins at position 1.
func newTestEditor(text string) *editor {
	fset := token.NewFileSet()
	f := fset.AddFile("shop.go", 1, len(text))
	f.SetLinesForContent([]byte(text))
	return &editor{file: &sourceFile{fset: fset, text: []byte(text)}}
}

// A replacement keeps the number of lines.
func TestReplaceKeepsLines(t *testing.T) {
	d := newTestEditor("a\nb\nc")
	d.replace(1, 4, "x")
	if got := string(d.result()); got != "x\n\nc" && strings.Count(got, "\n") != 2 {
		t.Errorf("got %q", got)
	}
}

// The full copy has the probes of predicates, the light one does not.
func TestCopies(t *testing.T) {
	d := newTestEditor("ab")
	d.before(1, "S")
	mark := d.mark()
	d.record(inFull, func() {
		d.before(2, "F")
		d.record(inAll, func() { d.after(2, "A") })
		d.after(3, "f")
	})
	d.add(edit{offset: 0, in: inLight, text: "L"})
	if got := string(d.result()); got != "SaAFbf" {
		t.Errorf("the full copy is %s", got)
	}
	if got := string(apply(d.file.text, without(d.edits, inFull))); got != "LSaAb" {
		t.Errorf("the light copy is %s", got)
	}
	if got := len(d.since(mark)); got != 4 {
		t.Errorf("%d edits after the mark", got)
	}
}
