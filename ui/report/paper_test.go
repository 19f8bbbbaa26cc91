package report_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"sonde/analysis/survey"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/report"
)

const specs = "../../../shared/specs"

// TestTableOfThePaper surveys the real specs in the folder specs and compares every case, byte for byte, with the
// tables in that folder.
func TestTableOfThePaper(t *testing.T) {
	if _, err := os.Stat(specs); err != nil {
		t.Skip("the folder with real specs is not beside the repository")
	}
	files := specFiles(t)
	readings := []match.Reading{match.PaperReading, match.ShallowReading}
	all := surveyed(t, files, readings)
	for _, values := range readings {
		t.Run(string(values), func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(specs, "oas2."+string(values)+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			got := written(t, report.CSVFormat, report.Report{Survey: survey.Summarize(all[values], survey.OmitCase)}, 0)
			compareRows(t, some(string(want), files), got)
		})
	}
}

// specFiles returns the paths of the specs below oas2: all, or a sample in short tests.
func specFiles(t *testing.T) []string {
	t.Helper()
	root, step := filepath.Join(specs, "oas2"), 1
	if testing.Short() || raceEnabled {
		step = 10
	}
	var files []string
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		if n%step == 0 {
			inside, _ := filepath.Rel(root, path)
			files = append(files, filepath.ToSlash(inside))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// surveyed returns the cases of the spec files for each reading, which is a way to read the values of a schema. The
// cases of a reading are in random order.
func surveyed(t *testing.T, files []string, readings []match.Reading) map[match.Reading][]survey.Case {
	t.Helper()
	cases := map[match.Reading][]survey.Case{}
	next := make(chan string)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for file := range next {
				spec, err := openapi.Load(context.Background(), filepath.Join(specs, "oas2", file), openapi.Options{})
				if err != nil {
					t.Error(err)
					continue
				}
				for _, values := range readings {
					o := survey.Options{Mode: match.Mode{Values: values, Match: match.MatchByName}}
					of, err := survey.ExamineSpec(context.Background(), file, spec, o)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					cases[values] = append(cases[values], of...)
					mu.Unlock()
				}
			}
		})
	}
	for _, file := range files {
		next <- file
	}
	close(next)
	wg.Wait()
	return cases
}

// some returns a table with only the header and the rows of the given files.
func some(table string, files []string) string {
	lines := strings.SplitAfter(table, "\n")
	of := map[string]bool{}
	for _, file := range files {
		of[file] = true
	}
	out := lines[0]
	for _, line := range lines[1:] {
		service, _, _ := strings.Cut(line, ".yaml")
		if of[strings.TrimPrefix(service, `"`)+".yaml"] {
			out += line
		}
	}
	return out
}

func compareRows(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	if len(w) != len(g) {
		t.Fatalf("got %d lines, want %d", len(g), len(w))
	}
	for i := range w {
		if w[i] != g[i] {
			t.Errorf("line %d: got %q, want %q", i+1, g[i], w[i])
		}
	}
	t.Logf("%d rows agree", len(w)-2)
}
