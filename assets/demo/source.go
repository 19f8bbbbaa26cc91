package demo

import (
	"embed"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed *.go openapi.json server/main.go
var source embed.FS

// sourceModule is the go.mod of the shop as a module of its own. It needs only the standard
// library.
const sourceModule = "module sonde\n\ngo 1.24\n"

// ServerPackage is the shop's main package in the module that WriteSource writes.
const ServerPackage = "./assets/demo/server"

// WriteSource writes the shop's source into a folder, as a module of its own.
func WriteSource(dir string) error {
	for _, in := range []string{".", "server"} {
		if err := writeFolder(filepath.Join(dir, "assets", "demo", in), in); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(sourceModule), 0o644)
}

// ReadSource returns a file that WriteSource writes, by its path in the module.
func ReadSource(name string) ([]byte, error) {
	return source.ReadFile(strings.TrimPrefix(name, "assets/demo/"))
}

// writeFolder writes the files of a folder, without tests and this file.
func writeFolder(to, from string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := source.ReadDir(from)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.IsDir() || f.Name() == "source.go" || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		data, err := source.ReadFile(path.Join(from, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, f.Name()), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
