// Package explain explains the terms on a screen, by the tables of docs/glossary.md. It does not explain keys.
package explain

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Term is a row of a glossary.
type Term struct {
	Names   []string // such as "DC", or "oo", "po" and "co"
	Meaning string
}

// Title returns the names of a term.
func (t Term) Title() string { return strings.Join(t.Names, ", ") }

// Glossary has the terms of a document.
type Glossary struct {
	terms         []Term
	byName        map[string]int // key: a name, also in lower case; value: an index into terms
	abbreviations map[int]bool   // indexes into terms; the terms that In finds
}

// abbreviationsTitle is the title of the section with the terms that In finds. The names in other sections are also
// ordinary words, such as "only".
const abbreviationsTitle = "Abbreviations on screens"

// Read reads the tables of a Markdown document. The first cell of a row has the names of a term, separated by commas, or
// a few signs. The second cell has the meaning. If several rows have the same name, the last row explains it.
func Read(markdown string) *Glossary {
	g := &Glossary{byName: map[string]int{}, abbreviations: map[int]bool{}}
	section := ""
	for line := range strings.Lines(markdown) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			section = title
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), " | ")
		name, isRow := strings.CutPrefix(cells[0], "| ")
		if !isRow || len(cells) < 2 || name == "term" {
			continue
		}
		g.add(Term{Names: names(plain(name)), Meaning: plain(strings.TrimSuffix(cells[1], " |"))}, section)
	}
	return g
}

func (g *Glossary) add(t Term, section string) {
	at := len(g.terms)
	g.terms = append(g.terms, t)
	g.abbreviations[at] = section == abbreviationsTitle
	for _, name := range t.Names {
		g.byName[strings.ToLower(name)] = at
	}
	for _, name := range t.Names { // P is not p
		g.byName[name] = at
	}
}

// names splits the names of a term. Signs are separated by blanks.
func names(cell string) []string {
	if strings.IndexFunc(cell, unicode.IsLetter) < 0 {
		return strings.Fields(cell)
	}
	return strings.Split(cell, ", ")
}

var markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plain removes the marks of Markdown from a text.
func plain(text string) string {
	return strings.NewReplacer("`", "", "*", "").Replace(markdownLink.ReplaceAllString(text, "$1"))
}

// Named returns the terms with the given names, in their order. It skips names that the glossary does not have, and
// terms that it has returned already.
func (g *Glossary) Named(names ...string) (all []Term) {
	for _, at := range g.find(names) {
		all = append(all, g.terms[at])
	}
	return all
}

func (g *Glossary) find(names []string) (found []int) {
	for _, name := range names {
		at, ok := g.byName[name]
		if !ok {
			at, ok = g.byName[strings.ToLower(name)]
		}
		if ok && !slices.Contains(found, at) {
			found = append(found, at)
		}
	}
	return found
}

// In returns the abbreviations that are in a text, in the order of the glossary. It ignores names of one letter, because
// these are also keys.
func (g *Glossary) In(text string) (all []Term) {
	inText := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		inText[word] = true
	}
	for at, t := range g.terms {
		if g.abbreviations[at] && slices.ContainsFunc(t.Names, func(name string) bool { return len(name) > 1 && inText[name] }) {
			all = append(all, t)
		}
	}
	return all
}

// Has reports whether the glossary explains a name.
func (g *Glossary) Has(name string) bool { return len(g.find([]string{name})) > 0 }
