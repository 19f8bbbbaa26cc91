package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// vet reports findings and type errors in a file for Windows on any system.
func TestOtherSystem(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program: left out by -short")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "vet.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for text, want := range map[string]string{
		"":                                   "",
		`var X int = "x"`:                    "cannot use",
		`func F() int { for { }; return 1 }`: "unreachable code",
	} {
		module := t.TempDir()
		files := map[string]string{
			"go.mod": "module p\n\ngo 1.26\n", "p.go": "package p\n", "p_windows.go": "package p\n\n" + text + "\n",
		}
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(module, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for system, want := range map[string]string{"windows": want, "linux": ""} {
			c := exec.Command(program, "./...")
			c.Dir, c.Env = module, append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0", "GOWORK=off")
			out, err := c.CombinedOutput()
			if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
				t.Errorf("%q on %s: %v, want %q in\n%s", text, system, err, want, out)
			}
		}
	}
}
