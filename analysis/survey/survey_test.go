package survey_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"sonde/analysis/distil"
	"sonde/analysis/survey"
	"sonde/model"
	"sonde/model/match"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// operation returns an operation that takes and emits values with the given names. "!" at the end of a name marks a
// required value.
func operation(id string, tags, in, out []string) *model.Operation {
	text := &model.Schema{Type: "string"}
	op := &model.Operation{ID: model.OpID(id), Tags: tags}
	for _, name := range in {
		bare, required := name, false
		if n := len(name) - 1; name[n] == '!' {
			bare, required = name[:n], true
		}
		op.Params = append(op.Params, model.Parameter{Name: bare, In: model.InQuery, Required: required, Schema: text})
	}
	item := &model.Schema{Type: "object"}
	for _, name := range out {
		item.Properties = append(item.Properties, model.Property{Name: name, Schema: text})
	}
	op.Responses = []model.Response{{Status: "200", Contents: []model.Content{
		{Media: "application/json", Schema: &model.Schema{Type: "array", Items: item}},
	}}}
	return op
}

func list(names ...string) []string { return names }

// TestCases has three cases. One tag has the example of the paper's Figure 1. A second tag has only the schedule,
// whose input no operation of that tag emits. The third case is an operation without a tag.
func TestCases(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		operation("GET /fee", list("scheduler"), list("user_id!"), list("fee")),
		operation("GET /membership", list("scheduler"), list("user_id!"), list("team_id")),
		operation("GET /schedule", list("scheduler", "alone", "scheduler"), list("team_id"), list("date")),
		operation("GET /health", nil, nil, nil),
	}}
	got, err := survey.ExamineSpec(context.Background(), "a.yaml", spec, survey.Options{Mode: match.PaperMode})
	if err != nil {
		t.Fatal(err)
	}
	one := survey.Listing{Seqs: 1, Touched: 1, Covered: 1}
	want := []survey.Case{
		{Service: "a.yaml", Operations: 1, Groups: 1, DC: one, SC: one, Needed: one},
		{Service: "a.yaml", Tag: "alone", Operations: 1, Groups: 1, DC: one, SC: one, Needed: one},
		{
			Service: "a.yaml", Tag: "scheduler", Operations: 3, Groups: 2,
			// Three seqs have a single operation. The fourth seq is the membership followed by the schedule, which
			// takes the id of the member's team.
			DC: survey.Listing{Seqs: 4, Touched: 4, Covered: 3},
			// 3 seqs of one operation, 6 of two and 6 of three operations.
			SC: survey.Listing{Seqs: 15, Touched: 3 + 2 + 4*2 + 6*2, Covered: 3},
			// The schedule takes the id of the team, but does not require it.
			Needed: survey.Listing{Seqs: 3, Touched: 3, Covered: 3},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// TestCasesAsPrinted has two operations. One emits a value, and the other takes this value as an optional input.
func TestCasesAsPrinted(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		operation("GET /a", nil, nil, list("x")),
		operation("GET /b", nil, list("x"), nil),
	}}
	for printed, want := range map[distil.AsPrinted]int{
		{}:                             3,     // a; b; a, b
		{Repeats: true}:                3 + 3, // b, b; a, b, b; b, b, b
		{FedOnly: true}:                3,
		{Repeats: true, FedOnly: true}: 3 + 1, // a, b, b
	} {
		o := survey.Options{Mode: match.PaperMode, AsPrinted: printed}
		got, err := survey.ExamineSpec(t.Context(), "a.yaml", spec, o)
		if err != nil || got[0].DC.Seqs != want {
			t.Errorf("%+v: got %+v, error %v, want %d seqs by DC", printed, got, err, want)
		}
	}
}

// TestGaveUp examines operations that share no values.
func TestGaveUp(t *testing.T) {
	spec := &model.Spec{}
	for range 14 {
		spec.Operations = append(spec.Operations, operation("GET /"+string(rune('a'+len(spec.Operations))), nil, nil, nil))
	}
	got, err := survey.ExamineSpec(context.Background(), "a.yaml", spec, survey.Options{Mode: match.PaperMode})
	if err != nil {
		t.Fatal(err)
	}
	// SC allows 14 + 14·13 + 14·13·12 seqs, which are more than 2,000.
	if c := got[0]; !c.SC.GaveUp || c.SC.Seqs != distil.DefaultLimit || c.DC.GaveUp || c.DC.Seqs != 14 || !c.GaveUp() {
		t.Errorf("got %+v", c)
	}
}

func TestCasesCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	spec := &model.Spec{Operations: []*model.Operation{operation("GET /", nil, nil, nil)}}
	if _, err := survey.ExamineSpec(ctx, "a.yaml", spec, survey.Options{Mode: match.PaperMode}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

// row returns a case of 10 operations. dc and sc are the listings by the two rules, each as the numbers of seqs, of
// touched groups and of covered operations.
func row(service string, groups int, dc, sc [3]int) survey.Case {
	listing := func(n [3]int) survey.Listing { return survey.Listing{Seqs: n[0], Touched: n[1], Covered: n[2]} }
	return survey.Case{Service: service, Operations: 10, Groups: groups, DC: listing(dc), SC: listing(sc), Needed: listing(dc)}
}

func hand() []survey.Case {
	gaveUp := row("e", 9, [3]int{10, 10, 10}, [3]int{2001, 4000, 10})
	gaveUp.SC.GaveUp = true
	weighted := row("d", 1, [3]int{12, 12, 10}, [3]int{20, 20, 10})
	weighted.Needed = survey.Listing{Seqs: 8, Touched: 8, Covered: 9}
	return []survey.Case{
		row("a", 1, [3]int{10, 10, 10}, [3]int{10, 10, 10}), // the same seqs by both rules
		row("a", 2, [3]int{10, 10, 10}, [3]int{40, 70, 10}), // fewer seqs and groups
		row("b", 3, [3]int{9, 9, 9}, [3]int{40, 80, 9}),     // not all operations are covered
		row("c", 3, [3]int{8, 8, 8}, [3]int{40, 90, 10}),    // fewer operations are covered
		row("c", 2, [3]int{0, 0, 0}, [3]int{0, 0, 0}),       // no seqs by either rule
		weighted, // fewer seqs, each of one group
		gaveUp,
	}
}

func TestTables(t *testing.T) {
	got := survey.Summarize(hand(), survey.OmitCase)
	want := survey.Tables{
		Counts: survey.Counts{
			Services: survey.ExaminedCount{Examined: 4, GaveUp: 1},
			Cases:    survey.ExaminedCount{Examined: 6, GaveUp: 1},
		},
		Seqs:     survey.SeqComparison{Equivalent: 2, Decreased: 4},
		Groups:   survey.GroupComparison{Equivalent: 2, Decreased: 3, Other: 1},
		Coverage: survey.CoverageComparison{Equivalent: 4, Full: 3, Partial: 1, Decreased: 1, Other: 1},
		Reason:   survey.ContingencyTable{{0, 2}, {3, 1}},
		Sign:     survey.ContingencyTable{{1, 1}, {3, 1}},
	}
	if diff := cmp.Diff(want, got.Tables); diff != "" {
		t.Errorf("tables, want and got (-+):\n%s", diff)
	}
	rules := survey.RuleSummaries{
		Operations: 60,
		SC:         survey.RuleSummary{Seqs: 150, Covered: 49},
		DC:         survey.RuleSummary{Seqs: 49, Covered: 47, Fewer: 4, Less: 1},
		Needed:     survey.RuleSummary{Seqs: 45, Covered: 46, Fewer: 1, Less: 1},
	}
	if diff := cmp.Diff(rules, got.Rules); diff != "" {
		t.Errorf("rules, want and got (-+):\n%s", diff)
	}
}

// TestOmission has two services with a case that gave up. One of them has another case.
func TestOmission(t *testing.T) {
	gaveUp := row("b", 9, [3]int{10, 10, 10}, [3]int{2001, 4000, 10})
	gaveUp.SC.GaveUp = true
	all := append(hand(), gaveUp)
	byCase := survey.Counts{
		Services: survey.ExaminedCount{Examined: 4, GaveUp: 2}, // service b counts in both numbers
		Cases:    survey.ExaminedCount{Examined: 6, GaveUp: 2},
	}
	byService := survey.Counts{
		Services: survey.ExaminedCount{Examined: 3, GaveUp: 2},
		Cases:    survey.ExaminedCount{Examined: 5, GaveUp: 3},
	}
	for omission, want := range map[survey.Omission]survey.Counts{
		"": byCase, survey.OmitCase: byCase, survey.OmitService: byService,
	} {
		got := survey.Summarize(all, omission)
		if got.ByCase != byCase || got.ByService != byService || got.Tables.Counts != want {
			t.Errorf("%q: got %+v, %+v and %+v in the tables", omission, got.ByCase, got.ByService, got.Tables.Counts)
		}
		seqs := got.Tables.Seqs
		if n := seqs.Equivalent + seqs.Decreased; n != want.Cases.Examined || len(got.Cases) != len(all) {
			t.Errorf("%q: the tables count %d cases", omission, n)
		}
		points := 0
		for _, p := range got.Figures.Points {
			points += len(p.Cases)
		}
		if points != want.Cases.Examined || got.Rules.Operations != 10*points {
			t.Errorf("%q: the figures have %d cases, the rules %d operations", omission, points, got.Rules.Operations)
		}
	}
	if _, err := survey.ParseOmission("tag"); err == nil || err.Error() != `"tag" is not what can be left out; give case or service` {
		t.Errorf("got error %v", err)
	}
}

func TestFigures(t *testing.T) {
	all := hand()
	got := survey.Summarize(all, survey.OmitCase).Figures
	want := survey.Figures{
		Groups: []survey.GroupBin{{Groups: 1, Cases: 2}, {Groups: 2, Cases: 2}, {Groups: 3, Cases: 2}},
		Points: []survey.ScatterPoint{
			{SC: 0, DC: 0, Cases: all[4:5]},
			{SC: 10, DC: 10, Cases: all[0:1]},
			{SC: 20, DC: 12, Cases: all[5:6]},
			{SC: 40, DC: 8, Cases: all[3:4]},
			{SC: 40, DC: 9, Cases: all[2:3]},
			{SC: 40, DC: 10, Cases: all[1:2]},
		},
		// The values are 1, 1, 1.75, 2 and 2.25.
		SC: survey.BoxPlot{Count: 5, Low: 1, Lower: 1, Median: 1.75, Upper: 2, Top: 2.25, Mean: 1.6},
		DC: survey.BoxPlot{Count: 5, Low: 1, Lower: 1, Median: 1, Upper: 1, Top: 1, Mean: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// The tables do not depend on the order of the cases, and the parts of each table add up to the number of cases.
func TestTablesDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cases []survey.Case
		listing := func() survey.Listing {
			n := rapid.IntRange(0, 30).Draw(t, "seqs")
			return survey.Listing{
				Seqs: n, Touched: n * rapid.IntRange(1, 3).Draw(t, "groups"), Covered: rapid.IntRange(0, n).Draw(t, "covered"),
				GaveUp: rapid.IntRange(0, 5).Draw(t, "up") == 0,
			}
		}
		for i := range rapid.IntRange(0, 20).Draw(t, "cases") {
			cases = append(cases, survey.Case{
				Service: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "service"), Tag: string(rune('a' + i)),
				Operations: 30, Groups: rapid.IntRange(1, 4).Draw(t, "groups"), DC: listing(), SC: listing(), Needed: listing(),
			})
		}
		omission := rapid.SampledFrom([]survey.Omission{survey.OmitCase, survey.OmitService}).Draw(t, "omission")
		want := survey.Summarize(cases, omission)
		mixed := slices.Clone(cases)
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "order")))
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if diff := cmp.Diff(want, survey.Summarize(mixed, omission)); diff != "" {
			t.Fatalf("in another order (-+):\n%s", diff)
		}
		addUp(t, want.Tables, len(cases))
	})
}

func addUp(t *rapid.T, got survey.Tables, cases int) {
	n := got.Cases.Examined
	v := got.Coverage
	for name, sum := range map[string]int{
		"cases": cases - got.Cases.GaveUp, "seqs": got.Seqs.Increased + got.Seqs.Equivalent + got.Seqs.Decreased,
		"groups":   got.Groups.Increased + got.Groups.Equivalent + got.Groups.Decreased + got.Groups.Other,
		"coverage": v.Increased + v.Equivalent + v.Decreased + v.Other,
		"table 2":  got.Reason[0][0] + got.Reason[0][1] + got.Reason[1][0] + got.Reason[1][1],
		"table 3":  got.Sign[0][0] + got.Sign[0][1] + got.Sign[1][0] + got.Sign[1][1],
	} {
		if sum != n {
			t.Errorf("%s add up to %d of %d cases", name, sum, n)
		}
	}
	if v.Full+v.Partial != v.Equivalent {
		t.Errorf("got %d and %d of %d", v.Full, v.Partial, v.Equivalent)
	}
}
