package search

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"
)

// builds maps the key of each binary that tests share to a function that builds the binary and returns its path.
var builds sync.Map

var buildFolder string // has a folder for each binary

// BuildOnce returns the path of a binary, which the first test with this key builds.
func BuildOnce(t *testing.T, key string, build func(path string) error) string {
	t.Helper()
	once, _ := builds.LoadOrStore(key, sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp(buildFolder, "")
		if err != nil {
			return "", err
		}
		path := filepath.Join(dir, "service.exe")
		return path, build(path)
	}))
	path, err := once.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMain(m *testing.M) {
	// Parallel tests mostly wait for hosts, so more tests than cores run at once. The flag -parallel overrides this
	// number, because flags are parsed later.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	debug.SetGCPercent(400)                                   // searches allocate much and keep little
	os.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -ldflags=-w") // without data for debuggers, which makes linking faster
	os.Setenv("GOGC", cmp.Or(os.Getenv("GOGC"), "400"))       // the tools of Go take less time with more memory
	var err error
	buildFolder, err = os.MkdirTemp("", "binaries")
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(buildFolder)
	os.Exit(code)
}
