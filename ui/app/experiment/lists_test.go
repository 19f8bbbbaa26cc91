package experiment

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/lab/study"
	"sonde/ui/app/service"
)

// The studies of docs/study-lists.yaml and docs/study-lists-again.yaml can be prepared.
func TestListStudiesOfTheDocs(t *testing.T) {
	for name, budgets := range map[string]int{"study-lists.yaml": 1, "study-lists-again.yaml": 3} {
		t.Run(name, func(t *testing.T) { testListStudy(t, "../../../docs/"+name, budgets) })
	}
}

func testListStudy(t *testing.T, path string, budgets int) {
	t.Helper()
	c, err := config.LoadStudy(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStudy(t.Context(), c, 2, nil, new(BuildFolder))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.RunCount(), len(c.Services)*len(c.Lists)*budgets*10; got != want || s.Paper {
		t.Errorf("%d runs, want %d; as the EvoMaster paper: %t", got, want, s.Paper)
	}
	for _, of := range s.Services {
		if of.List == nil || of.Count == nil {
			t.Errorf("lists of %s are not called or not counted", of.Name)
		}
	}
}

// Each list of the study is found by its name, and its settings are translated to distil.Options.
func TestListOptions(t *testing.T) {
	c, err := config.LoadStudy("../../../docs/study-lists.yaml")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := service.LoadDemo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := newSeqLister(spec, c.Lists)
	for _, list := range c.Lists {
		found, err := l.find(list.Name())
		if err != nil || found != list {
			t.Errorf("%s: found %+v, error %v", list.Name(), found, err)
		}
		o, err := l.options(list)
		if err != nil || string(o.Rule) != list.Rule || o.RequiredOnly != list.RequiredOnly {
			t.Errorf("%s: got %+v, error %v", list.Name(), o, err)
		}
		if weighted := list.LinksOnly || list.MinEvidence != ""; (o.Shared != nil) != weighted {
			t.Errorf("%s: the values of condition II are restricted: %t", list.Name(), o.Shared != nil)
		}
	}
	if _, err := l.find("none"); err == nil {
		t.Error("found a list that does not exist")
	}
}

// Runs on flat list, call and play seqs. SC lists all seqs of DC, and more. A list that is called again uses the whole
// budget.
func TestListsOfFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts a service")
	}
	var folder BuildFolder
	defer folder.Close()
	s, err := NewStudy(t.Context(), config.StudyConfig{
		Services: []config.StudiedService{{
			Name: "flat", Config: "../../../runner/testdata/services/flat/sonde.yaml",
			Budgets: []config.Budget{{Calls: 60, Seeds: []uint64{1}}},
		}},
		Smart: []float64{0},
		Lists: []config.SeqList{{Rule: "dc"}, {Rule: "sc"}, {Rule: "dc", Again: true}},
	}, 1, nil, &folder)
	if err != nil {
		t.Fatal(err)
	}
	var results []study.Result
	for _, key := range s.RunKeys() {
		r, err := s.Run(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	dc, sc, again := results[0], results[1], results[2]
	if dc.Way != "dc" || sc.Way != "sc" || dc.List.Listed > sc.List.Listed {
		t.Errorf("got %+v and %+v", dc.List, sc.List)
	}
	if dc.List.Open > 0 || again.List.Listed != dc.List.Listed || again.Calls <= dc.Calls || again.Tests <= again.List.Practical {
		t.Errorf("once: %d calls, %d tests, %+v; again: %d calls, %d tests, %+v",
			dc.Calls, dc.Tests, dc.List, again.Calls, again.Tests, again.List)
	}
	for _, r := range results {
		l := r.List
		if r.Calls > 60 || l.Practical == 0 || l.Practical+l.Failed+l.Barred+l.Open != l.Listed || r.Tests < l.Practical {
			t.Errorf("%s: %d calls, %d tests, %+v", r.Way, r.Calls, r.Tests, l)
		}
		if r.Statements.Covered == 0 || l.Blocks.Covered == 0 || l.Blocks.All >= r.Statements.All || l.Seconds <= 0 || l.TestSeconds <= 0 {
			t.Errorf("%s: statements %v, blocks %v, %v and %v seconds", r.Way, r.Statements, l.Blocks, l.Seconds, l.TestSeconds)
		}
		if last := r.Curve[len(r.Curve)-1]; last[1] != r.Covered || last[0] > r.Calls || !slices.IsSortedFunc(r.Curve, ascending) {
			t.Errorf("%s: covered %d after %d calls, but the curve is %v", r.Way, r.Covered, r.Calls, r.Curve)
		}
	}
}

func ascending(a, b study.CurvePoint) int { return a[0] - b[0] }

// A worker of a distributed study gets the lists.
func TestWorkersGetLists(t *testing.T) {
	var r Runner
	defer r.Close()
	c := config.StudyConfig{Sampling: model.DefaultSampling(), Lists: []config.SeqList{{Rule: "sc", Again: true}}}
	s, err := r.Prepare(t.Context(), nil, SentService{Name: "demo", Demo: true}, setupOf(c, "sc, again"))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Lists) != 1 || s.Lists[0] != "sc, again" || s.Services[0].List == nil {
		t.Errorf("got %+v", s)
	}
}
