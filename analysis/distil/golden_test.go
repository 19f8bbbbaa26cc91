package distil_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sonde/analysis/distil"
	"sonde/analysis/share"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

const specs = "../../../shared/specs"

// TestPaperTables compares every case of the real specs with the tables that
// stand beside them, in every column.
func TestPaperTables(t *testing.T) {
	files := specFiles(t)
	got := tables(t, files)
	for _, r := range readings {
		t.Run(string(r), func(t *testing.T) {
			compare(t, got[r], table(t, filepath.Join(specs, "oas2."+string(r)+".csv")), files)
		})
	}
}

var readings = []match.Reading{match.Paper, match.Shallow}

// specFiles returns the paths below oas2: all, or a sample where time is dear.
func specFiles(t testing.TB) []string {
	t.Helper()
	if _, err := os.Stat(specs); err != nil {
		t.Skip("the folder with real specs is not beside the repository")
	}
	root := filepath.Join(specs, "oas2")
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	if testing.Short() || raceEnabled {
		var some []string
		for i := 0; i < len(files); i += len(files) / 25 {
			some = append(some, files[i])
		}
		return some
	}
	return files
}

// table reads a table as rows by service and tag.
func table(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, row := range all[1:] {
		rows[row[0]+"\x00"+row[1]] = strings.Join(row[2:], ",")
	}
	return rows
}

// tables makes the tables of some files.
func tables(t *testing.T, files []string) map[match.Reading]map[string]string {
	t.Helper()
	got := map[match.Reading]map[string]string{match.Paper: {}, match.Shallow: {}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan string)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for file := range next {
				for key, row := range rows(t, file) {
					mu.Lock()
					got[key.reading][file+"\x00"+key.tag] = row
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
	return got
}

type rowKey struct {
	reading match.Reading
	tag     string
}

// rows makes the rows of one file.
func rows(t *testing.T, file string) map[rowKey]string {
	spec, err := openapi.Load(context.Background(), filepath.Join(specs, "oas2", file), openapi.Options{})
	if err != nil {
		t.Error(err)
		return nil
	}
	all := map[rowKey]string{}
	for _, tag := range spec.Tags() {
		for _, r := range readings {
			all[rowKey{r, tag}] = caseRow(t, match.NewTable(spec.Tagged(tag), match.Way{Values: r, Match: match.ByName}))
		}
	}
	return all
}

func caseRow(t *testing.T, table *match.Table) string {
	groups := share.Groups(table)
	index := share.NewIndex(groups)
	columns := []string{strconv.Itoa(len(table.Ops)), strconv.Itoa(len(groups))}
	for _, rule := range []distil.Rule{distil.DC, distil.SC} {
		l, err := distil.List(context.Background(), table, distil.Options{Rule: rule})
		if err != nil {
			t.Error(err)
		}
		touched, mean := 0, ""
		covered := map[model.OpID]bool{}
		for _, seq := range l.Seqs {
			touched += index.Touched(seq)
			for _, op := range seq {
				covered[op] = true
			}
		}
		if len(l.Seqs) > 0 {
			mean = fmt.Sprintf("%.4f", float64(touched)/float64(len(l.Seqs)))
		}
		columns = append(columns, strconv.Itoa(len(l.Seqs)), strconv.FormatBool(l.GaveUp), mean, strconv.Itoa(len(covered)))
	}
	return strings.Join(columns, ",")
}

func compare(t *testing.T, got, want map[string]string, files []string) {
	t.Helper()
	agree := 0
	for key, row := range want {
		service, tag, _ := strings.Cut(key, "\x00")
		if !slices.Contains(files, service) {
			continue
		}
		if got[key] != row {
			t.Errorf("%s, tag %q: got %s, want %s", service, tag, got[key], row)
			continue
		}
		agree++
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("%q is no case of the table", key)
		}
	}
	t.Logf("%d rows agree", agree)
}
