package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// pay is the text of the file pay.go, which has code targets of each kind. The variable probed describes these
// targets.
const pay = `package shop

// Pay pays, at most 1_000_000 at once: what is more than that is refused by the bank, and the answer says so in its own words.
func Pay(q int) string {
	charge(q) // which may panic

	if q > 5 && q < 9 {
		return "few"
	}
	for range q {
		pack("` + "\x1b[2J" + `")
	}
	return "paid"
}
`

const billing = "example.com/shop/internal/billing"

// probed is the source of a service.
var probed = &model.Source{
	Files: []model.SourceFile{
		{Package: "example.com/shop", Name: "example.com/shop/main.go", Path: "/src/shop/main.go", Targets: []model.SourceTarget{
			{Outcome: "statement", Line: 4, Col: 13, EndLine: 6, EndCol: 2, Statements: 2},
		}},
		{Package: billing, Name: billing + "/card.go", Path: "/src/shop/internal/billing/card.go", Targets: []model.SourceTarget{
			{Outcome: "statement", Line: 3, Col: 13, EndLine: 9, EndCol: 2, Statements: 7},
		}},
		{Package: billing, Name: billing + "/pay.go", Path: "/src/shop/internal/billing/pay.go", Targets: []model.SourceTarget{
			{Outcome: "statement", Line: 4, Col: 24, EndLine: 7, EndCol: 20, Statements: 2},
			{Kind: model.SourceCompletedCall, Outcome: "call", Label: "charge(q)", Line: 5, Col: 2},
			{Kind: model.SourceBranch, Outcome: "true", Label: "q > 5 && q < 9", Line: 7, Col: 10},
			{Kind: model.SourceBranch, Outcome: "false", Label: "q > 5 && q < 9", Line: 7, Col: 10},
			{Kind: model.SourceCondition, Outcome: "condition true", Label: "q > 5", Line: 7, Col: 5},
			{Kind: model.SourceCondition, Outcome: "condition false", Label: "q > 5", Line: 7, Col: 5},
			{Outcome: "statement", Line: 7, Col: 20, EndLine: 9, EndCol: 3, Statements: 1},
			{Outcome: "statement", Line: 10, Col: 2, EndLine: 10, EndCol: 15, Statements: 1},
			{Kind: model.SourceBranch, Outcome: "loop skipped", Label: "for range q {", Line: 10, Col: 2},
			{Kind: model.SourceBranch, Outcome: "loop entered", Label: "for range q {", Line: 10, Col: 2},
			{Outcome: "statement", Line: 10, Col: 14, EndLine: 12, EndCol: 3, Statements: 1},
			{Kind: model.SourceCompletedCall, Outcome: "call", Label: "pack()", Line: 11, Col: 3},
			{Outcome: "statement", Line: 13, Col: 2, EndLine: 13, EndCol: 15, Statements: 1},
		}},
	},
	Plain: []string{"/src/shop/internal/billing/zz_generated.go"},
}

// scored returns a snapshot of a run of a service with probes. h is the score of a branch of pay.go.
func scored(h float64) model.Snapshot {
	s := steered()
	s.Summary.Code = &model.Coverage{
		Packages: []model.PackageCoverage{{
			Statements: model.CoverageCount{Covered: 4, All: 15},
			Branches:   model.CoverageCount{Covered: 2, All: 4},
		}},
	}
	s.Source = &model.SourceCoverage{Source: probed, Reached: []*model.FileCoverage{
		{Near: []float64{1}, Tests: []string{""}, Statements: model.CoverageCount{Covered: 2, All: 2}},
		{Near: []float64{0}, Tests: []string{""}, Statements: model.CoverageCount{All: 7}},
		{
			Near:       []float64{1, 1, h, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1},
			Tests:      []string{"t17", "t17", "", "t31", "t31", "t17", "", "t17", "t17", "", "", "", "t999"},
			Statements: model.CoverageCount{Covered: 4, All: 6}, Branches: model.CoverageCount{Covered: 2, All: 4},
		},
	}}
	return s
}

// looking returns a driver that shows the source of a run.
func looking(t *testing.T) *driver {
	d := drive(t, demo)
	d.run.source = map[string]string{probed.Files[2].Name: pay}
	return d.press("enter").show(scored(.83)).press("c")
}

var codeStates = map[string]func(*testing.T) *driver{
	"source":      looking,
	"source left": func(t *testing.T) *driver { return looking(t).press("o", "down") },
	"source fold": func(t *testing.T) *driver { return looking(t).press("home", "enter", "down") },
	"source open": func(t *testing.T) *driver { return looking(t).press("end", "enter", "n") },
	"source gone": func(t *testing.T) *driver { return looking(t).press("enter") },
	"source none": func(t *testing.T) *driver { return drive(t, demo).press("enter").show(running()).press("c") },
	"building": func(t *testing.T) *driver {
		d := starting(t)
		m := d.model()
		m.run.builds = true
		d.screen = m
		return d
	},
	"white": func(t *testing.T) *driver {
		host := demo
		host.Probes = usecase.ProbesAvailable
		return drive(t, host).press("down", "down", "right")
	},
	"white run": func(t *testing.T) *driver { return drive(t, demo).press("enter").show(scored(.83)) },
}

