package draw

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Naming is what lists show of an operation after its method.
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

// String returns the word for a naming.
func (n Naming) String() string { return NamingWords()[n] }

// ParseNaming returns the naming with a word, or ByPath for an unknown word.
func ParseNaming(word string) Naming { return Naming(max(0, slices.Index(NamingWords(), word))) }

// given are the names that the document gives an operation. Either may be "".
type given struct{ id, summary string }

func givenNames(op *model.Operation) given {
	return given{id: strings.TrimSpace(Clean(op.Name)), summary: strings.TrimSpace(Clean(op.Summary))}
}

// Use sets the naming of the names and of all copies that In did not make.
func (n SeqNames) Use(by Naming) { *n.by = by }

// Naming returns the naming in use.
func (n SeqNames) Naming() Naming {
	if n.by == nil {
		return ByPath
	}
	return *n.by
}

// Next returns the naming to which the app switches: the next one in which some operation has a name. It is the
// naming in use if there is only ByPath.
func (n SeqNames) Next() Naming {
	next := (n.Naming() + 1) % namings
	for next != ByPath && !n.has[next] {
		next = (next + 1) % namings
	}
	return next
}

// In returns a copy of the names that has a naming of its own. Other goroutines may use it.
func (n SeqNames) In(by Naming) SeqNames {
	n.by = &by
	return n
}

// Missing returns the number of operations that have no name in the naming in use, 0 if none has one.
func (n SeqNames) Missing() int {
	missing := 0
	for id := range n.given {
		if _, ok := n.name(id); !ok {
			missing++
		}
	}
	return missing
}

// name returns what the document calls an operation in the naming in use. The name is "" for ByPath. ok is false if other
// operations have a name, but not this one.
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

// AfterMethod returns what follows the method in the name of an operation, in at most width cells. Where that is
// the path, it is the result of path, dim if it takes the place of a name that the document does not give.
func (n SeqNames) AfterMethod(id model.OpID, width int, path func() string) Span {
	name, ok := n.name(id)
	switch {
	case name == "" && ok:
		return Span{Text: path(), Style: theme.Plain}
	case !ok:
		return Span{Text: path(), Style: theme.Dim}
	case n.Naming() == ByOperationID: // these differ at both ends
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

// Box draws an operation for a box, which has little room, in at most width cells. What the document calls an operation
// takes the place of the method, too, as in seqs.
func (n SeqNames) Box(id model.OpID, width int) Line {
	if l := n.link(id); l.given {
		return Line{{Text: CutMiddle(l.name, width), Style: theme.Method(l.method)}}
	}
	return n.Operation(id, width)
}
