package survey

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"testing"

	"sonde/analysis/survey"
	"sonde/model/match"

	"pgregory.net/rapid"
)

// The names of files are distinct and as short as possible, for any folders.
func TestDistinct(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "a/b", "b/a"})
	rapid.Check(t, func(t *rapid.T) {
		var files []SpecFile
		full := map[string]bool{}
		for range rapid.IntRange(0, 8).Draw(t, "files") {
			name := part.Draw(t, "name")
			f := SpecFile{Name: name, Full: path.Join(part.Draw(t, "folder"), name)}
			if !full[f.Full] {
				full[f.Full] = true
				files = append(files, f)
			}
		}
		short := map[string]int{}
		for _, f := range files {
			short[f.Name]++
			short[f.Full]++
		}
		before := append([]SpecFile{}, files...)
		MakeNamesDistinct(files)
		seen := map[string]bool{}
		for i, f := range files {
			if seen[f.Name] {
				t.Fatalf("two are called %q: %v", f.Name, files)
			}
			seen[f.Name] = true
			if short[before[i].Name] == 1 && f.Name != before[i].Name {
				t.Fatalf("%q is called %q without need", before[i].Name, f.Name)
			}
		}
	})
}

func TestMeasureEndsWithItsContext(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte("swagger: '2.0'\npaths: {/a: {get: {}}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	files, err := FindSpecs(ctx, []string{file})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Measure(ctx, files, survey.Options{Mode: match.PaperMode}, 1, NewMeter(nil))
	if err != nil || r.Specs != 1 || len(r.Survey.Cases) != 1 {
		t.Fatalf("got %+v and error %v", r, err)
	}
	cancel()
	if _, err := Measure(ctx, files, survey.Options{Mode: match.PaperMode}, 1, NewMeter(nil)); !errors.Is(err, ErrInterrupted) {
		t.Errorf("got error %v, want %v", err, ErrInterrupted)
	}
	if _, err := FindSpecs(ctx, []string{filepath.Dir(file)}); !errors.Is(err, ErrInterrupted) {
		t.Errorf("got error %v, want %v", err, ErrInterrupted)
	}
}

func TestMeantAsSpec(t *testing.T) {
	for text, want := range map[string]bool{
		"swagger: '2.0'\npaths: [":          true,
		"# a comment\n\"openapi\": 3.0.0":   true,
		" {\n \"openapi\": \"3.0.0\",":      true,
		"\xef\xbb\xbfopenapi: 3.0.0":        true,
		`{"name": "x", "swagger": "1.0.0"}`: false,
		"a:\n  swagger: '2.0'":              false,
		"":                                  false,
		"swagger":                           false,
	} {
		file := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := LooksLikeSpec(file); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

// Measure counts the specs, the files that are not specs, and the specs that cannot be read. If its context has
// ended, it returns ErrInterrupted.
func TestMeasureCountsFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shop.yaml":  "openapi: 3.0.3\ninfo: {title: Shop, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\n",
		"notes.json": `{"name": "notes"}`,
		"bad.yaml":   "openapi: 3.0.3\npaths: [",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := FindSpecs(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Measure(t.Context(), files, survey.Options{Mode: match.DefaultMode}, 2, NewMeter(io.Discard))
	if err != nil || r.Specs != 1 || r.SkippedFiles != 1 || len(r.Problems) != 1 || r.Problems[0].Service != "bad.yaml" {
		t.Errorf("got %+v, error %v", r, err)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := Measure(over, files, survey.Options{Mode: match.DefaultMode}, 2, NewMeter(io.Discard)); !errors.Is(err, ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}
