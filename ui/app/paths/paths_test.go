package paths_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/app/paths"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	for _, text := range []string{"one", "two"} {
		if err := paths.WriteFile(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if err := paths.WriteFile(dir, nil); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

func TestFirstMissing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := paths.FirstMissing(dir, []string{"a", "b", "c"}); got != "b" {
		t.Errorf("got %q, want b", got)
	}
	if got := paths.FirstMissing("", []string{filepath.Join(dir, "a")}); got != "" {
		t.Errorf("got %q, want none", got)
	}
}

func TestStampChangesWithAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	if got := paths.FileStamp([]string{file}); got != "" {
		t.Errorf("no file: %q", got)
	}
	stamps := map[string]bool{}
	for _, text := range []string{"1", "22", "333"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stamps[paths.FileStamp([]string{file})] = true
	}
	if len(stamps) != 3 {
		t.Errorf("%d stamps of 3 states", len(stamps))
	}
}
