package specfile

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
)

// beginning is the number of bytes within which an OpenAPI document must identify itself.
const beginning = 4 << 10

var saysOpenAPI = regexp.MustCompile(`(?m)^[\s{]*["']?(openapi|swagger)["']?\s*:`)

// FindInFolder returns the names of the OpenAPI documents directly in a folder. It returns none if the
// folder cannot be read.
func FindInFolder(dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".yaml", ".yml", ".json":
			if e.Type().IsRegular() && saysOpenAPI.Match(head(filepath.Join(dir, e.Name()))) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}

// head returns the beginning of a file, or the part of it that can be read.
func head(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, beginning)) // on an error, the part that was read is used
	return data
}
