package home

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/theme"

	"github.com/google/go-cmp/cmp"
)

// What is right is taken, what is wrong is listed with its line and what there is.
func TestParsePrefs(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Prefs
	}{
		"empty":         {"", Prefs{Theme: "auto"}},
		"comments only": {"# nothing\n", Prefs{Theme: "auto"}},
		"all":           {"theme: light\nglyphs: ascii\n", Prefs{Theme: "light", ASCII: true}},
		"no values":     {"theme:\nglyphs: ~\n", Prefs{Theme: "auto"}},
		"JSON":          {`{"theme": "dark"}`, Prefs{Theme: "dark"}},
		"one wrong of three": {"theme: drak\nfont: big\nglyphs: ascii\n", Prefs{Theme: "auto", ASCII: true, Wrong: []Wrong{
			{1, `theme is "drak": take one of auto, dark, light, high-contrast, colour-blind`},
			{2, `"font" is no setting: there are glyphs, keys, theme`},
		}}},
		"keys": {
			"keys:\n  seqs: {x: space}\n  everywhere:\n    ctrl+q: q\n",
			Prefs{
				Theme: "auto",
				Keys:  []Rebound{{Screen: "seqs", Key: "x", As: "space", Line: 2}, {Screen: "everywhere", Key: "ctrl+q", As: "q", Line: 4}},
			},
		},
		"wrong keys": {"keys:\n  seqs: x\n", Prefs{Theme: "auto", Wrong: []Wrong{
			{2, `the keys of "seqs" are such as {x: space}, where x does what space does`},
		}}},
		"no keys":           {"keys: x\n", Prefs{Theme: "auto", Wrong: []Wrong{{1, "keys takes screens, such as seqs, or everywhere"}}}},
		"a list for a word": {"\nglyphs: [ascii]\n", Prefs{Theme: "auto", Wrong: []Wrong{{2, "glyphs takes one of unicode, ascii"}}}},
		"a list":            {"- theme\n", Prefs{Theme: "auto", Wrong: []Wrong{{1, "the keys glyphs, keys, theme belong here"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ParsePrefs([]byte(c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
	broken := ParsePrefs([]byte("theme: dark\nglyphs: [\n"))
	if len(broken.Wrong) != 1 || broken.Wrong[0].Line == 0 {
		t.Errorf("of what is no YAML: %+v", broken)
	}
}

func TestReadPrefs(t *testing.T) {
	dir := t.TempDir()
	if got := ReadPrefs(filepath.Join(dir, "none")); len(got.Wrong) > 0 {
		t.Errorf("without a file: %+v", got)
	}
	if got := ReadPrefs(dir); len(got.Wrong) != 1 || got.Theme != theme.Auto {
		t.Errorf("of a folder: %+v", got)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, []byte("#"+strings.Repeat(" ", mostBytes)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ReadPrefs(large); len(got.Wrong) != 1 || !strings.Contains(got.Wrong[0].Text, "larger than 64 KiB") {
		t.Errorf("of a large file: %+v", got)
	}
}

func TestPrefsFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	if got, err := PrefsFile(); err != nil || got != filepath.Join(dir, "sonde", "config.yaml") {
		t.Errorf("got %q, error %v", got, err)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative") // to be left aside, says XDG
	if got, _ := PrefsFile(); strings.HasPrefix(got, "relative") {
		t.Errorf("got %q", got)
	}
}

func FuzzPrefs(f *testing.F) {
	f.Add("theme: dark\nglyphs: ascii\n")
	f.Add("theme: &a [*a]\n? [x]\n: {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := ParsePrefs([]byte(text))
		if theme.Check(p.Theme) != nil {
			t.Errorf("took the theme %q", p.Theme)
		}
	})
}