func init() {
	for name, state := range codeStates {
		states[name] = state
	}
}

// The page of the source follows the coverage and the scores of a run.
func TestSourceIsLive(t *testing.T) {
	d := looking(t).sees("pay.go", "example.com/shop/internal/billing", "66.7%", "1 without probes").press("end", "enter")
	d.sees("5 ✓     charge(q)", "7 △     if q > 5 && q < 9 {", "true .83 false ✓", "skipped ✓", "entered ·")
	d.show(scored(.97)).sees("true .97 false ✓").show(scored(1)).sees("true ✓   false ✓").show(scored(.9999)).sees("true .99")
	if view := d.screen.View(120, 33); strings.Contains(ansi.Strip(view), "2J") {
		t.Error("an escape sequence of the source is on the screen")
	}
}

// The cursor is on a covered line. Enter shows the test that is kept for this line, and esc returns to the line.
func TestTestOfALine(t *testing.T) {
	d := looking(t).press("end", "enter", "n").sees("line 7 △ half covered  ⏎ t17", ".83 true", "✓   false")
	d.press("enter").sees("Why t17?", "made from a seq of yours").press("esc").sees("line 7 △ half covered")
	d.press("enter").show(scored(.84)).press("v", "esc")
	if d.model().page == pageSource {
		t.Error("esc leads to the source from another pane")
	}
	d.messages = nil
	d.press("c").sees("line 7").press("n", "n", "n").sees("line 11 ✗ uncovered").press("enter", "home", "enter", "end", "up", "enter")
	want := []string{"No test has covered line 11 so far", "Line 1 has no statement", "Test t999 is not kept any more: a smaller one is"}
	if !slices.Equal(d.messages, want) {
		t.Errorf("said %q, want %q", d.messages, want)
	}
}

func TestUncoveredLines(t *testing.T) {
	d := looking(t).press("end", "enter")
	for _, c := range []struct{ key, line string }{
		{"n", "line 7 "},
		{"n", "line 8 "},
		{"n", "line 10 "},
		{"n", "line 11 "},
		{"n", "line 7 "},
		{"N", "line 11 "},
		{"N", "line 10 "},
	} {
		d.press(c.key).sees(c.line)
	}
}

// The list keeps its order while the coverage changes, and the cursor stays on its file.
func TestOrderOfFiles(t *testing.T) {
	order := func(d *driver) (names []string) {
		for _, row := range strings.Split(ansi.Strip(d.screen.View(100, 30)), "\n") {
			for _, name := range []string{"main.go", "card.go", "pay.go"} {
				if strings.Contains(row, name) {
					names = append(names, name)
				}
			}
		}
		return names
	}
	d := looking(t)
	if got, want := order(d), []string{"main.go", "card.go", "pay.go"}; !slices.Equal(got, want) {
		t.Errorf("by name %q, want %q", got, want)
	}
	want := []string{"card.go", "pay.go", "main.go"}
	if got := order(d.press("o")); !slices.Equal(got, want) {
		t.Errorf("uncovered first %q, want %q", got, want)
	}
	s := scored(1)
	s.Source.Reached[1] = &model.FileCoverage{
		Near:       []float64{1},
		Tests:      []string{"t1"},
		Statements: model.CoverageCount{Covered: 7, All: 7},
	}
	if got := order(d.show(s)); !slices.Equal(got, want) {
		t.Errorf("after news %q, want %q", got, want)
	}
	if got := order(d.press("home", "enter")); !slices.Equal(got, []string{"main.go"}) {
		t.Errorf("folded %q", got)
	}
}

// The text of a file is dropped if another file was opened in the meantime. When another run is shown, the page lists
// the files of that run.
func TestStaleSource(t *testing.T) {
	d := looking(t)
	m := d.model()
	if cmd := m.source.Fit(120, 33); cmd != nil {
		t.Error("a text is read before a file was opened")
	}
	d.press("end", "enter").sees("charge(q)")
	other := scored(1)
	other.Source.Source = &model.Source{Files: probed.Files[:1]}
	other.Source.Reached = other.Source.Reached[:1]
	d.show(other).sees("main.go", "1 file")
	if view := d.screen.View(120, 33); strings.Contains(view, "pay.go") {
		t.Error("a file of the run before is on show")
	}
}

func TestWhiteBox(t *testing.T) {
	for _, c := range []struct {
		probes       usecase.ProbeSupport
		first, right bool
	}{
		{usecase.ProbesUnavailable, false, false},
		{usecase.ProbesAvailable, false, true},
		{usecase.ProbesRequested, true, true},
		{usecase.ProbesAlways, true, true},
	} {
		host := demo
		host.Probes = c.probes
		d := drive(t, host).press("enter").show(done()).press("n", "down", "down", "down", "right", "s")
		if got := d.settings; got[0].WhiteBox != c.first || got[1].WhiteBox != c.right {
			t.Errorf("sight %d: white-box %t, then %t; want %t, %t", c.probes, got[0].WhiteBox, got[1].WhiteBox, c.first, c.right)
		}
	}
}

