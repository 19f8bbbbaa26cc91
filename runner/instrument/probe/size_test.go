package probe

import (
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"

	"golang.org/x/tools/txtar"
)

// The size of a service is that of the packages with probes. Tests, packages that the service does not import, and other
// modules do not count.
func TestSourceSize(t *testing.T) {
	needsBuild(t)
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(little + `-- api/api_test.go --
package api

import "testing"

func TestBig(t *testing.T) {}
-- other/other.go --
package other
`)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	size := func(o Options) model.SourceSize {
		t.Helper()
		o.Dir, o.Package = dir, "."
		got, err := SourceSize(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got, want := size(Options{}), (model.SourceSize{Files: 3, Lines: 9 + 3 + 6}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := size(Options{Cover: []string{"./api"}}), (model.SourceSize{Files: 2, Lines: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	_, err := SourceSize(t.Context(), Options{Dir: dir, Package: "./api"})
	if err == nil || !strings.Contains(err.Error(), "main package") {
		t.Errorf("got error %v", err)
	}
}
