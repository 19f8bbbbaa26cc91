package demo_test

import (
	"os/exec"
	"testing"

	"sonde/assets/demo"
)

// The shop's source builds on its own, outside of this repository.
func TestSourceBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs go vet on a module: left out by -short")
	}
	dir := t.TempDir()
	if err := demo.WriteSource(dir); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "vet", demo.ServerPackage)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
