package bodyfile

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// write writes files into a new folder, which is the home and the current folder. A name that ends in a slash is a
// folder.
func write(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte("content of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRead(t *testing.T) {
	dir := write(t, "cat.png")
	for _, path := range []string{"cat.png", "~/cat.png", filepath.Join(dir, "cat.png")} {
		got, err := Read(path)
		size, sizeErr := Size(path)
		if err != nil || got != "content of cat.png" || sizeErr != nil || size != int64(len(got)) {
			t.Errorf("%s: read %q, %d bytes, errors %v, %v", path, got, size, err, sizeErr)
		}
	}
}

// A file that cannot be sent has an error of one line with its name and the reason.
func TestCannotRead(t *testing.T) {
	write(t, "inside/")
	large, err := os.Create("large")
	if err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(MaxSize + 1); err != nil {
		t.Fatal(err)
	}
	large.Close()
	cases := map[string]string{"none.png": "no such file", "inside": "folder", "large": "at most 33,554,432", "": "no such file"}
	if runtime.GOOS != "windows" {
		cases[os.DevNull] = "regular file"
	}
	for path, want := range cases {
		_, err := Read(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one with %q", path, err, want)
		}
	}
}

func TestComplete(t *testing.T) {
	dir := write(t, "cat.png", "cats/tom.png", "dog.png", ".hidden")
	if err := os.Symlink("cats", "link"); err != nil {
		t.Skip(err)
	}
	for typed, want := range map[string][]string{
		"":           {"cat.png", "cats/", "dog.png", "link/"},
		"ca":         {"cat.png", "cats/"},
		"cats/":      {"cats/tom.png"},
		"~/do":       {"~/dog.png"},
		".h":         {".hidden"},
		"x":          nil,
		"none/x":     nil,
		dir + "/dog": {dir + "/dog.png"},
	} {
		if got := Complete(typed); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

// A temporary file has the given name, so that the editor knows its kind, and is removed when it is taken.
func TestTemporary(t *testing.T) {
	path, err := WriteTemporary("body.json", "{}")
	if err != nil || filepath.Base(path) != "body.json" {
		t.Fatalf("wrote %q, error %v", path, err)
	}
	if err := os.WriteFile(path, []byte(`{"a":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := TakeTemporary(path)
	if err != nil || got != `{"a":1}` {
		t.Errorf("took %q, error %v", got, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if _, err := TakeTemporary(path); err == nil {
		t.Error("took a file that does not exist")
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if runtime.GOOS != "windows" {
		if _, err := WriteTemporary("body.json", ""); err == nil {
			t.Error("wrote into a folder that does not exist")
		}
	}
}
