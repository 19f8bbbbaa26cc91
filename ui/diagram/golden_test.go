package diagram

import (
	"strings"
	"testing"

	"sonde/analysis/layout"

	"github.com/charmbracelet/x/exp/golden"
)

// ops and values return nodes of one line.
func ops(names ...string) []layout.Node    { return nodes(layout.OperationNode, names) }
func values(names ...string) []layout.Node { return nodes(layout.ValueNode, names) }

func nodes(kind layout.NodeKind, names []string) []layout.Node {
	var ns []layout.Node
	for _, n := range names {
		ns = append(ns, layout.Node{Lines: []string{n}, Kind: kind})
	}
	return ns
}

func edge(from, to int, label string) layout.Edge {
	return layout.Edge{From: from, To: to, Label: label}
}

// flow returns a dashed edge without a label. Such edges connect operations with values.
func flow(from, to int) layout.Edge { return layout.Edge{From: from, To: to, Dashed: true} }

// paper is the example of the distiller paper (Figure 1): three operations in two value-sharing groups. All three
// operations take user_id. No operation emits it, so user_id does not make the operations one group.
func paper() layout.Graph {
	return layout.Graph{
		Nodes: append(ops("get/user/membership", "get/team/schedule", "get/user/fee"),
			values("user_id", "team_id", "schedule", "user_id", "month", "fee")...),
		Edges:  []layout.Edge{flow(3, 0), flow(0, 4), flow(4, 1), flow(1, 5), flow(6, 2), flow(7, 2), flow(2, 8)},
		Groups: []int{0, 0, 1, 0, 0, 0, 1, 1, 1},
		Titles: []string{"group 1", "group 2"},
		Framed: true,
	}
}

// cart is a value-sharing group, drawn as a dependency graph: the nodes are operations, and the labels of the edges
// name the values.
func cart() layout.Graph {
	return layout.Graph{
		Nodes: ops("POST /carts", "POST /products", "POST /carts/{cartId}/items",
			"DELETE …/items/{itemId}", "GET /carts/{cartId}", "GET /products/{productId}"),
		Edges: []layout.Edge{
			edge(0, 2, "cartId"), edge(1, 2, "productId"), edge(2, 3, "itemId"),
			edge(0, 3, "cartId"), edge(0, 4, "cartId"), edge(1, 5, "productId"),
		},
	}
}

// cartValues is the group of cart, drawn as in the distiller paper: operations and values are nodes.
func cartValues() layout.Graph {
	return layout.Graph{
		Nodes: append(ops("POST /carts", "POST /products", "POST /carts/{cartId}/items",
			"DELETE …/items/{itemId}", "GET /carts/{cartId}"), values("cartId", "productId", "itemId")...),
		Edges: []layout.Edge{flow(0, 5), flow(1, 6), flow(5, 2), flow(6, 2), flow(2, 7), flow(5, 3), flow(7, 3), flow(5, 4)},
	}
}

func fanOut() layout.Graph {
	g := layout.Graph{Nodes: ops("POST /products", "GET /products/{id}", "PUT /products/{id}", "DELETE /products/{id}",
		"GET /products/{id}/price", "PUT /products/{id}/price", "POST /products/{id}/reviews")}
	for i := 1; i < len(g.Nodes); i++ {
		g.Edges = append(g.Edges, edge(0, i, "productId"))
	}
	return g
}

func fanIn() layout.Graph {
	return layout.Graph{
		Nodes: ops("POST /orders", "POST /carts", "POST /customers", "PUT /stock/{sku}"),
		Edges: []layout.Edge{edge(1, 0, "cartId"), edge(2, 0, "customerId"), edge(3, 0, "sku")},
	}
}

func cycle() layout.Graph {
	return layout.Graph{
		Nodes: ops("POST /carts", "POST /carts/{cartId}/merge"),
		Edges: []layout.Edge{edge(0, 1, "cartId"), edge(1, 0, "couponId")},
	}
}

