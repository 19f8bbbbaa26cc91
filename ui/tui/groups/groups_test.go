package groups

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
)

// operation returns an operation that takes some values in its query and emits others.
func operation(name string, takes, emits []string) *model.Operation {
	op := &model.Operation{ID: model.OpID("GET /" + name), Method: "GET", Path: "/" + name}
	for _, v := range takes {
		op.Params = append(op.Params, model.Parameter{
			Name:     v,
			In:       model.InQuery,
			Required: true,
			Schema:   &model.Schema{Type: "string"},
		})
	}
	answer := &model.Schema{Type: "object"}
	for _, v := range emits {
		answer.Properties = append(answer.Properties, model.Property{Name: v, Schema: &model.Schema{Type: "string"}})
	}
	op.Responses = []model.Response{{Status: "200", Contents: []model.Content{{Schema: answer}}}}
	return op
}

// scheduler returns the example in Figure 1 of the distiller paper with two more values. The same operations emit and
// take role, the first added value, and team_id. The other added value is not exchanged.
func scheduler() []*model.Operation {
	return []*model.Operation{
		operation("membership", []string{"user_id"}, []string{"team_id", "role"}),
		operation("schedule", []string{"team_id", "role"}, []string{"slots"}),
		operation("fee", []string{"year"}, []string{"fee"}),
	}
}

