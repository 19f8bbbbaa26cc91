package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/ui/app/service"
)

// The demo's source is in one folder of the user's cache. A modified copy is not built.
func TestDemoFolder(t *testing.T) {
	cache := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, cache)
	}
	source := func() string {
		t.Helper()
		dir, err := service.DemoFolder(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if !demo.HasSource(dir) {
			t.Errorf("%s is not the demo's source", dir)
		}
		return dir
	}
	first := source()
	if !strings.HasPrefix(first, cache) {
		t.Errorf("the source is in %s, want it below %s", first, cache)
	}
	if again := source(); again != first {
		t.Errorf("the source is in %s, then in %s", first, again)
	}
	if err := os.WriteFile(filepath.Join(first, "go.mod"), []byte("module other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if other := source(); strings.HasPrefix(other, cache) {
		t.Errorf("a changed copy is used: %s", other)
	}
}

// Without a cache folder the source is below the given folder.
func TestDemoFolderWithoutCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, file)
	}
	dir := t.TempDir()
	source, err := service.DemoFolder(dir)
	if err != nil || !strings.HasPrefix(source, dir) || !demo.HasSource(source) {
		t.Errorf("the source is in %s, error %v; want it below %s", source, err, dir)
	}
}