func selfLoop() layout.Graph {
	return layout.Graph{
		Nodes: ops("GET /products", "GET /products/{id}"),
		Edges: []layout.Edge{edge(0, 0, "nextPage"), edge(0, 1, "productId")},
	}
}

func longEdge() layout.Graph {
	return layout.Graph{
		Nodes: ops("POST /orders", "POST …/pay", "POST …/ship", "GET …/tracking"),
		Edges: []layout.Edge{edge(0, 1, "orderId"), edge(1, 2, "paymentId"), edge(2, 3, "parcelId"), edge(0, 3, "orderId")},
	}
}

// crossed has joints next to crossings.
func crossed() layout.Graph {
	return layout.Graph{
		Nodes: ops("A", "B", "C", "D", "E", "F"),
		Edges: []layout.Edge{
			edge(0, 3, ""), edge(0, 4, ""), edge(1, 3, ""), edge(1, 4, ""), edge(1, 5, ""), edge(2, 3, ""),
			edge(2, 5, ""),
		},
	}
}

func parallel() layout.Graph {
	return layout.Graph{
		Nodes: ops("A", "B", "C"),
		Edges: []layout.Edge{
			edge(0, 1, "cartId"), edge(0, 1, "productId"), edge(0, 2, "aVeryLongNameOfAValue"),
			edge(1, 2, "shippingAddressId"), edge(1, 2, "billingAddressId"), edge(1, 2, "couponId"),
		},
	}
}

func wideRunes() layout.Graph {
	return layout.Graph{
		Nodes: ops("POST /注文", "GET /注文/{番号}", "GET /cafe\u0301/☕"),
		Edges: []layout.Edge{edge(0, 1, "注文番号"), edge(0, 2, "e\u0301te\u0301")},
	}
}

func note() layout.Graph {
	return layout.Graph{
		Nodes: []layout.Node{
			{Lines: []string{"POST /orders", "✓ 201 ×14"}},
			{Lines: []string{"GET /orders/{id}", "✓ 200 ×3"}},
			{Lines: []string{"12 more"}, Kind: layout.NoteNode},
		},
		Edges: []layout.Edge{edge(0, 1, "orderId"), edge(0, 2, "orderId")},
	}
}

// shop is the dependency graph of a gear shop: two unconnected operations, and 23 operations that depend on
// each other, with one cycle.
func shop() layout.Graph {
	g := layout.Graph{Nodes: ops("GET /health", "POST /login", "GET /products", "POST /products",
		"GET /products/{productId}", "PUT /products/{productId}", "DELETE /products/{productId}",
		"GET /products/{productId}/price", "PUT /products/{productId}/price",
		"POST /products/{productId}/reviews", "GET /products/{productId}/reviews", "POST /customers",
		"GET /customers/{customerId}", "PATCH /customers/{customerId}", "POST /carts", "GET /carts/{cartId}",
		"POST /carts/{cartId}/items", "DELETE /carts/{cartId}/items/{itemId}", "POST /orders",
		"GET /orders/{orderId}", "POST /orders/{orderId}/pay", "POST /orders/{orderId}/ship",
		"GET /payments/{paymentId}", "GET /stock/{sku}", "PUT /stock/{sku}")}
	feeds := func(from int, value string, to ...int) {
		for _, n := range to {
			g.Edges = append(g.Edges, edge(from, n, value))
		}
	}
	feeds(3, "productId", 4, 5, 6, 7, 8, 9, 10, 16)
	feeds(2, "productId", 4, 16)
	feeds(2, "cursor", 2)
	feeds(3, "sku", 23, 24)
	feeds(11, "customerId", 12, 13, 14, 18)
	feeds(14, "cartId", 15, 16, 17, 18)
	feeds(16, "itemId", 17)
	feeds(18, "orderId", 19, 20, 21)
	feeds(20, "paymentId", 22)
	feeds(20, "orderId", 18)
	return g
}

