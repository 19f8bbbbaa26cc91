package tui

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sonde/ui/tui/screen"

	"github.com/charmbracelet/x/ansi"
)

// The help begins with the terms that the screen shows now. The cursor is on the first key below them.
func TestHelpBeginsWithTerms(t *testing.T) {
	for tab, want := range map[string][]string{
		"2": {"DC         the seqs of rule DC: a call follows only if it takes a", "SC         the seqs of rule SC"},
		"4": {"DC         the seqs of rule DC"},
		"5": {"P, P_r, F, n, m", "P: the share of new tests"},
	} {
		d := open(shop(), nil).size(120, 36).press(tab, "?")
		rows := strings.Split(d.sees(t, want...).app.View(), "\n")
		first := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "│  "+strings.Fields(want[0])[0]+" ") })
		cursor := slices.IndexFunc(rows, func(row string) bool { // that of the help, not of the list on the left
			runes := []rune(row)
			return strings.Contains(string(runes[min(20, len(runes)):]), "│▸ ")
		})
		if first < 0 || cursor < first {
			t.Errorf("%s: the first term is in row %d, the cursor in row %d\n%s", tab, first, cursor, d.app.View())
		}
		d.press("up").press("enter").sees(t, "Keys of") // a term is not a key
	}
	open(shop(), nil).press("?").misses(t, "the seqs of rule DC") // Explore shows no rule
}

// The help explains each term once, also at 60 and 80 columns, and its meaning is not cut.
func TestHelpOfTermsFits(t *testing.T) {
	for _, size := range [][2]int{{60, 24}, {80, 24}, {200, 50}} {
		d := open(shop(), nil).size(size[0], size[1]).press("4", "?").sees(t, "the seqs of rule DC", "2xx, 4xx, 5xx ")
		if n := strings.Count(d.app.View(), "│  DC "); n != 1 {
			t.Errorf("%v: %d rows begin with DC\n%s", size, n, d.app.View())
		}
		d.write("before it exchange").misses(t, "no key does that")
		whole(t, d)
	}
}

// lister is a screen that lists terms.
type lister struct {
	screen.Screen
	terms []string
}

func (l lister) Terms() []string { return l.terms }

// The terms that a screen lists come before the abbreviations in its picture, each once.
func TestShownTerms(t *testing.T) {
	terms := shownTerms(lister{terms: []string{"cut", "SC", "no such term"}}, "│ DC 2 │ SC 3 │")
	var titles []string
	for _, term := range terms {
		titles = append(titles, term.Title())
	}
	if want := []string{"cut", "SC", "DC"}; !slices.Equal(titles, want) {
		t.Errorf("got %q, want %q", titles, want)
	}
}

// known are words on screens that look like abbreviations of Sonde and are not: names of HTTP, of the network, of keys,
// of units, and of the demo.
var known = strings.Fields(`GET POST PUT PATCH DELETE HEAD http HTTP https ms tcp TCP UDP dns tls TLS API URL JSON XML HTML
	NATS NAME ADDR SPEC ctrl pgdn pgup hjkl svg cmd src sh SKU EUR MB XL TAKE FROM SELECT AT DE CH kg xx xxx xxxx SQL SSH
	sec GB kB png OK CPU ID UUID TENT SQLI XSS GE`) // GE is a part of GET

// abbreviation is the form of abbreviations: capitals, or small letters without a vowel.
var abbreviation = regexp.MustCompile(`^([A-Z]{2,4}|[b-df-hj-np-tv-xz]{3,4}|[A-Z]_[a-z])$`)

// Each abbreviation on the screens is in the glossary, so that the help can explain it. A word that is on one picture
// only is a part of a longer one.
func TestAbbreviationsAreExplained(t *testing.T) {
	seen := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".golden" || strings.Contains(path, "hostile") || strings.Contains(path, "Jump") {
			return err
		}
		data, err := os.ReadFile(path)
		words := strings.FieldsFunc(ansi.Strip(string(data)), func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		})
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			if abbreviation.MatchString(w) {
				seen[w] = append(seen[w], path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen["DC"]) == 0 || len(seen["P_r"]) == 0 {
		t.Fatalf("the pictures were not found: %v", seen)
	}
	for w, paths := range seen {
		if len(paths) > 8 && !glossary().Has(w) && !slices.Contains(known, w) {
			t.Errorf("%s is not in docs/glossary.md; it is on %d pictures, such as %s", w, len(paths), paths[0])
		}
	}
}