func analyze(t testing.TB, ops []*model.Operation) *screen.AnalyzedSpec {
	t.Helper()
	mode := match.Mode{Values: match.ShallowReading, Match: match.MatchByName}
	s, err := screen.AnalyzeSpec(context.Background(), &model.Spec{Operations: ops}, mode)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDrawing(t *testing.T) {
	s := analyze(t, scheduler())
	d := drawnGroup(s, 0, 80)
	if want := []model.OpID{"GET /membership", "GET /schedule"}; !slices.Equal(d.ops, want) {
		t.Errorf("operations: got %q, want %q", d.ops, want)
	}
	if want := "[[team_id role]]"; fmt.Sprint(d.values) != want {
		t.Errorf("values: got %v, want %v: they have the same ends", d.values, want)
	}
	var edges []string
	for _, e := range d.sheet.Graph.Edges {
		edges = append(edges, fmt.Sprintf("%d>%d", e.From, e.To))
	}
	if want := []string{"0>2", "2>1"}; !slices.Equal(edges, want) {
		t.Errorf("edges: got %q, want %q", edges, want)
	}
}

// secured returns an API whose operations need a log-in. Some of them share a value.
func secured(ops int) *model.Spec {
	login := operation("login", []string{"team_id"}, []string{"token"})
	login.ID, login.Method, login.Path = "POST /login", "POST", "/login"
	spec := &model.Spec{
		Operations:      []*model.Operation{login},
		SecuritySchemes: []model.SecurityScheme{{Name: "bearerAuth", Kind: "bearer"}},
	}
	spec.Operations = append(spec.Operations, operation("teams", nil, []string{"team_id"}))
	for i := range ops {
		op := operation(fmt.Sprint("team", i), []string{"team_id"}, nil)
		op.Secured, op.Schemes = true, []string{"bearerAuth"}
		spec.Operations = append(spec.Operations, op)
	}
	return spec
}

// drawnGroup returns the figure of a group.
func drawnGroup(analyzed *screen.AnalyzedSpec, group, wrap int) *drawing {
	return drawGroup(analyzed, analyzed.Names, operationsOf(analyzed.Spec, analyzed.Groups[group].Operations), false, wrap)
}

// The list of members of a log-in's group always has the credential. The figure has the credential only if few
// operations take it.
func TestDrawingHasCredentials(t *testing.T) {
	for ops, inFigure := range map[int]bool{2: true, maxCredentialEnds + 1: false, -1: false} {
		spec := secured(max(ops, 1))
		outside := 0
		if ops < 0 { // the log-in shares no value with other operations
			spec.Operations[0].Params, ops, outside = nil, 0, 1
		}
		s, err := screen.AnalyzeSpec(t.Context(), spec, match.DefaultMode)
		if err != nil {
			t.Fatal(err)
		}
		g := slices.IndexFunc(s.Groups, func(g model.ValueGroup) bool { return slices.Contains(g.Operations, "POST /login") })
		d := drawnGroup(s, g, 80)
		i := slices.IndexFunc(d.exchanged, func(x exchange) bool { return x.Names[0] == "credential bearerAuth" })
		if i < 0 || len(d.exchanged[i].Emitters) != 1 || len(d.exchanged[i].Takers) != ops || d.exchanged[i].outside != outside {
			t.Fatalf("%d operations: exchanged %v", ops, d.exchanged)
		}
		shown := slices.ContainsFunc(d.values, func(names []string) bool { return slices.Contains(names, "credential bearerAuth") })
		if shown != inFigure {
			t.Errorf("%d operations: credential in the figure: %t", ops, shown)
		}
		all := operationsOf(s.Spec, s.Groups[g].Operations)
		if n := len(credentialEvidence(s.Grants, all, "credential bearerAuth")); n != ops+outside+1 {
			t.Errorf("%d operations: %d places of the credential", ops, n)
		}
	}
}

// The tree has every operation and every value of the figure.
func TestTreeShowsTheWholeFigure(t *testing.T) {
	for group := range 2 {
		d := drawnGroup(analyze(t, scheduler()), group, 80)
		var nodes []int
		for _, row := range d.rows {
			nodes = append(nodes, row.node)
		}
		for node := range d.sheet.Graph.Nodes {
			if !slices.Contains(nodes, node) {
				t.Errorf("group %d: node %d is in no line", group+1, node)
			}
		}
	}
	d := drawnGroup(analyze(t, scheduler()), 0, 80)
	want := []treeRow{
		{node: 2, head: "team_id, role"},
		{node: 0, arrow: "←", op: "GET /membership"},
		{node: 1, arrow: "→", op: "GET /schedule"},
	}
	if !slices.Equal(d.rows, want) {
		t.Errorf("got %v, want %v", d.rows, want)
	}
}

// The figure of a large group has the operations that exchange the most values, and the number of operations that are
// left out.
func TestDrawingOfALargeGroup(t *testing.T) {
	var ops []*model.Operation
	for i := range 60 {
		ops = append(ops, operation(fmt.Sprint("hub", i), []string{"id"}, []string{"id", fmt.Sprint("v", i%50)}))
	}
	for i := range 50 {
		ops = append(ops, operation(fmt.Sprint("taker", i), []string{fmt.Sprint("v", i)}, nil))
	}
	d := drawnGroup(analyze(t, ops), 0, 120)
	if len(d.ops) != maxOps || d.leftOps != 110-maxOps {
		t.Errorf("%d operations shown and %d left out, want %d and %d", len(d.ops), d.leftOps, maxOps, 110-maxOps)
	}
	if d.ops[0] != "GET /hub0" || len(d.values) == 0 || d.values[0][0] != "id" {
		t.Errorf("got %q with %v, want the hubs and their values", d.ops[0], d.values)
	}
	if shown := len(slices.Concat(d.values...)); shown+d.leftValues != 51 {
		t.Errorf("%d values shown and %d left out, want 51 in all", shown, d.leftValues)
	}
}

func TestCount(t *testing.T) {
	s := analyze(t, scheduler())
	got := count(s, 0, operationsOf(s.Spec, s.Groups[0].Operations))().(counted)
	if dc, sc := len(got.tally[0].Seqs), len(got.tally[1].Seqs); dc != 2 || sc != 2 {
		t.Errorf("group 1: got %d seqs by DC and %d by SC, want 2 and 2", dc, sc)
	}
	all := count(s, wholeSpec, nil)().(counted)
	// The distiller paper has this example in section 2.3, with the operations F (fee), M (membership) and S
	// (schedule). DC gives the seqs F, M and MS. SC also gives FM and MF and, because seqs may be longer here, FMS,
	// MFS and MSF.
	if dc, sc := all.tally[0].mean, all.tally[1].mean; dc != 1 || sc <= 1 {
		t.Errorf("groups per seq: got %.2f by DC and %.2f by SC, want 1 and more", dc, sc)
	}
	every := count(s, 0, s.Spec.Operations)().(counted).tally
	if got := every.saved(); got != "62%" || every.size(0) != "3" || every.listed(1) != "8" {
		t.Errorf("DC leaves out %s of %s seqs, keeps %s", got, every.listed(1), every.size(0))
	}
}

// The number of seqs includes those that are not listed.
func TestSizesOfTally(t *testing.T) {
	listed := distil.Listing{Seqs: make([]model.Seq, 2001), GaveUp: true}
	var all tally
	all[0].Listing, all[0].total = listed, 214_999
	all[1].Listing, all[1].total = listed, 429_998
	if got := all.size(0) + ", " + all.listed(0) + ", " + all.saved(); got != "214k, 2,001 of 214,999, 50%" {
		t.Errorf("DC: %s", got)
	}
	all[1].total, all[1].isMore = 5_000_000, true
	if got := all.size(1) + ", " + all.listed(1) + ", " + all.saved(); got != "5M+, 2,001 of 5,000,000+, —" {
		t.Errorf("SC: %s", got)
	}
}

func TestGroupsPerSeqOfNothing(t *testing.T) {
	if got := groupsPerSeq(valuegroup.NewGroupIndex(nil), nil); got != 0 || math.IsNaN(got) {
		t.Errorf("got %v, want 0", got)
	}
}

func TestDivide(t *testing.T) {
	for name, c := range map[string]struct {
		width, height int
		focus         pane
		want          rects
	}{
		"narrow":           {40, 9, members, rects{members: {W: 40, H: 9}}},
		"60":               {60, 30, picture, rects{picture: {W: 60, H: 30}}},
		"low":              {80, 20, table, rects{table: {W: 36, H: 20}, picture: {X: 36, W: 44, H: 20}}},
		"low, focus below": {80, 20, seqs, rects{table: {W: 36, H: 20}, seqs: {X: 36, W: 44, H: 20}}},
		"120": {120, 32, table, rects{
			table: {W: 48, H: 9}, members: {Y: 9, W: 48, H: 23},
			picture: {X: 48, W: 72, H: 24}, seqs: {X: 48, Y: 24, W: 72, H: 8},
		}},
		"200": {200, 56, table, rects{
			table: {W: 56, H: 9}, members: {Y: 9, W: 56, H: 47},
			picture: {X: 56, W: 144, H: 42}, seqs: {X: 56, Y: 42, W: 144, H: 14},
		}},
	} {
		if got := divide(c.width, c.height, contents{rows: 5, focus: c.focus}); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// The pane with the evidence for a value gets half of the column, so that there is room for the reasons.
func TestDivideForEvidence(t *testing.T) {
	for _, c := range []struct {
		contents
		want int
	}{
		{contents{focus: seqs, evidence: true}, 16},
		{contents{focus: seqs, evidence: true, overview: true}, 16},
		{contents{focus: members, evidence: true}, 8},
		{contents{focus: seqs}, 8},
		{contents{focus: members, overview: true}, 0},
	} {
		if got := divide(120, 32, c.contents)[seqs].H; got != c.want {
			t.Errorf("%+v: got %d lines, want %d", c.contents, got, c.want)
		}
	}
}

// The visible panes cover the screen. The pane with the focus is visible.
func TestDivideCoversTheScreen(t *testing.T) {
	for width := 40; width <= 300; width += 13 {
		for height := 9; height <= 97; height += 4 {
			for focus := table; focus < panes; focus++ {
				for _, c := range []contents{
					{rows: 7, focus: focus}, {rows: 400, areas: true, focus: focus}, {rows: 400, areas: true, overview: true, focus: focus},
				} {
					r := divide(width, height, c)
					cells := 0
					for _, p := range r {
						cells += p.W * p.H
					}
					if cells != width*height || r[focus].Empty() {
						t.Fatalf("%d×%d with %+v: %v", width, height, c, r)
					}
				}
			}
		}
	}
}
