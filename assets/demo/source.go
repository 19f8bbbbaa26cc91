package demo

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed *.go openapi.json server/main.go
var source embed.FS

// sourceModule is the go.mod of the shop as a module of its own. The shop needs only the standard
// library.
const sourceModule = "module sonde\n\ngo 1.24\n"

// sourceWorkspace is the module's go.work. If the module had none, a go.work in a parent folder,
// such as the user's home, would exclude the module.
const sourceWorkspace = "go 1.24\n\nuse .\n"

// sourceFolder is the folder of this package in the module.
const sourceFolder = "assets/demo/"

// ServerPackage is the shop's main package in the module that WriteSource writes.
const ServerPackage = "./assets/demo/server"

// sourceFiles returns the files of the module by their paths in the module, with slashes. Tests and this file
// are left out.
func sourceFiles() (map[string][]byte, error) {
	files := map[string][]byte{"go.mod": []byte(sourceModule), "go.work": []byte(sourceWorkspace)}
	err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == "source.go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := source.ReadFile(name)
		files[sourceFolder+name] = data
		return err
	})
	return files, err
}

// WriteSource writes the shop's source into a folder, as a module of its own.
func WriteSource(dir string) error {
	files, err := sourceFiles()
	if err != nil {
		return err
	}
	for name, data := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// HasSource reports whether a folder has the files that WriteSource writes, unchanged.
func HasSource(dir string) bool {
	files, err := sourceFiles()
	if err != nil {
		return false
	}
	for name, data := range files {
		found, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(found, data) {
			return false
		}
	}
	return true
}

// SourceDigest returns a name for this version of the source: hexadecimal digits that depend on the
// paths and contents of all files.
func SourceDigest() (string, error) {
	files, err := sourceFiles()
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(digest, "%s\x00%x\n", name, sha256.Sum256(files[name]))
	}
	return hex.EncodeToString(digest.Sum(nil)[:8]), nil
}

// ReadSource returns a file of this package that WriteSource writes, by its path in the module.
func ReadSource(name string) ([]byte, error) {
	return source.ReadFile(strings.TrimPrefix(name, sourceFolder))
}
