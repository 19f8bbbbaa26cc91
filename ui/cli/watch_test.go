package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// When the spec changes on disk, the app shows the new spec at once, in the same position. The editor opens
// a problem at its line.
func TestSpecIsWatched(t *testing.T) {
	dir := t.TempDir()
	spec := filepath.Join(dir, "shop.json")
	copied(t, shopSpec, spec)
	editor := filepath.Join(dir, "vi")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho \"$@\" > "+filepath.Join(dir, "edited")+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("EDITOR", editor)
	t.Setenv("VISUAL", "")
	s := in(t, dir)
	keys(t, s, "", "Gear shop", "4", "▸4 Seqs", " ", "1 picked")
	text, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(strings.Replace(string(text), "Gear shop", "Rope shop", 1), `"in": "query"`, `"in": "nowhere"`, 1)
	if err := os.WriteFile(spec, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	keys(t, s, "", "Rope shop", "", "1 picked", "", "1 problem", "!", "shop.json line", "e", "")
	var edited []byte
	// The screen has shown the note about the reload before, so the test cannot wait for the note. It waits until the
	// editor has written its file.
	for end := time.Now().Add(patience); !strings.HasSuffix(string(edited), "\n") && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
		edited, err = os.ReadFile(filepath.Join(dir, "edited"))
	}
	keys(t, s, "", "the spec was read again")
	if err != nil || !strings.HasPrefix(string(edited), "+") || !strings.Contains(string(edited), spec) {
		t.Errorf("the editor got %q, error %v", edited, err)
	}
}
