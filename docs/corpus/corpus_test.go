package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// published creates a repository with two versions of a spec.
func published(t *testing.T, older, newer string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here: the corpus cannot be fetched")
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if _, err := git(context.Background(), dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	run("config", "uploadpack.allowAnySHA1InWant", "true")
	for _, text := range []string{older, newer} {
		if err := os.WriteFile(filepath.Join(dir, "spec.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		run("add", ".")
		run("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a version")
	}
	return dir
}

func TestWriteFetchesWhatIsMissing(t *testing.T) {
	const older, newer = "openapi: 3.0.0\n", "openapi: 3.1.0\n"
	c := collection{
		folder:     "emb",
		repository: published(t, older, newer),
		specs:      []spec{{blob: blobHash([]byte(older)), path: "deep/old.yaml"}, {blob: blobHash([]byte(newer)), path: "new.yaml"}},
	}
	dir := t.TempDir()
	if err := write(t.Context(), dir, []collection{c}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"emb/deep/old.yaml": older, "emb/new.yaml": newer} {
		if got, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
		}
	}
	for _, name := range tables {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("the table %s is not there: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "emb", "new.yaml"), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.missing(dir); !slices.Equal(got, c.specs[1:]) {
		t.Errorf("missing after a change: %v, want %v", got, c.specs[1:])
	}
}

func TestWriteNamesTheWayOut(t *testing.T) {
	c := collection{
		folder:     "oas2",
		repository: published(t, "a", "b"),
		specs:      []spec{{blob: blobHash([]byte("c")), path: "c.yaml"}},
	}
	err := write(t.Context(), t.TempDir(), []collection{c})
	if err == nil || !strings.Contains(err.Error(), "-mirror oas2=REPOSITORY") {
		t.Errorf("got %v, want an error that names -mirror", err)
	}
}

func TestListsAreWhole(t *testing.T) {
	want := map[string]int{"oas2": 251, "emb": 23}
	for _, c := range collections(nil) {
		paths := map[string]bool{}
		for _, s := range c.specs {
			if len(s.blob) != 40 || !filepath.IsLocal(s.path) || paths[s.path] {
				t.Errorf("%s: %q is no line of a list", c.folder, s)
			}
			paths[s.path] = true
		}
		if len(c.specs) != want[c.folder] {
			t.Errorf("%s has %d specs, want %d", c.folder, len(c.specs), want[c.folder])
		}
	}
}

func TestMirrorFlag(t *testing.T) {
	m := mirrorFlag{}
	for text, ok := range map[string]bool{"emb=../a": true, "emb=": false, "other=../a": false, "emb": false} {
		if err := m.Set(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := collections(m)[1].repository; got != "../a" {
		t.Errorf("got %q, want ../a", got)
	}
}