func tight(g layout.Graph) layout.Graph {
	g.Tight = true
	return g
}

// dots returns a graph with a dot in place of each node, and without labels.
func dots(g layout.Graph) layout.Graph {
	g.Nodes = make([]layout.Node, len(g.Nodes))
	for i := range g.Nodes {
		g.Nodes[i] = layout.Node{Lines: []string{"·"}, Kind: layout.DotNode}
	}
	for i := range g.Edges {
		g.Edges[i].Label = ""
	}
	return g
}

// reached returns a mark for a node, in turn one of the four marks that the app draws during a search: not called,
// 2xx, 4xx, 5xx.
func reached(node, _ int) string { return []string{"·", "✓", "△", "✗"}[node%4] }

// answered returns the statuses of a node in at most width cells, or the glyph of the first one.
func answered(node, width int) string {
	text := []string{"·", "✓ 201×14 404×3", "△ 404×3", "✗ 500×2"}[node%4]
	if len([]rune(text)) > width {
		return string([]rune(text)[:1])
	}
	return text
}

func only(node int) func(int) bool { return func(n int) bool { return n == node } }

var drawings = []struct {
	name  string
	graph layout.Graph
	view  GraphView
}{
	{"paper", paper(), GraphView{}},
	{"paper_selected_frame", paper(), GraphView{FrameSelected: only(1)}},
	{"cart", cart(), GraphView{Selected: only(2)}},
	{"cart_values", cartValues(), GraphView{Selected: only(5)}},
	{"fan_out", fanOut(), GraphView{}},
	{"fan_out_tight", tight(fanOut()), GraphView{}},
	{"fan_in", fanIn(), GraphView{}},
	{"cycle", cycle(), GraphView{}},
	{"self_loop", selfLoop(), GraphView{}},
	{"long_edge", longEdge(), GraphView{}},
	{"crossed", crossed(), GraphView{}},
	{"parallel", parallel(), GraphView{}},
	{"wide_runes", wideRunes(), GraphView{}},
	{"note", note(), GraphView{}},
	{"shop", shop(), GraphView{}},
	{"shop_dots", dots(shop()), GraphView{Selected: only(16), Mark: reached}},
	{"dots_tight", tight(dots(fanOut())), GraphView{Selected: only(3), Lit: only(5), Mark: reached}},
	{"cart_statuses", cart(), GraphView{Mark: answered}},
	{"note_marked", note(), GraphView{Mark: reached}},
	{"cart_lit", cart(), GraphView{Selected: only(2), Lit: func(n int) bool { return n < 4 }}},
}

func TestDrawings(t *testing.T) {
	for _, tc := range drawings {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.view.Whole(layout.NewFigure(tc.graph), tc.graph)
			golden.RequireEqual(t, []byte(got+"\n"))
		})
	}
}

func TestTrees(t *testing.T) {
	for _, tc := range []struct {
		name  string
		graph layout.Graph
		view  GraphView
		roots []int
	}{
		{"paper_tree", paper(), GraphView{}, nil},
		{"cart_tree", cart(), GraphView{}, nil},
		{"cart_values_tree", cartValues(), GraphView{}, nil},
		{"cycle_tree", cycle(), GraphView{}, nil},
		{"self_loop_tree", selfLoop(), GraphView{}, nil},
		{"parallel_tree", parallel(), GraphView{}, nil},
		{"note_tree", note(), GraphView{}, nil},
		{"shop_tree", shop(), GraphView{}, nil},
		{"shop_orders_tree", shop(), GraphView{}, []int{18, 20}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var b strings.Builder
			for _, row := range tc.view.Tree(tc.graph, tc.roots...) {
				b.WriteString(row.Text + "\n")
			}
			golden.RequireEqual(t, []byte(b.String()))
		})
	}
}
