package specfile

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
)

// beginning is the part of a file in which an OpenAPI document must say what it is.
const beginning = 4 << 10

var saysOpenAPI = regexp.MustCompile(`(?m)^[\s{]*["']?(openapi|swagger)["']?\s*:`)

// FindInFolder returns the names of the OpenAPI documents in a folder, not in those below it. It
// returns none if the folder cannot be read.
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

// head returns the beginning of a file, as far as it can be read.
func head(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, beginning)) // what was read is enough, or not a spec
	return data
}
