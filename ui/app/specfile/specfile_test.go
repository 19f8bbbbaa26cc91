package specfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/ui/app/specfile"
	"sonde/ui/console"
)

const shop = `openapi: 3.0.3
info: {title: Shop, version: "1"}
paths: {/a: {get: {responses: {"200": {description: ok}}}}}
`

func TestFindInFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shop.yaml":    shop,
		"old.json":     `{"swagger": "2.0"}`,
		"sonde.yaml":   "spec: shop.yaml\n",
		"shop.txt":     shop,
		"late.yml":     strings.Repeat("# a comment\n", 1000) + shop,
		"nested.json":  `{"name": "x", "openapi": "3.0.0"}`,
		"below/a.yaml": shop,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := specfile.FindInFolder(dir), []string{"old.json", "shop.yaml"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := specfile.FindInFolder(filepath.Join(dir, "gone")); got != nil {
		t.Errorf("a folder that does not exist has %q", got)
	}
}

// A spec from standard input can be loaded several times, although standard input can be read only once.
func TestLoadStandardInput(t *testing.T) {
	var l specfile.Loader
	in := console.Streams{In: strings.NewReader(shop)}
	for range 2 {
		spec, err := l.Load(t.Context(), in, "-")
		if err != nil || spec.Title != "Shop" || len(spec.Operations) != 1 {
			t.Fatalf("spec %+v, error %v", spec, err)
		}
	}
	var broken specfile.Loader
	if _, err := broken.Load(t.Context(), console.Streams{In: strings.NewReader("not a spec")}, "-"); err == nil {
		t.Error("text that is not a spec was loaded")
	}
}
