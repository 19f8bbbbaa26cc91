package userdata

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/google/go-cmp/cmp"
)

// Valid preferences are read. Each invalid one is listed with its line and the valid values.
func TestParsePrefs(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Preferences
	}{
		"empty":         {"", Preferences{Theme: "auto"}},
		"comments only": {"# nothing\n", Preferences{Theme: "auto"}},
		"all": {
			"theme: light\nglyphs: ascii\nnames: summary\n",
			Preferences{Theme: "light", ASCII: true, Names: draw.BySummary},
		},
		"no values": {"theme:\nglyphs: ~\nnames:\n", Preferences{Theme: "auto"}},
		"JSON":      {`{"theme": "dark"}`, Preferences{Theme: "dark"}},
		"one wrong of three": {"theme: drak\nfont: big\nglyphs: ascii\n", Preferences{Theme: "auto", ASCII: true, Wrong: []Problem{
			{1, `theme is "drak": take one of auto, dark, light, high-contrast, colour-blind`},
			{2, `"font" is no setting: there are glyphs, keys, names, theme`},
		}}},
		"keys": {
			"keys:\n  seqs: {x: space}\n  everywhere:\n    ctrl+q: q\n",
			Preferences{
				Theme: "auto",
				Keys: []KeyBinding{
					{Screen: "seqs", Key: "x", As: "space", Line: 2},
					{Screen: "everywhere", Key: "ctrl+q", As: "q", Line: 4},
				},
			},
		},
		"wrong names": {"names: id\n", Preferences{Theme: "auto", Wrong: []Problem{
			{1, `names is "id": take one of path, operationId, summary`},
		}}},
		"wrong keys": {"keys:\n  seqs: x\n", Preferences{Theme: "auto", Wrong: []Problem{
			{2, `the keys of "seqs" are such as {x: space}, where x does what space does`},
		}}},
		"no keys": {
			"keys: x\n",
			Preferences{Theme: "auto", Wrong: []Problem{{1, "keys takes screens, such as seqs, or everywhere"}}},
		},
		"a list for a word": {
			"\nglyphs: [ascii]\n",
			Preferences{Theme: "auto", Wrong: []Problem{{2, "glyphs takes one of unicode, ascii"}}},
		},
		"a list": {"- theme\n", Preferences{Theme: "auto", Wrong: []Problem{{1, "the keys glyphs, keys, names, theme belong here"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ParsePreferences([]byte(c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
	broken := ParsePreferences([]byte("theme: dark\nglyphs: [\n"))
	if len(broken.Wrong) != 1 || broken.Wrong[0].Line == 0 {
		t.Errorf("of what is no YAML: %+v", broken)
	}
}

func TestReadPrefs(t *testing.T) {
	dir := t.TempDir()
	if got := ReadPreferences(filepath.Join(dir, "none")); len(got.Wrong) > 0 {
		t.Errorf("without a file: %+v", got)
	}
	if got := ReadPreferences(dir); len(got.Wrong) != 1 || got.Theme != theme.Auto {
		t.Errorf("of a folder: %+v", got)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, []byte("#"+strings.Repeat(" ", maxBytes)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ReadPreferences(large); len(got.Wrong) != 1 || !strings.Contains(got.Wrong[0].Text, "larger than 64 KiB") {
		t.Errorf("of a large file: %+v", got)
	}
}

func TestPrefsFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	if got, err := PreferencesFile(); err != nil || got != filepath.Join(dir, "sonde", "config.yaml") {
		t.Errorf("got %q, error %v", got, err)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative") // XDG requires relative paths to be ignored
	if got, _ := PreferencesFile(); strings.HasPrefix(got, "relative") {
		t.Errorf("got %q", got)
	}
}

func FuzzPrefs(f *testing.F) {
	f.Add("theme: dark\nglyphs: ascii\n")
	f.Add("theme: &a [*a]\n? [x]\n: {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := ParsePreferences([]byte(text))
		if theme.Check(p.Theme) != nil {
			t.Errorf("took the theme %q", p.Theme)
		}
	})
}
