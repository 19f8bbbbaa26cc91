package editor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEdit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		visual, editor string
		line           int
		want           []string
	}{
		{"", "vim -n", 12, []string{"vim", "-n", "+12", file}},
		{"code --wait", "vim", 3, []string{"code", "--wait", "--goto", file + ":3"}},
		{"", "/usr/bin/hx", 3, []string{"/usr/bin/hx", file + ":3"}},
		{"", "nano", 0, []string{"nano", file}},
		{"", "an-editor", 3, []string{"an-editor", file}},
		{"", "", 3, append([]string{fallback()}, placeFor(fallback(), file, 3)...)},
	} {
		t.Setenv("VISUAL", c.visual)
		t.Setenv("EDITOR", c.editor)
		cmd, err := Command(file, c.line)
		if err != nil || !slices.Equal(cmd.Args, c.want) {
			t.Errorf("%q, %q: got %v, error %v, want %q", c.visual, c.editor, cmd, err, c.want)
		}
	}
	t.Setenv("EDITOR", " ")
	if _, err := Command(file, 1); err == nil {
		t.Error("took an editor that is blank")
	}
	if _, err := Command("https://me:secret@example.com/api.yaml", 1); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("of a URL: %v", err)
	}
}
