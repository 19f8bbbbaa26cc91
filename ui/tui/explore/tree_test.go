package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/filter"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// operation returns an operation that has tags, but no parameters, body or responses.
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

// by returns the sieve of a filter with a text, for the operations of the pet store.
func by(text string) sieve {
	spec := petstore()
	index := filter.NewIndex(spec)
	index.AddAnalysis(spec, match.New(spec.Operations, match.DefaultMode), nil)
	return typedSieve{find: filter.Parse(text, index), index: index}
}

// rows returns the tree's rows. Operations are indented.
func rows(t tree) []string {
	var out []string
	for _, n := range t.nodes {
		switch {
		case n.heading():
			out = append(out, t.section(n).listed.name)
		case n.op == nil:
			out = append(out, t.folders[n.folder].name)
		default:
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

// In each folder, the most relevant operation comes first. The folder with the most relevant operation comes first,
// too.
func TestTreeSortsByRelevance(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		operation("list", "GET", "/carts", "carts"),
		operation("pay", "POST", "/carts/{id}/orders/pay", "carts"),
		operation("read", "GET", "/orders/{id}", "orders"),
		operation("order", "POST", "/orders", "orders"),
	}}
	tree, index := newTree(spec), filter.NewIndex(spec)
	for text, want := range map[string][]string{
		"post /orders": {"orders", "  order", "carts", "  pay"},
		"/orders":      {"orders", "  order", "  read", "carts", "  pay"},
		"cart":         {"carts", "  list", "  pay"},
		"pay":          {"carts", "  pay"},
	} {
		tree.filter(typedSieve{find: filter.Parse(text, index), index: index})
		if got := rows(tree); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	tree.filter(nil)
	if got := tree.folders[1].ops[0].Name; got != "read" {
		t.Errorf("the filter has sorted the folder of the spec: %q comes first", got)
	}
}

// Operations that match only by value are in a folded section below a heading. If no operation matches by name, the
// section is unfolded.
func TestTreeFoldsMatchesByValue(t *testing.T) {
	add := operation("addPet", "POST", "/pets", "pets")
	add.Body = &model.RequestBody{Contents: []model.Content{{Schema: &model.Schema{Name: "Toy"}}}}
	spec := &model.Spec{Operations: []*model.Operation{add, operation("toys", "GET", "/toys", "toys")}}
	tree, index := newTree(spec), filter.NewIndex(spec)
	toy := typedSieve{find: filter.Parse("toy", index), index: index}
	expect := func(want ...string) {
		t.Helper()
		if got := rows(tree); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	tree.filter(toy)
	expect("toys", "  toys", "1 more by value")
	tree.foldSection(&tree.sections[0], true)
	expect("toys", "  toys", "1 more by value", "pets", "  addPet")
	tree.foldSection(&tree.sections[0], false)
	if row := tree.row("POST /pets", 0); row != 4 {
		t.Errorf("the operation is in row %d, want 4", row)
	}
	tree.filter(toy)
	expect("toys", "  toys", "1 more by value")
	tree.filter(typedSieve{find: filter.Parse("toy !get", index), index: index})
	expect("1 by value", "pets", "  addPet")
}

// Operations that match only by description are below those that match by value. If no operation matches by name, the
// operations of both kinds are unfolded.
func TestTreeFoldsMatchesByDescription(t *testing.T) {
	var ops []*model.Operation
	for _, name := range []string{"toys", "pets", "play"} {
		ops = append(ops, operation(name, "GET", "/"+name, name))
	}
	ops[1].Responses = []model.Response{{Contents: []model.Content{{Schema: &model.Schema{Name: "Toy"}}}}}
	ops[2].Description = "Plays with [a TOY](https://example.com/games) until it **breaks**."
	spec := &model.Spec{Operations: ops}
	tree, index := newTree(spec), filter.NewIndex(spec)
	for text, want := range map[string][]string{
		"toy":         {"toys", "  toys", "1 more by value", "1 more by description"},
		"toy !toys":   {"1 by value", "pets", "  pets", "1 more by description", "play", "  play"},
		"a toy break": {"1 by description", "play", "  play"},
		"play breaks": {"1 by description", "play", "  play"},
		"toy tag:pe":  {"1 by value", "pets", "  pets"},
		"!breaks pla": {"play", "  play"},
		"games":       nil,
		"path:break":  nil,
	} {
		tree.filter(typedSieve{find: filter.Parse(text, index), index: index})
		if got := rows(tree); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	tree.filter(typedSieve{find: filter.Parse("toy", index), index: index})
	if row := tree.row("GET /play", 0); row != 5 {
		t.Errorf("the operation is in row %d of %q, want 5", row, rows(tree))
	}
	before := slices.Clone(tree.sections)
	tree.filter(typedSieve{find: filter.Parse("toy", index), index: index})
	if tree.restore(before); len(tree.nodes) != 6 {
		t.Errorf("the section of before is folded: %q", rows(tree))
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

// Operations without tags are in folders, too. Such a folder is named after the first path segment that not all
// operations share.
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

// The folder of the first row that matches a filter is visible, even if the list was scrolled.
func TestHeadingsOfTheFirstRow(t *testing.T) {
	s := opened(t)
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 14})
	press(s, ":")
	s.tree.rows.Go(len(s.tree.ops.nodes) - 1)
	s.Update(nil)
	press(s, "/", "g", "e", "t")
	n := s.tree.node()
	if n == nil || n.op == nil || s.tree.rows.At != 1 || s.tree.rows.Top != 0 || s.tree.rows.Rows <= s.tree.rows.Height {
		t.Fatalf("the list is %+v", s.tree.rows)
	}
	if view := ansi.Strip(s.View(120, 14)); !strings.Contains(view, "▾ products") {
		t.Errorf("no folder in\n%s", view)
	}
	s.tree.rows.Height = 1
	s.tree.rows.Go(s.tree.rows.At)
	s.tree.showHeadings()
	if s.tree.rows.Top > s.tree.rows.At {
		t.Error("the cursor is hidden")
	}
}
