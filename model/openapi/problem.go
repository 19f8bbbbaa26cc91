package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// maxProblems limits the number of problems that are listed.
const maxProblems = 1000

// problems collects the parts of a document that could not be read.
type problems struct {
	list     []problem
	unlisted int // the number of problems beyond maxProblems
}

// problem is a model.Problem that has a place instead of a pointer.
type problem struct {
	at   *place
	line int32
	text string
}

// add adds a problem at a place. The problem gets the line of n, or 0 if n is nil.
func (p *problems) add(at *place, n *node, format string, args ...any) {
	if len(p.list) >= maxProblems {
		p.unlisted++
		return
	}
	line := int32(0)
	if n != nil {
		line = n.line
	}
	p.list = append(p.list, problem{at: at, line: line, text: printable(fmt.Sprintf(format, args...))})
}

// printable replaces the characters in a text from a document that cannot be printed by "?".
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return '?'
	}, text)
}

// modelProblems returns all problems. The problems of the spec come first, in the order of their lines, then the
// problems of other documents.
func (p *problems) modelProblems() []model.Problem {
	slices.SortStableFunc(p.list, func(a, b problem) int {
		switch {
		case a.at.doc == b.at.doc:
			return cmp.Compare(a.line, b.line)
		case a.at.doc.main:
			return -1
		case b.at.doc.main:
			return 1
		default:
			return strings.Compare(a.at.doc.name, b.at.doc.name)
		}
	})
	var all []model.Problem
	for _, q := range p.list {
		all = append(all, model.Problem{Pointer: q.at.pointer(), Line: int(q.line), Text: q.text})
	}
	if p.unlisted > 0 {
		all = append(all, model.Problem{Text: fmt.Sprintf("and %d more problems", p.unlisted)})
	}
	return all
}
