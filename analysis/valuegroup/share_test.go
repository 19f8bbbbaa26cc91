package valuegroup_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

type set map[string]bool

// naive is SharingGroups, Algorithm 1 of the paper, line by line. Where the paper writes SELECT, naive takes the
// first operation.
func naive(t *match.ValuesTable) []model.ValueGroup {
	names := func(lists ...[]int) set {
		s := set{}
		for _, l := range lists {
			for _, v := range l {
				s[t.Names[v]] = true
			}
		}
		return s
	}
	valns := func(op int) set { return names(t.In[op], t.Out[op]) } // lines 18 to 20
	ivals, ovals := names(t.In...), names(t.Out...)                 // line 1
	var groups [][]int
	var refs []set
	spec := map[int]bool{}
	for op := range t.Ops {
		spec[op] = true
	}
	nams := set{}
	for len(spec) > 0 { // line 4
		var mems []int
		for _, op := range slices.Sorted(maps.Keys(spec)) { // line 5
			if meet(valns(op), nams) {
				mems = append(mems, op)
			}
		}
		if len(mems) == 0 { // lines 6 to 10
			mems = []int{slices.Min(slices.Collect(maps.Keys(spec)))}
			groups, refs = append(groups, nil), append(refs, set{})
		}
		g := len(groups) - 1
		groups[g] = append(groups[g], mems...) // line 11
		fresh := set{}
		for _, op := range mems { // line 12
			for v := range valns(op) {
				if !refs[g][v] {
					fresh[v] = true
				}
			}
			delete(spec, op) // line 15
		}
		maps.Copy(refs[g], fresh) // line 13
		nams = set{}
		for v := range fresh { // line 14: neither ungot nor unused
			if ivals[v] && ovals[v] {
				nams[v] = true
			}
		}
	}
	return written(t, groups, refs)
}

func meet(a, b set) bool {
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}

// written returns groups as model.ValueGroups with sorted values.
func written(t *match.ValuesTable, groups [][]int, refs []set) []model.ValueGroup {
	var all []model.ValueGroup
	for g, ops := range groups {
		slices.Sort(ops)
		group := model.ValueGroup{Values: slices.Sorted(maps.Keys(refs[g]))}
		for _, op := range ops {
			group.Operations = append(group.Operations, t.Ops[op].ID)
		}
		all = append(all, group)
	}
	return all
}

// TestGroupsAreAlgorithm1 compares FindGroups with the paper's algorithm on random operations.
func TestGroupsAreAlgorithm1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := randomTable(t)
		got := valuegroup.FindGroups(table)
		for _, g := range got {
			slices.Sort(g.Values)
		}
		if diff := cmp.Diff(naive(table), got); diff != "" {
			t.Fatalf("want and got (-+):\n%s", diff)
		}
	})
}

func randomTable(t *rapid.T) *match.ValuesTable {
	table := &match.ValuesTable{}
	for v := range 30 {
		table.Names = append(table.Names, fmt.Sprintf("v%02d", v))
	}
	values := rapid.SliceOfNDistinct(rapid.IntRange(0, 29), 0, 3, rapid.ID)
	for op := range rapid.IntRange(0, 25).Draw(t, "operations") {
		table.Ops = append(table.Ops, &model.Operation{ID: model.OpID(fmt.Sprintf("GET /%d", op))})
		in := values.Draw(t, "in")
		table.In, table.Need = append(table.In, in), append(table.Need, in)
		table.Out = append(table.Out, values.Draw(t, "out"))
	}
	return table
}

// operation returns an operation that takes and emits values with the given names.
func operation(id string, in, out []string) *model.Operation {
	op := &model.Operation{ID: model.OpID(id)}
	for _, name := range in {
		op.Params = append(op.Params, model.Parameter{Name: name, In: model.InQuery, Schema: &model.Schema{}})
	}
	var properties []model.Property
	for _, name := range out {
		properties = append(properties, model.Property{Name: name, Schema: &model.Schema{}})
	}
	op.Responses = []model.Response{{Status: "200", Contents: []model.Content{{Schema: &model.Schema{Properties: properties}}}}}
	return op
}

func TestGroups(t *testing.T) {
	tests := []struct {
		name string
		ops  []*model.Operation
		want []model.ValueGroup
	}{
		{name: "no operations"},
		{
			name: "a value that is only taken joins nothing",
			ops:  []*model.Operation{operation("a", []string{"x"}, nil), operation("b", []string{"x"}, nil)},
			want: []model.ValueGroup{
				{Operations: []model.OpID{"a"}, Values: []string{"x"}},
				{Operations: []model.OpID{"b"}, Values: []string{"x"}},
			},
		},
		{
			name: "a value that is only emitted joins nothing",
			ops:  []*model.Operation{operation("a", nil, []string{"x"}), operation("b", nil, []string{"x"})},
			want: []model.ValueGroup{
				{Operations: []model.OpID{"a"}, Values: []string{"x"}},
				{Operations: []model.OpID{"b"}, Values: []string{"x"}},
			},
		},
		{
			name: "takers of an emitted value are joined, in the order of the spec",
			ops: []*model.Operation{
				operation("a", []string{"x"}, nil), operation("lonely", nil, nil),
				operation("b", []string{"x"}, nil), operation("c", []string{"y"}, []string{"x"}),
			},
			want: []model.ValueGroup{
				{Operations: []model.OpID{"a", "b", "c"}, Values: []string{"x", "y"}},
				{Operations: []model.OpID{"lonely"}},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, valuegroup.FindGroups(match.NewValuesTable(test.ops, shallow))); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
		})
	}
}

func TestTouched(t *testing.T) {
	groups := []model.ValueGroup{{Operations: []model.OpID{"a", "b"}}, {Operations: []model.OpID{"c"}}}
	tests := []struct {
		seq  model.Seq
		want int
	}{
		{nil, 0},
		{model.Seq{"a"}, 1},
		{model.Seq{"a", "b", "a"}, 1},
		{model.Seq{"b", "c", "a"}, 2},
		{model.Seq{"c", "unknown"}, 1},
	}
	index := valuegroup.NewGroupIndex(groups)
	for _, test := range tests {
		if got := index.CountTouched(test.seq); got != test.want {
			t.Errorf("%v: got %d, want %d", test.seq, got, test.want)
		}
	}
}
