package valuegroup_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

// exchanging returns an operation that takes values in its query and emits others.
func exchanging(id string, takes, emits []string) *model.Operation {
	text := &model.Schema{Type: "string"}
	op := &model.Operation{ID: model.OpID("GET /" + id)}
	for _, name := range takes {
		op.Params = append(op.Params, model.Parameter{Name: name, In: model.InQuery, Schema: text})
	}
	item := &model.Schema{Type: "object"}
	for _, name := range emits {
		item.Properties = append(item.Properties, model.Property{Name: name, Schema: text})
	}
	list := &model.Schema{Type: "array", Items: item}
	op.Responses = []model.Response{{Status: "200", Contents: []model.Content{{Schema: list}}}}
	return op
}

// groupsOf returns the value-sharing groups of operations.
func groupsOf(m *match.Matcher, ops []*model.Operation) [][]*model.Operation {
	byID := map[model.OpID]*model.Operation{}
	for _, op := range ops {
		byID[op.ID] = op
	}
	var groups [][]*model.Operation
	for _, g := range valuegroup.FindGroups(m.ValuesTable(ops)) {
		var group []*model.Operation
		for _, id := range g.Operations {
			group = append(group, byID[id])
		}
		groups = append(groups, group)
	}
	return groups
}

// The paper's Figure 1.
func TestFigure1(t *testing.T) {
	ops := []*model.Operation{
		exchanging("membership", []string{"user_id"}, []string{"team_id"}),
		exchanging("schedule", []string{"team_id"}, []string{"date"}),
		exchanging("fee", []string{"user_id"}, []string{"fee"}),
	}
	m := match.New(ops, match.PaperMode)
	teams := valuegroup.ValueFlow{Names: []string{"team_id"}, Emitters: []int{0}, Takers: []int{1}}
	for all, want := range map[bool]*valuegroup.Figure{
		false: {
			Operations: ops, OperationGroups: []int{0, 0, 1}, Values: []valuegroup.ValueFlow{teams}, ValueGroups: []int{0},
		},
		true: {
			Operations:      ops,
			OperationGroups: []int{0, 0, 1},
			Values: []valuegroup.ValueFlow{
				{Names: []string{"user_id"}, Takers: []int{0}},
				teams,
				{Names: []string{"date"}, Emitters: []int{1}},
				{Names: []string{"user_id"}, Takers: []int{2}},
				{Names: []string{"fee"}, Emitters: []int{2}},
			},
			ValueGroups: []int{0, 0, 0, 1, 1},
		},
	} {
		got := valuegroup.NewFigure(m, groupsOf(m, ops), valuegroup.FigureOptions{AllValues: all})
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("all values %t, want and got (-+):\n%s", all, diff)
		}
	}
}

// A group that is too large shows its best connected operations and the values with the most ends.
func TestFigureOfALargeGroup(t *testing.T) {
	ops := []*model.Operation{
		exchanging("lone", []string{"id"}, nil),
		exchanging("hub", []string{"x"}, []string{"id", "x", "y"}),
		exchanging("other", []string{"y"}, []string{"id", "x"}),
	}
	m := match.New(ops, match.PaperMode)
	o := valuegroup.FigureOptions{GroupOperations: 2, GroupValues: 1}
	got := valuegroup.NewFigure(m, [][]*model.Operation{ops}, o)
	if want := ops[1:]; !slices.Equal(got.Operations, want) || got.OmittedOperations != 1 {
		t.Errorf("got %v, %d left out", got.Operations, got.OmittedOperations)
	}
	want := []valuegroup.ValueFlow{{Names: []string{"x"}, Emitters: []int{0, 1}, Takers: []int{0}}}
	if diff := cmp.Diff(want, got.Values); diff != "" || got.OmittedValues != 2 {
		t.Errorf("%d values left out, want 2; want and got (-+):\n%s", got.OmittedValues, diff)
	}
}

// Further values are shown beside those of the table.
func TestFurtherValues(t *testing.T) {
	ops := []*model.Operation{exchanging("a", nil, nil), exchanging("b", nil, nil)}
	m := match.New(ops, match.PaperMode)
	token := valuegroup.ValueFlow{Names: []string{"token"}, Emitters: []int{0}, Takers: []int{1}}
	o := valuegroup.FigureOptions{Further: func([]*model.Operation) []valuegroup.ValueFlow { return []valuegroup.ValueFlow{token} }}
	got := valuegroup.NewFigure(m, [][]*model.Operation{ops}, o)
	if diff := cmp.Diff([]valuegroup.ValueFlow{token}, got.Values); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// Whatever the limits are, the numbers of shown and of omitted operations, values and groups add up to all of them,
// and the ends of each value are in the value's group.
func TestFigureAddsUp(t *testing.T) {
	name := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), 0, 3, rapid.ID)
	rapid.Check(t, func(t *rapid.T) {
		var ops []*model.Operation
		for i := range rapid.IntRange(0, 9).Draw(t, "operations") {
			ops = append(ops, exchanging(fmt.Sprint(i), name.Draw(t, "takes"), name.Draw(t, "emits")))
		}
		limit := func(what string) int { return rapid.IntRange(0, 9).Draw(t, what) }
		o := valuegroup.FigureOptions{
			AllValues: rapid.Bool().Draw(t, "all"), GroupOperations: limit("group operations"), GroupValues: limit("group values"),
			Nodes: limit("nodes"), Edges: limit("edges"),
		}
		m := match.New(ops, match.PaperMode)
		groups := groupsOf(m, ops)
		whole := valuegroup.NewFigure(m, groups, valuegroup.FigureOptions{AllValues: o.AllValues})
		f := valuegroup.NewFigure(m, groups, o)
		names, ends := 0, 0
		for i, v := range f.Values {
			names, ends = names+len(v.Names), ends+v.Ends()
			for _, op := range slices.Concat(v.Emitters, v.Takers) {
				if f.OperationGroups[op] != f.ValueGroups[i] {
					t.Fatalf("%v is in another group than %v", v, f.Operations[op])
				}
			}
		}
		all := 0
		for _, v := range whole.Values {
			all += len(v.Names)
		}
		if len(f.Operations)+f.OmittedOperations != len(ops) || names+f.OmittedValues != all {
			t.Fatalf("%d and %d operations of %d, %d and %d values of %d", len(f.Operations), f.OmittedOperations, len(ops), names,
				f.OmittedValues, all)
		}
		if o.Nodes > 0 && len(f.Operations)+len(f.Values) > o.Nodes || o.Edges > 0 && ends > o.Edges {
			t.Fatalf("%d operations, %d values and %d ends with %+v", len(f.Operations), len(f.Values), ends, o)
		}
	})
}
