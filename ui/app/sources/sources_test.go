package sources

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/runner/campaign"
)

func TestCommonFolder(t *testing.T) {
	for want, files := range map[string][]string{
		"/a/b": {"/a/b/x", "/a/b/c/y"}, "/a": {"/a/b/x", "/a/bc/y"}, "/": {"/a/x", "/b/y"}, "/c": {"/c/x"},
	} {
		if got := commonFolder(files); got != want {
			t.Errorf("%q: got %q", files, got)
		}
	}
}

// The pack of a module leaves out hidden files, and the files that the caller names.
func TestPackModule(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"go.mod", "main.go", "cmd/server/main.go", ".git/HEAD", "internal/.hidden", "results.ndjson", "results/1.ndjson", "results.txt",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	without := []string{filepath.Join(root, "results.ndjson"), filepath.Join(root, "results")}
	files, err := OfModule(t.Context(), filepath.Join(root, "cmd", "server"), without...)
	if err != nil {
		t.Fatal(err)
	}
	packed, folder, err := Pack(files)
	if err != nil || folder != root {
		t.Fatalf("folder %q, %v", folder, err)
	}
	to := filepath.Join(t.TempDir(), "unpacked")
	if err := campaign.Unpack(packed, to); err != nil {
		t.Fatal(err)
	}
	var got []string
	unpacked, err := Below(t.Context(), to)
	for _, f := range unpacked {
		got = append(got, filepath.ToSlash(strings.TrimPrefix(f, to)))
	}
	if want := []string{"/cmd/server/main.go", "/go.mod", "/main.go", "/results.txt"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("got %q, want %q, %v", got, want, err)
	}
	if _, err := OfModule(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "no go.mod") {
		t.Errorf("no module: %v", err)
	}
}
