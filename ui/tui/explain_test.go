package tui

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sonde/ui/tui/screen"
)

// The glossary explains all terms that screens list, in all states.
func TestGlossaryHasTheTermsOfScreens(t *testing.T) {
	page, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, line := range strings.Split(string(page), "\n") {
		if names, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok {
			known = append(known, strings.Split(names, ", ")...)
		}
	}
	for name, keys := range rowStates {
		d := open(shop(), nil).size(120, 36).send(halfway).press(keys...)
		terms := d.app.screens.visible().(screen.TermLister).Terms()
		if len(terms) == 0 {
			t.Errorf("%s: no terms", name)
		}
		for _, term := range terms {
			if !slices.Contains(known, term) {
				t.Errorf("%s: %q is not in the glossary", name, term)
			}
		}
	}
}
