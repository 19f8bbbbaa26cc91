package specfile

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
)

// An OpenAPI document says near its beginning what it is.
const beginning = 4 << 10

var saysOpenAPI = regexp.MustCompile(`(?m)^[\s{]*["']?(openapi|swagger)["']?\s*:`)

// FindInFolder are the names of the OpenAPI documents of a folder.
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

// head is the beginning of a file, as far as it can be read.
func head(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, beginning)) // what was read is enough, or is no spec
	return data
}
