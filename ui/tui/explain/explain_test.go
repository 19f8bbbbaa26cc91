package explain

import (
	"strings"
	"testing"

	"sonde/docs"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const small = `# Glossary

| term | what it is | from | not |
|---|---|---|---|
| call | one operation with *content*, see [the page](page.md) | testing | |
| only | the only one | | |

## Abbreviations on screens

| term | what it is | from | not |
|---|---|---|---|
| DC | rule ` + "`DC`" + ` | paper | SC |
| P, P_r | knobs | | |

## Columns and signs on screens

| term | what it is |
|---|---|
| ✓ ✗ | good, bad |
| only | a column |
`

func titles(all []Term) (out []string) {
	for _, t := range all {
		out = append(out, t.Title())
	}
	return out
}

func TestRead(t *testing.T) {
	want := []Term{
		{[]string{"call"}, "one operation with content, see the page"},
		{[]string{"only"}, "the only one"},
		{[]string{"DC"}, "rule DC"},
		{[]string{"P", "P_r"}, "knobs"},
		{[]string{"✓", "✗"}, "good, bad"},
		{[]string{"only"}, "a column"},
	}
	if diff := cmp.Diff(want, Read(small).terms, cmpopts.IgnoreUnexported()); diff != "" {
		t.Error(diff)
	}
}

// Names are found in their own case or in lower case, each term once. The last row with a name explains it.
func TestNamed(t *testing.T) {
	g := Read(small)
	if diff := cmp.Diff([]string{"DC", "P, P_r", "✓, ✗", "call"}, titles(g.Named("DC", "P_r", "P", "nothing", "✗", "Call"))); diff != "" {
		t.Error(diff)
	}
	if got := g.Named("only"); len(got) != 1 || got[0].Meaning != "a column" {
		t.Errorf("got %v", got)
	}
	if !g.Has("P") || g.Has("X") || g.Has("") {
		t.Error("Has is wrong")
	}
}

// Abbreviations are found as whole words. Names of one letter, and names in other sections, are not.
func TestIn(t *testing.T) {
	g := Read(small)
	for text, want := range map[string][]string{
		"╭─ Seqs · ▸DC 223 ─╮": {"DC"},
		"random P_r 0.50":      {"P, P_r"},
		"P call them: only ✓":  nil,
		"ABCDC DCs call":       nil,
		"P_r DC":               {"DC", "P, P_r"},
	} {
		if diff := cmp.Diff(want, titles(g.In(text))); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// The glossary of the documents has the terms of screens, and each of its rows has a meaning.
func TestGlossary(t *testing.T) {
	g := Read(docs.Glossary)
	shown := strings.Fields("DC SC P P_r F n m grp cov len oo 2xx ✓ ⊘ seq")
	for _, name := range append(shown, "value-sharing group") {
		if !g.Has(name) {
			t.Errorf("%q is not explained", name)
		}
	}
	for _, term := range g.terms {
		if strings.TrimSpace(term.Meaning) == "" || strings.ContainsAny(term.Title()+term.Meaning, "|*`") {
			t.Errorf("%q has the meaning %q", term.Title(), term.Meaning)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add("| a")
	f.Add("| | |\n## \n| , | x")
	f.Fuzz(func(t *testing.T, text string) {
		g := Read(text)
		for _, term := range g.terms {
			if len(term.Names) == 0 && strings.TrimSpace(term.Title()) != "" {
				t.Errorf("%q has no name", term.Title())
			}
			g.Named(term.Names...)
		}
		g.In(text)
	})
}
