package gene_test

import (
	"regexp"
	"slices"
	"testing"

	"sonde/runner/search/gene"
)

func TestPatternEdges(t *testing.T) {
	for expr, want := range map[string][]string{
		`^"([0-9]+?)"$|\*`:                  {`^"[0-9]+"$`, `^\*$`, `^\*!!$`, `^!\*!$`},
		`^(asc|desc)$`:                      {`^asc$`, `^desc$`},
		`^v(1|beta)-[a-z]{2}$`:              {`^v1-..$`, `^vbeta-..$`},
		`^[a-z]+$`:                          {},
		`[a-z]{3}`:                          {`^[a-z]{3}!!$`, `^![a-z]{3}!$`},
		`^(ab|cd|ef|gh|ij|kl|mn|op|qr|st)$`: {`^ab$`, `^cd$`, `^ef$`, `^gh$`, `^ij$`, `^kl$`, `^mn$`, `^op$`},
		`(`:                                 {},
	} {
		got := gene.PatternEdges(expr)
		matches := func(text, expr string) bool { return regexp.MustCompile(expr).MatchString(text) }
		if !slices.EqualFunc(got, want, matches) {
			t.Errorf("the edges of %s are %q, want %q", expr, got, want)
		}
		for _, text := range got {
			if !regexp.MustCompile(expr).MatchString(text) {
				t.Errorf("%s does not match %q", expr, text)
			}
		}
	}
}
