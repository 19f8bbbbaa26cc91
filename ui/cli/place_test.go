package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/tty"
)

const shopSpec = "../../assets/demo/openapi.json"

// in starts Sonde in a folder, which is also its home.
func in(t *testing.T, dir string, args ...string) *tty.Session {
	t.Helper()
	return begin(t, command(t, dir, "sonde", args...), 100, 30)
}

func leave(t *testing.T, s *tty.Session) {
	t.Helper()
	if err := s.Type("q"); err != nil {
		t.Fatal(err)
	}
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Fatalf("exit code %d, error %v", code, err)
	}
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// In a folder with one spec, Sonde opens this spec. At the next start, it restores the user's position, but
// not an open request.
func TestLeftAndFoundAgain(t *testing.T) {
	dir := t.TempDir()
	copied(t, shopSpec, filepath.Join(dir, "shop.json"))
	t.Setenv("SHOP_TOKEN", "s3cret")
	s := in(t, dir)
	keys(t, s, "", "Gear shop", "/", "to the list", "orders", "orders", enter, "⏎ open",
		"4", "▸4 Seqs", " ", "1 picked", "6", "6 Export 1")
	leave(t, s)
	s = in(t, dir)
	keys(t, s, "", "▸6 Export 1", "1", "/ orders")
	leave(t, s)
	if out, err := command(t, dir, "sonde", "recent").Output(); err != nil ||
		!strings.Contains(string(out), "Gear shop") || !strings.Contains(string(out), filepath.Join(dir, "shop.json")) {
		t.Errorf("recent: %s, error %v", out, err)
	}
	state, err := os.ReadFile(filepath.Join(dir, "state", "sonde", "state.json"))
	if err != nil || !strings.Contains(string(state), `"filter": "orders"`) || strings.Contains(string(state), "s3cret") {
		t.Errorf("remembered %s, error %v", state, err)
	}
}

// In a folder with several specs, Sonde asks which one to open. In a folder without specs it asks for a
// recent one. If there is neither, it opens the demo.
func TestWhichSpec(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	copied(t, shopSpec, filepath.Join(dir, "a.json"))
	copied(t, shopSpec, filepath.Join(dir, "b.json"))
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name": "none"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := in(t, dir)
	keys(t, s, "", "▸ a.json", "\x1b[B", "▸ b.json", enter, "Gear shop")
	leave(t, s)
	cmd := command(t, dir, "sonde")
	cmd.Dir = other
	s = begin(t, cmd, 100, 30)
	keys(t, s, "", "▸ Gear shop", "f", "Nothing is in this folder", "f", "the built-in demo", "q", "")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
	s = in(t, other)
	keys(t, s, "", "demo  127.0.0.1")
	leave(t, s)
}

// If state.json cannot be read, Sonde shows an error and starts without the state.
func TestBadMemory(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "state", "sonde"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "state", "sonde", "state.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := in(t, dir)
	keys(t, s, "", "the saved state", "", "Gear shop")
	leave(t, s)
	s = in(t, dir)
	keys(t, s, "", "Welcome to Sonde", enter, "GET    /products") // the state was replaced by a valid one
	leave(t, s)
}
