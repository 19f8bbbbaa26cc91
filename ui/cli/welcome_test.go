package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/assets/demo"
)

// The first start in an empty folder says what is shown and how to open a spec. It says so until a spec was opened, and
// not if the user asks for the demo.
func TestWelcome(t *testing.T) {
	dir := t.TempDir()
	const welcome = "Welcome to Sonde"
	s := begin(t, command(t, dir, "sonde"), 80, 24)
	keys(t, s, "", welcome, "", "sonde https://HOST/openapi.json", "", "New here?", enter, "")
	waitUntilGone(t, s, welcome)
	leave(t, s)

	s = in(t, dir)
	keys(t, s, "", welcome, "2", "▸2 Groups")
	waitUntilGone(t, s, welcome)
	leave(t, s)

	s = in(t, dir, "--demo")
	keys(t, s, "", "Gear shop", "2", "▸2 Groups")
	if strings.Contains(strings.Join(s.Lines(), "\n"), welcome) {
		t.Error("the demo that was asked for begins with a welcome")
	}
	leave(t, s)

	spec := filepath.Join(dir, "openapi.yaml")
	if err := os.WriteFile(spec, demo.Specification(), 0o600); err != nil {
		t.Fatal(err)
	}
	s = in(t, dir)
	keys(t, s, "", "no service", "2", "▸2 Groups")
	leave(t, s)
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, dir, "sonde")
	cmd.Dir = empty
	s = begin(t, cmd, 100, 30)
	keys(t, s, "", "openapi.yaml") // the recent specs to choose from
	if strings.Contains(strings.Join(s.Lines(), "\n"), welcome) {
		t.Error("the welcome is shown after a spec was opened")
	}
}

// What was done is undone by a key, and is written as a script.
func TestUndoAndCommandLog(t *testing.T) {
	dir := t.TempDir()
	s := in(t, dir, "--demo")
	keys(t, s, "", "New here?", ctrlX, "", "/", "to the list", "cart", "/ cart", enter, "more by value", "u", "undid: filter cart",
		"/", "to the list", "health", "/ health", enter, "GET", "r", "send it", "r", "200", "~", "Command log", "", "send GET /health")
	keys(t, s, "w", "Write all to", enter, "wrote")
	script, err := os.ReadFile(filepath.Join(dir, "sonde-commands.sh"))
	if err != nil || !strings.Contains(string(script), "# ") || !strings.Contains(string(script), "\ncurl -i http://127.0.0.1:") {
		t.Errorf("the script is %q, error %v", script, err)
	}
}
