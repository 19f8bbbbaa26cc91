package depend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

// flow returns the graph for lines such as "a: x y -> z", which means that a takes x and y and emits z.
func flow(lines ...string) *Graph {
	var ids []model.OpID
	var takes, emits [][]string
	for _, l := range lines {
		id, values, _ := strings.Cut(l, ":")
		in, out, _ := strings.Cut(values, "->")
		ids = append(ids, model.OpID(id))
		takes, emits = append(takes, strings.Fields(in)), append(emits, strings.Fields(out))
	}
	return newGraph(ids, takes, emits)
}

func edges(list []ValueEdge) string {
	var lines []string
	for _, e := range list {
		lines = append(lines, fmt.Sprintf("%s>%s:%s", e.From, e.To, strings.Join(e.Values, ",")))
	}
	return strings.Join(lines, " ")
}

func TestGraph(t *testing.T) {
	g := flow("list: -> id name", "make: name -> id name", "get: id -> name id", "rate: id name x ->")
	tests := []struct{ name, got, want string }{
		{
			"all", edges(slices.Collect(g.AllEdges())),
			"list>make:name list>get:id list>rate:id,name make>get:id make>rate:id,name get>make:name get>rate:name,id",
		},
		{"feeds", edges(g.EdgesFrom("get")), "get>make:name get>rate:name,id"},
		{"fed by", edges(g.EdgesTo("get")), "list>get:id make>get:id"},
		{"fed by several values", edges(g.EdgesTo("rate")), "list>rate:id,name make>rate:id,name get>rate:name,id"},
		{"no edges from it", edges(g.EdgesFrom("rate")), ""},
		{"no edges to it", edges(g.EdgesTo("list")), ""},
		{"unknown feeds", edges(g.EdgesFrom("none")), ""},
		{"unknown is fed by", edges(g.EdgesTo("none")), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got  %s\nwant %s", tt.got, tt.want)
			}
		})
	}
}

func TestComponents(t *testing.T) {
	tests := []struct {
		name string
		g    *Graph
		want string
	}{
		{"nothing", flow(), "[]"},
		{"no cycle", flow("a: -> x", "b: x -> y", "c: y ->"), "[[a] [b] [c]]"},
		{"a cycle", flow("d: ->", "a: x -> y", "b: q -> r", "c: y -> x"), "[[d] [a c] [b]]"},
		{"through itself", flow("a: x -> x", "b: x ->"), "[[a] [b]]"},
		{"two cycles that meet", flow("a: x -> y", "b: y -> x z", "c: z -> y"), "[[a b c]]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(tt.g.Components()); got != tt.want {
				t.Errorf("components %s, want %s", got, tt.want)
			}
		})
	}
}

func TestNeighbourhood(t *testing.T) {
	g := flow("a: -> x", "b: x -> y", "c: y -> z", "d: z ->", "e: rare -> x id", "f: id -> rare", "g: id ->", "h: id ->")
	tests := []struct {
		name        string
		op          model.OpID
		hops, limit int
		want        string
		left        int
	}{
		{"no hop", "b", 0, 9, "[b]", 0},
		{"one hop, either way", "b", 1, 9, "[a b c e]", 0},
		{"two hops", "b", 2, 9, "[a b c d e f g h]", 0},
		{"nearest first", "b", 2, 4, "[a b c e]", 4},
		{"the rarest value first", "e", 1, 2, "[e f]", 3},
		{"room for one", "b", 2, 0, "[b]", 7},
		{"more hops than there are", "d", 99, 99, "[a b c d e f g h]", 0},
		{"unknown", "none", 2, 9, "[]", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			near, left := g.Neighbourhood(tt.op, tt.hops, tt.limit)
			if got := fmt.Sprint(near.Operations); got != tt.want || left != tt.left {
				t.Errorf("got %s, %d left; want %s, %d left", got, left, tt.want, tt.left)
			}
		})
	}
}

func TestNeighbourhoodKeepsTheEdges(t *testing.T) {
	g := flow("a: -> x", "b: x -> y", "c: y -> z", "d: z ->")
	near, _ := g.Neighbourhood("b", 1, 9)
	if got, want := edges(slices.Collect(near.AllEdges())), "a>b:x b>c:y"; got != want {
		t.Errorf("edges %s, want %s", got, want)
	}
}

func TestDependencies(t *testing.T) {
	answers := func(names ...string) func(*model.Operation) {
		return func(o *model.Operation) {
			o.Responses = []model.Response{{Status: "200", Contents: []model.Content{
				{Media: "application/json", Schema: list(object(names...))},
			}}}
		}
	}
	g := NewGraph(match.NewValuesTable([]*model.Operation{
		op("GET /products", answers("productId", "name")),
		op("GET /products/{productId}"),
		op("POST /carts", body(list(object("productId")))),
	}, match.PaperMode))
	want := "GET /products>GET /products/{productId}:productId GET /products>POST /carts:productId"
	if got := edges(slices.Collect(g.AllEdges())); got != want {
		t.Errorf("edges %s, want %s", got, want)
	}
}
