package tui

import (
	"slices"
	"strings"
	"sync"

	"sonde/docs"
	"sonde/ui/tui/explain"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

// glossary returns the terms of docs/glossary.md.
var glossary = sync.OnceValue(func() *explain.Glossary { return explain.Read(docs.Glossary) })

// shownTerms returns the terms that a screen shows now: those that the screen lists, and the abbreviations in its
// picture.
func shownTerms(s screen.Screen, picture string) []explain.Term {
	var listed []explain.Term
	if l, ok := s.(screen.TermLister); ok {
		listed = glossary().Named(l.Terms()...)
	}
	for _, t := range glossary().In(ansi.Strip(picture)) {
		if !slices.ContainsFunc(listed, func(other explain.Term) bool { return other.Title() == t.Title() }) {
			listed = append(listed, t)
		}
	}
	return listed
}

// openHelp shows the terms on the visible screen, and its keys.
func openHelp(a *app) {
	var terms []explain.Term
	if a.spec.opened != nil {
		terms = shownTerms(a.screens.visible(), a.body())
	}
	a.overlay = newHelp(a.screens.visible().Name(), terms, unexplained(a.allKeys(), terms), a.width)
}

// unexplained leaves out the signs whose names are all among the terms.
func unexplained(all []key.Binding, terms []explain.Term) []key.Binding {
	explained := map[string]bool{}
	for _, t := range terms {
		for _, name := range t.Names {
			explained[name] = true
		}
	}
	return slices.DeleteFunc(all, func(b key.Binding) bool {
		names := strings.Fields(b.Help().Key)
		return len(b.Keys()) == 0 && !slices.ContainsFunc(names, func(name string) bool { return !explained[name] })
	})
}
