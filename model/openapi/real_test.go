package openapi_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

const specs = "../../../shared/specs"

// realSpecs returns the paths of all specs of a folder, or skips the test.
func realSpecs(t testing.TB, folder string) []string {
	t.Helper()
	root := filepath.Join(specs, folder)
	if _, err := os.Stat(root); err != nil {
		t.Skip("the folder with real specs is not beside the repository")
	}
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
