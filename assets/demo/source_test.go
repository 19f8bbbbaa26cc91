package demo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sonde/assets/demo"
)

// TestSourceBuilds checks that the shop's source builds outside of this repository, even if a parent folder has
// a go.work.
func TestSourceBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs go vet on a module: left out by -short")
	}
	parent := t.TempDir()
	if err := os.WriteFile(filepath.Join(parent, "go.work"), []byte("go 1.24\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(parent, "shop")
	if err := demo.WriteSource(dir); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "vet", demo.ServerPackage)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
