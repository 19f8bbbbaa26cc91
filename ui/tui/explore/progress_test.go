package explore

import (
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// The page is rewritten if the run has new observations of the operation and the screen is visible. Otherwise the
// page is not rewritten.
func TestPageFollowsTheRun(t *testing.T) {
	const op = "GET /a"
	spec := &model.Spec{Operations: []*model.Operation{{ID: op, Method: "GET", Path: "/a"}, {ID: "GET /b", Method: "GET", Path: "/b"}}}
	matcher := match.New(spec.Operations, match.DefaultMode)
	analyzed := &screen.AnalyzedSpec{
		Spec:     spec,
		Analysis: analysis.Analyze(spec, analysis.Options{}),
		Matcher:  matcher,
		Graph:    depend.NewGraph(matcher.LinkTable(spec.Operations)),
		GroupOf:  map[model.OpID]int{},
	}
	s := New(screen.Engine{}, screen.Service{})
	for _, msg := range []tea.Msg{
		tea.WindowSizeMsg{Width: 120, Height: 30}, screen.SpecOpened{Spec: analyzed}, screen.Shown{Tab: screen.TabExplore},
	} {
		s.Update(msg)
	}
	// again reports whether a new state of the run makes the screen rewrite the page.
	again := func(counts map[model.OpID]map[int]int, faults ...model.Fault) bool {
		before := &s.page.rows[0]
		s.Update(screen.RunProgress{Snapshot: model.Snapshot{Grid: counts, Faults: faults}})
		return before != &s.page.rows[0]
	}
	fault := model.Fault{Op: op, Status: 500, Text: "broken", Calls: 2}
	for _, c := range []struct {
		name string
		got  bool
		want bool
	}{
		{"other operations", again(map[model.OpID]map[int]int{"GET /b": {200: 4}}), false},
		{"a first answer", again(map[model.OpID]map[int]int{op: {200: 1}}), true},
		{"the same", again(map[model.OpID]map[int]int{op: {200: 1}}), false},
		{"another answer", again(map[model.OpID]map[int]int{op: {200: 2}}), true},
		{"a fault", again(map[model.OpID]map[int]int{op: {200: 2}}, fault), true},
	} {
		if c.got != c.want {
			t.Errorf("%s: written again: %t, want %t", c.name, c.got, c.want)
		}
	}
	s.Update(screen.Shown{Tab: screen.TabSearch})
	if again(map[model.OpID]map[int]int{op: {200: 2, 404: 7}}) {
		t.Error("written again while another screen is on show")
	}
	s.Update(screen.Shown{Tab: screen.TabExplore})
	if text := written(s.page.rows); !strings.Contains(text, "404 ×7") {
		t.Errorf("the answers of the meantime are missing in\n%s", text)
	}
}

// The page has the beginnings of the latest answers, and the reason why no answer was 2xx.
func TestPageHasAnswers(t *testing.T) {
	const op = "GET /a"
	o := observation{
		counts: map[int]int{404: 7, 500: 1},
		newest: map[int]string{404: "{\n \"no\": \"such\x1b[2J\"}", 500: "oops"},
		unmet:  "never answered 2xx; 7 of 8 times came 404",
	}
	b := &pageWriter{width: 80}
	operationPage(&model.Operation{ID: op, Method: "GET", Path: "/a"}, facts{}, o, &changes{}, b)
	for _, want := range []string{"404 ×7", `404 { "no": "such`, "500 oops", "never answered 2xx; 7 of 8"} {
		if text := written(b.rows); !strings.Contains(text, want) || strings.Contains(text, "\x1b") {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
