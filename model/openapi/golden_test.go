package openapi_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model/openapi"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestDocuments parses each document in testdata and compares the spec with a golden file.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".golden" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			spec, err := openapi.Load(context.Background(), file, openapi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(file, filepath.Ext(file))+".golden", render(spec))
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}
