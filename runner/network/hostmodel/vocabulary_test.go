package hostmodel

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPathPattern(t *testing.T) {
	for url, want := range map[string]string{
		"/charges":               "/charges",
		"/charges/17?x=1":        "/charges/{id}",
		"/v1/charges/ch_9a/void": "/v1/charges/{id}/void",
		"/v12345/a":              "/{id}/a", // too long for a version
		"/v/a":                   "/v/a",
		"/":                      "/",
		"":                       "",
	} {
		if got := pathPattern(url); got != want {
			t.Errorf("%q: got %q, want %q", url, got, want)
		}
	}
}

func TestReplacePartKeepsTheOtherPart(t *testing.T) {
	v := &Vocabulary{PairSeparators: []string{"="}, ParseableTexts: []string{"2006-01-02"}}
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		got := v.replacePart(r, "name=7", "text")
		switch got {
		case "text", "name=text", "name=2006-01-02", "text=7":
		default:
			t.Errorf("got %q", got)
		}
		if got := v.replacePart(r, "no separator", "text"); got != "text" {
			t.Errorf("without a separator: %q", got)
		}
	})
}

func TestPairHasASeparatorOfTheService(t *testing.T) {
	v := &Vocabulary{PairSeparators: []string{":="}}
	r := rand.New(rand.NewPCG(1, 2))
	pairs := 0
	for range 200 {
		name, _, isPair := strings.Cut(v.pair(r, "toner"), ":=")
		if isPair {
			pairs++
			if name != "toner" {
				t.Fatalf("the name of a pair became %q", name)
			}
		}
		if got := v.pair(r, ""); got != "" {
			t.Fatalf("no text became %q", got)
		}
	}
	if pairs == 0 {
		t.Error("no text became a pair with the separator of the service")
	}
}

func TestTextOfLength(t *testing.T) {
	v := &Vocabulary{Lengths: []int{8}}
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	for range 50 {
		seen[len(v.textOfLength(r, 100))] = true
	}
	if len(seen) != 2 || !seen[8] || !seen[9] {
		t.Errorf("lengths %v", seen)
	}
	if got := v.textOfLength(r, 7); got != "" {
		t.Errorf("longer than the limit: %q", got)
	}
}
