package match_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

// place is a place where an operation takes or emits a value.
type place struct {
	op      model.OpID
	out     bool
	in      model.Location
	pointer string // the name of the parameter if the value is not in a body
}

// truth is the expected result of matching: a handwritten label for each place. Two places with the same label have
// the same value.
type truth map[place]string

func readTruth(t testing.TB, path string) truth {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := truth{}
	for _, r := range rows[1:] {
		all[place{op: model.OpID(r[0]), out: r[1] == "out", in: model.Location(r[2]), pointer: r[3]}] = r[4]
	}
	return all
}

// flow is a value that passes between two operations. from is the operation that emits the value. to is the place where
// the other operation takes it.
type flow struct {
	from model.OpID
	to   place
}

// flows returns the flows between different operations. There is a flow from each operation that emits a value with a
// label to each place that takes a value with the same label.
func flows(labels truth) map[flow]bool {
	emitters := map[string][]model.OpID{}
	for p, label := range labels {
		if p.out && label != "-" && label != "" && !slices.Contains(emitters[label], p.op) {
			emitters[label] = append(emitters[label], p.op)
		}
	}
	all := map[flow]bool{}
	for p, label := range labels {
		for _, from := range emitters[label] {
			if !p.out && from != p.op {
				all[flow{from, p}] = true
			}
		}
	}
	return all
}

// found returns the identities that the matcher finds for the places in want.
func found(spec *model.Spec, w match.Mode, want truth) truth {
	m, all := match.New(spec.Operations, w), truth{}
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			p := place{op: op.ID, out: u.Out, in: u.In, pointer: u.Pointer}
			if p.pointer == "" {
				p.pointer = u.Name
			}
			if _, ok := want[p]; ok {
				all[p] = u.ID
			}
		}
	}
	return all
}

// score counts pairs of places that have the same value.
type score struct{ right, wrong, missed int }

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(1, s.right+s.missed)) }

func (s score) String() string {
	return fmt.Sprintf("precision %.3f, recall %.3f (%d right, %d wrong, %d missed)", s.precision(), s.recall(), s.right, s.wrong, s.missed)
}

func (s *score) add(o score) {
	s.right, s.wrong, s.missed = s.right+o.right, s.wrong+o.wrong, s.missed+o.missed
}

func compare(got, want map[flow]bool) score {
	var s score
	for f := range got {
		if want[f] {
			s.right++
		} else {
			s.wrong++
		}
	}
	s.missed = len(want) - s.right
	return s
}

// namedSpecs caches the specs that loadNamed has read.
var namedSpecs = map[string]*model.Spec{}

func loadNamed(t testing.TB, name string) *model.Spec {
	t.Helper()
	if namedSpecs[name] == nil {
		namedSpecs[name] = readNamed(t, name)
	}
	return namedSpecs[name]
}

func readNamed(t testing.TB, name string) *model.Spec {
	t.Helper()
	if name == "demo" {
		spec, err := openapi.Parse(context.Background(), "demo", demo.Specification(), openapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return spec
	}
	path := filepath.Join("emb", name+".json")
	if strings.Contains(name, "__") {
		path = filepath.Join("oas2", filepath.FromSlash(strings.ReplaceAll(name, "__", "/"))+".yaml")
	}
	spec, err := openapi.Load(context.Background(), filepath.Join("../../../shared/specs", path), openapi.Options{})
	if err != nil {
		t.Skip("the folder with real specs is not beside the repository")
	}
	return spec
}

// judge returns the score of a mode over all specs of a folder of truths.
func judge(t testing.TB, folder string, w match.Mode) score {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join("testdata", folder, "*.csv"))
	var all score
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		want := readTruth(t, file)
		got := found(loadNamed(t, name), w, want)
		maps.DeleteFunc(want, func(p place, _ string) bool { return got[p] == "" }) // read-only properties of requests
		s := compare(flows(got), flows(want))
		t.Logf("%-10s %-20s %s", w.Match, name, s)
		all.add(s)
	}
	return all
}

var modes = []match.Mode{{Values: match.DeepReading, Match: match.MatchByName}, match.DefaultMode}

// TestTruth measures how well the matchings find which values are the same. It uses the documents with which the
// qualified matching was developed, and documents that were not used for its development.
func TestTruth(t *testing.T) {
	for _, folder := range []string{"truth", "heldout"} {
		name, qualified := judge(t, folder, modes[0]), judge(t, folder, modes[1])
		t.Logf("%s, by name:   %s", folder, name)
		t.Logf("%s, qualified: %s", folder, qualified)
		if qualified.precision() < 0.9 || qualified.precision() < name.precision() || qualified.recall() < name.recall() {
			t.Errorf("%s: got %s, by name %s", folder, qualified, name)
		}
	}
}