// The page of the source shows the keys of the run that are active there.
func TestKeysOverTheSource(t *testing.T) {
	for name, c := range map[string]struct {
		d    *driver
		want string
	}{
		"starting": {starting(t).press("c"), "to the run, stop"},
		"running":  {looking(t), "open, uncovered first, to the run, pause, stop"},
		"paused":   {looking(t).press(" "), "open, uncovered first, to the run, resume, stop"},
		"done":     {drive(t, demo).press("enter").show(done()).press("c"), "to the run"},
	} {
		var names []string
		for _, k := range c.d.screen.Keys() {
			names = append(names, k.Help().Desc)
		}
		if got := strings.Join(names, ", "); !strings.HasPrefix(got+", up", c.want+", up") {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The user can stop a build. A build that was stopped is not shown as an error.
func TestStopWhileBuilding(t *testing.T) {
	d := starting(t)
	gone := false
	m := d.model()
	m.run.cancel = func() { gone = true }
	d.screen = m
	d.press("x").send(started{err: fmt.Errorf("context canceled")})
	if want := []string{"stopping …", "Stopped before anything was sent"}; !slices.Equal(d.messages, want) {
		t.Errorf("said %q, want %q", d.messages, want)
	}
	if view := ansi.Strip(d.screen.View(120, 33)); !gone || strings.Contains(view, "canceled") || d.model().page != pageForm {
		t.Errorf("the build is ended: %t, and\n%s", gone, view)
	}
}

// For any source and after any keys, a view has its exact size and no control characters.
func TestSourceKeepsItsSize(t *testing.T) {
	keys := []string{"enter", "esc", "c", "o", "n", "N", "up", "down", "pgdown", "pgup", "home", "end", "left", "right", "v", "x", " "}
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`[ -~\t\n\r\x00-\x1f\x{80}-\x{9f}世é\x{202e}{}/]{0,200}`)
		d := drive(t, demo)
		s, files := sources(rt, text)
		d.run.source = files
		d.press("enter").show(s).press("c")
		for range rapid.IntRange(0, 15).Draw(rt, "steps") {
			d.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			if rapid.Bool().Draw(rt, "resize") {
				d.size(rapid.IntRange(40, 220).Draw(rt, "w"), rapid.IntRange(8, 60).Draw(rt, "h"))
			}
			if rapid.IntRange(0, 5).Draw(rt, "see") == 0 {
				s, d.run.source = sources(rt, text)
				d.show(s)
			}
		}
		w, h := rapid.IntRange(40, 220).Draw(rt, "width"), rapid.IntRange(8, 60).Draw(rt, "height")
		if problem := unfit(d.screen.View(w, h), w, h); problem != "" {
			rt.Fatal(problem)
		}
	})
}

// sources generates the source of a service, which may not compile, and the texts of its files.
func sources(t *rapid.T, text *rapid.Generator[string]) (model.Snapshot, map[string]string) {
	kinds := []model.SourceKind{model.SourceBlock, model.SourceCompletedCall, model.SourceBranch, model.SourceCondition}
	s, files := running(), map[string]string{}
	reach := &model.SourceCoverage{Source: &model.Source{Plain: []string{"x"}}}
	for i := range rapid.IntRange(0, 4).Draw(t, "files") {
		f := model.SourceFile{Package: text.Draw(t, "package"), Name: fmt.Sprint(i) + text.Draw(t, "name"), Path: text.Draw(t, "path")}
		now := &model.FileCoverage{Statements: model.CoverageCount{Covered: i, All: 3}, Branches: model.CoverageCount{Covered: 1, All: i}}
		for range rapid.IntRange(0, 6).Draw(t, "targets") {
			small := rapid.IntRange(-1, 9)
			f.Targets = append(f.Targets, model.SourceTarget{
				Kind:    rapid.SampledFrom(kinds).Draw(t, "kind"),
				Outcome: text.Draw(t, "outcome"),
				Line:    small.Draw(t, "line"),
				Col:     small.Draw(t, "col"),
				EndLine: small.Draw(t, "end line"),
				EndCol:  small.Draw(t, "end col"),
				Label:   text.Draw(t, "label"),
			})
			now.Near = append(now.Near, rapid.SampledFrom([]float64{0, .001, .5, .99999, 1}).Draw(t, "near"))
			now.Tests = append(now.Tests, rapid.SampledFrom([]string{"", "t1", text.Draw(t, "test")}).Draw(t, "by"))
		}
		if rapid.Bool().Draw(t, "there") {
			files[f.Name] = strings.Repeat(text.Draw(t, "text")+"\n", rapid.SampledFrom([]int{1, 40}).Draw(t, "times"))
		}
		reach.Files, reach.Reached = append(reach.Files, f), append(reach.Reached, now)
	}
	s.Source = reach
	return s, files
}
