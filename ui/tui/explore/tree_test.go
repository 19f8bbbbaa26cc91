package explore

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/filter"
)

// operation returns an operation with tags and nothing else.
func operation(id, method, path string, tags ...string) *model.Operation {
	return &model.Operation{ID: model.OpID(method + " " + path), Method: method, Path: path, Name: id, Tags: tags}
}

func petstore() *model.Spec {
	return &model.Spec{Operations: []*model.Operation{
		operation("addPet", "POST", "/v2/pets", "pets"),
		operation("getPet", "GET", "/v2/pets/{id}", "pets", "public"),
		operation("buy", "POST", "/v2/orders"),
		operation("root", "GET", "/v2"),
	}}
}

// by returns a filter of the pet store.
func by(text string) func(*model.Operation) filter.MatchRank {
	spec := petstore()
	index := filter.NewIndex(spec)
	index.AddAnalysis(spec, match.New(spec.Operations, match.DefaultMode), nil)
	f := filter.Parse(text, index)
	return func(op *model.Operation) filter.MatchRank {
		return f.Match(filter.Row{Operations: []model.OpID{op.ID}})
	}
}

// rows returns the tree's rows, operations indented.
func rows(t tree) []string {
	var out []string
	for _, n := range t.nodes {
		if n.op == nil {
			out = append(out, t.folders[n.folder].name)
		} else {
			out = append(out, "  "+n.op.Name)
		}
	}
	return out
}

func TestTree(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*tree)
		want []string
	}{
		"first folder open": {func(*tree) {}, []string{"pets", "  addPet", "  getPet", "public", "/v2"}},
		"all open":          {(*tree).foldAll, []string{"pets", "  addPet", "  getPet", "public", "  getPet", "/v2", "  buy", "  root"}},
		"all folded":        {func(t *tree) { t.foldAll(); t.foldAll() }, []string{"pets", "public", "/v2"}},
		"by path":           {func(t *tree) { t.filter(by("ORDERS")) }, []string{"/v2", "  buy"}},
		"by operationId":    {func(t *tree) { t.filter(by("addpet")) }, []string{"pets", "  addPet"}},
		"by method and tag": {func(t *tree) { t.filter(by("get public")) }, []string{"pets", "  getPet", "public", "  getPet"}},
		"by nothing there":  {func(t *tree) { t.filter(by("cart")) }, nil},
	} {
		tree := newTree(petstore())
		c.do(&tree)
		if got := rows(tree); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestTreeFindsTheNearestRow(t *testing.T) {
	tree := newTree(petstore())
	tree.foldAll()
	for from, want := range map[int]int{0: 2, 5: 4} {
		if got := tree.row("GET /v2/pets/{id}", from); got != want {
			t.Errorf("from %d: got row %d, want %d", from, got, want)
		}
	}
	tree.foldAll()
	if got := tree.row("POST /v2/orders", 0); got < 0 || tree.nodes[got].op.Name != "buy" {
		t.Errorf("a folded operation: got row %d of %q", got, rows(tree))
	}
	tree.filter(by("pet"))
	if got := tree.row("POST /v2/orders", 0); got != -1 {
		t.Errorf("a filtered operation: got row %d, want none", got)
	}
}

// Operations without tags are in folders. A folder has the name of the first path segment that not
// all operations share.
func TestFoldersOfUntagged(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		operation("a", "GET", "/api/v1/users"),
		operation("b", "GET", "/api/v1/users/{id}"),
		operation("c", "GET", "/api/v1/carts"),
	}}
	var got []string
	for _, f := range folders(spec) {
		got = append(got, fmt.Sprint(f.name, len(f.ops)))
	}
	if want := []string{"/users2", "/carts1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A folder for a tag without visible characters has a name.
func TestFoldersOfAnInvisibleTag(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Path: "/a", Tags: []string{"\u200b\u2060"}}}}
	if got := folders(spec); len(got) != 1 || got[0].name != "(invisible tag)" {
		t.Errorf("got %+v", got)
	}
}
