package draw

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Naming selects what lists show after the method of an operation.
type Naming int

// The ways to name operations.
const (
	ByPath Naming = iota
	ByOperationID
	BySummary
	namings
)

// NamingWords returns the words for the ways to name operations, in the order in which the app switches between them.
func NamingWords() []string { return []string{"path", "operationId", "summary"} }

// String returns the word for the naming.
func (n Naming) String() string { return NamingWords()[n] }

// ParseNaming returns the naming with a word, or ByPath for an unknown word.
func ParseNaming(word string) Naming { return Naming(max(0, slices.Index(NamingWords(), word))) }

// given has the names that the spec gives an operation: its operationId and its summary. Each of them may be "".
type given struct{ id, summary string }

func givenNames(op *model.Operation) given {
	return given{id: strings.TrimSpace(Clean(op.Name)), summary: strings.TrimSpace(Clean(op.Summary))}
}

// Use sets the naming of n and of all its copies, except for the copies that In returned.
func (n SeqNames) Use(by Naming) { *n.by = by }

// Naming returns the naming in use.
func (n SeqNames) Naming() Naming {
	if n.by == nil {
		return ByPath
	}
	return *n.by
}

// Next returns the next naming in which some operation has a name. If there is only ByPath, it returns the
// current naming.
func (n SeqNames) Next() Naming {
	next := (n.Naming() + 1) % namings
	for next != ByPath && !n.has[next] {
		next = (next + 1) % namings
	}
	return next
}

// In returns a copy with a naming of its own. Another goroutine may use the copy.
func (n SeqNames) In(by Naming) SeqNames {
	n.by = &by
	return n
}

// Missing returns the number of operations without a name in the current naming. If no operation has a name, it
// returns 0.
func (n SeqNames) Missing() int {
	missing := 0
	for id := range n.given {
		if _, ok := n.name(id); !ok {
			missing++
		}
	}
	return missing
}

// name returns the operationId or the summary of an operation, depending on the current naming, and "" for ByPath. ok
// is false if only other operations have a name in the current naming.
func (n SeqNames) name(id model.OpID) (name string, ok bool) {
	switch n.Naming() {
	case ByOperationID:
		name = n.given[id].id
	case BySummary:
		name = n.given[id].summary
	default:
		return "", true
	}
	return name, name != "" || !n.has[n.Naming()]
}

// AfterMethod returns what a list shows after the method of an operation: its name in at most width cells or, if it has
// none, its path, which the function path returns. The path is dim if other operations have a name in the current
// naming.
func (n SeqNames) AfterMethod(id model.OpID, width int, path func() string) Span {
	name, ok := n.name(id)
	switch {
	case name == "" && ok:
		return Span{Text: path(), Style: theme.Plain}
	case !ok:
		return Span{Text: path(), Style: theme.Dim}
	case n.Naming() == ByOperationID: // operationIds differ at both ends
		return Span{Text: CutMiddle(name, width), Style: theme.Plain}
	}
	return Span{Text: ansi.Truncate(name, max(0, width), "…"), Style: theme.Plain}
}

// Operation draws an operation of a list in at most width cells.
func (n SeqNames) Operation(id model.OpID, width int) Line {
	method, path, _ := strings.Cut(Clean(string(id)), " ")
	line := TextLine(method, theme.Method(method))
	room := width - line.Width() - 1
	rest := n.AfterMethod(id, room, func() string { return ShortPath(path, room) })
	rest.Text = " " + rest.Text
	return append(line, rest).Cut(width)
}

// Box draws an operation in at most width cells for a box in a picture, which has little room. If the spec names the
// operation in the current naming, Box draws only this name, without the method.
func (n SeqNames) Box(id model.OpID, width int) Line {
	if l := n.link(id); l.given {
		return Line{{Text: CutMiddle(l.name, width), Style: theme.Method(l.method)}}
	}
	return n.Operation(id, width)
}
