package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model/config"

	"github.com/google/go-cmp/cmp"
)

func TestLoadCommands(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "commands.yaml")
	text := "- run: [python3, app.py, --port, \"{port}\"]\n  dir: shop\n- run: ./server --quiet\n  dir: /srv/api\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := config.LoadCommands(file)
	want := []config.AllowedCommand{
		{Run: []string{"python3", "app.py", "--port", "{port}"}, Dir: filepath.Join(dir, "shop")},
		{Run: []string{"./server", "--quiet"}, Dir: "/srv/api"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	for text, want := range map[string]string{
		"- dir: x":                "line 1: a command needs run",
		"- {run: [a], folder: b}": `unknown key "folder"`,
		"- run: 'sh -c \"rm\"'":   "needs a shell",
		"[":                       "",
	} {
		if _, err := config.ParseCommands([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := config.LoadCommands(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "docs/distributed.md") {
		t.Errorf("no file: %v", err)
	}
}
