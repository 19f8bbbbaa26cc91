package resource

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// outline returns a tree as text, with a line for each resource and the methods of its operations.
func outline(r *Resource, indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s", indent, r.Segment)
	if r.Param {
		b.WriteString("*")
	}
	for _, op := range r.Operations {
		b.WriteString(" " + string(op.ID))
	}
	b.WriteString("\n")
	for _, c := range r.Children {
		b.WriteString(outline(c, indent+"  "))
	}
	return b.String()
}

func TestTree(t *testing.T) {
	tests := []struct {
		name string
		ops  []string
		want string
	}{
		{"nothing", nil, "\n"},
		{"the root", []string{"GET /", "POST "}, " GET / POST \n"},
		{
			"order of the document",
			[]string{"GET /b/x", "GET /a", "GET /b"},
			"\n  b GET /b\n    x GET /b/x\n  a GET /a\n",
		},
		{
			"parameters' names do not matter",
			[]string{"GET /p/{id}", "DELETE /p/{pid}", "GET /p/{x}/price"},
			"\n  p\n    {id}* GET /p/{id} DELETE /p/{pid}\n      price GET /p/{x}/price\n",
		},
		{"slashes", []string{"GET /p/", "POST p", "PUT //p//"}, "\n  p GET /p/ POST p PUT //p//\n"},
		{
			"several parameters in a segment",
			[]string{"GET /t/{a}-{b}", "PUT /t/{x}-{y}", "GET /t/{a}", "GET /t/{a}.{b}"},
			"\n  t\n    {a}-{b}* GET /t/{a}-{b} PUT /t/{x}-{y}\n    {a}* GET /t/{a}\n    {a}.{b}* GET /t/{a}.{b}\n",
		},
		{
			"suffix",
			[]string{"GET /p.{format}", "POST /p", "GET /p/{id}.json", "GET /p/{id}", "GET /v.{x}"},
			"\n  p.{format} GET /p.{format} POST /p\n    {id}.json* GET /p/{id}.json GET /p/{id}\n  v.{x} GET /v.{x}\n",
		},
		{"a parameter inside", []string{"GET /v{n}/p"}, "\n  v{n}\n    p GET /v{n}/p\n"},
		{"case matters", []string{"GET /P", "GET /p"}, "\n  P GET /P\n  p GET /p\n"},
		{"broken braces", []string{"GET /{a", "GET /b}", "GET /{}"}, "\n  {a GET /{a\n  b} GET /b}\n  {}* GET /{}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(NewTree(ops(tt.ops...)), ""); got != tt.want {
				t.Errorf("tree of %q\ngot:\n%s\nwant:\n%s", tt.ops, got, tt.want)
			}
		})
	}
}

func TestTreePaths(t *testing.T) {
	root := NewTree(ops("GET p/{id}/price/"))
	want := []string{"/", "/p", "/p/{id}", "/p/{id}/price"}
	var got []string
	for r := range root.Subtree() {
		got = append(got, r.Path)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("paths %q, want %q", got, want)
	}
}

func TestAllStopsWhenAsked(t *testing.T) {
	n := 0
	for r := range NewTree(ops("GET /a/b", "GET /c")).Subtree() {
		n++
		if r.Segment == "a" {
			break
		}
	}
	if n != 2 {
		t.Errorf("saw %d resources, want 2", n)
	}
}

// anyOps draws operations whose paths consist of a few words, so that paths share segments.
func anyOps(rt *rapid.T) []*model.Operation {
	segment := rapid.SampledFrom([]string{
		"a", "bs", "products", "users", "{id}", "{x}", "{productId}", "{a}-{b}", "c.{format}", "v{n}", "",
		"create", "{a", "{}", "{id}.json",
	})
	paths := rapid.SliceOfDistinct(rapid.Map(rapid.SliceOfN(segment, 0, 5), func(s []string) string {
		return "GET /" + strings.Join(s, "/")
	}), rapid.ID[string])
	return ops(paths.Draw(rt, "operations")...)
}

func ops(ids ...string) []*model.Operation {
	var list []*model.Operation
	for _, id := range ids {
		method, path, _ := strings.Cut(id, " ")
		list = append(list, &model.Operation{ID: model.OpID(id), Method: method, Path: path})
	}
	return list
}

func TestTreeHoldsEveryOperationOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := anyOps(rt)
		at := map[model.OpID]*Resource{}
		for r := range NewTree(list).Subtree() {
			shapes := map[string]bool{}
			for _, c := range r.Children {
				if c.Parent != r || shapes[shape(c.Segment)] {
					rt.Fatalf("%q is wrongly a child of %q", c.Path, r.Path)
				}
				shapes[shape(c.Segment)] = true
			}
			for _, op := range r.Operations {
				at[op.ID] = r
			}
		}
		for _, op := range list {
			if r := at[op.ID]; r == nil || r.Depth() != len(Segments(op.Path)) {
				rt.Fatalf("%q is at %v", op.ID, r)
			}
		}
		if len(at) != len(list) {
			rt.Fatalf("%d operations in the tree, want %d", len(at), len(list))
		}
	})
}

// A path of thousands of segments does not become thousands of nodes, because each node stores its whole path. The
// tree still has all parameters of the path.
func TestTreeOfLongPath(t *testing.T) {
	path := strings.Repeat("/a/{b}", 5000)
	op := &model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path}
	depth, params := 0, 0
	for r := range NewTree([]*model.Operation{op}).Subtree() {
		depth = max(depth, r.Depth())
		params += len(ParamNames(r.Segment))
		if len(r.Operations) > 0 && r.Path != path {
			t.Errorf("the operation is at a path of %d bytes, want all %d", len(r.Path), len(path))
		}
	}
	if depth != 100 || params != 5000 {
		t.Errorf("got %d levels with %d parameters, want 100 with 5000", depth, params)
	}
}

func TestParamNames(t *testing.T) {
	tests := []struct {
		segment, shape string
		want           []string
	}{
		{"products", "products", nil},
		{"{id}", "{}", []string{"id"}},
		{"{a}-{b}", "{}-{}", []string{"a", "b"}},
		{"v{n}.json", "v{}", []string{"n"}},
		{"p.{format}", "p", nil},
		{"{}", "{}", []string{""}},
		{"{a{b}c}", "{a{}c}", []string{"b"}},
		{"}a{b", "}a{b", nil},
		{"{a}{", "{}{", []string{"a"}},
	}
	for _, tt := range tests {
		if got := ParamNames(tt.segment); !slices.Equal(got, tt.want) {
			t.Errorf("ParamNames(%q) = %q, want %q", tt.segment, got, tt.want)
		}
		if got := shape(tt.segment); got != tt.shape {
			t.Errorf("shape(%q) = %q, want %q", tt.segment, got, tt.shape)
		}
	}
}
