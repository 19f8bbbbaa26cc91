package picture

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

// shop is a graph with all features of a picture: a method without a colour, a box of several lines, a
// label that must be truncated, and a note.
var shop = Graph{
	Title: "A small shop",
	Nodes: []Node{
		{{Method: "POST", Text: "/products"}},
		{{Method: "GET", Text: "/products/{id}"}, {Method: "PUT", Text: "/products/{id}"}, {Text: "and 3 more"}},
		{{Method: "DELETE", Text: "/products/{id}/pictures/of/what/is/in/the/box/{number}/large"}},
		{{Method: "TRACE", Text: "/"}},
		{{Method: "PATCH", Text: "/a\"b\\c<d>&e"}},
	},
	Edges: []Edge{
		{From: 0, To: 1, Values: []string{"id", "name", "category", "priceCents"}},
		{From: 1, To: 2, Values: []string{"a very long name for a value"}},
		{From: 0, To: 2, Values: nil},
		{From: 1, To: 1, Values: []string{"id"}},
		{From: 2, To: 0, Values: []string{"x --> y"}},
	},
	Note: "Not shown: 3 operations",
}

// figure1 is Figure 1 of the distiller paper: two value-sharing groups. Two operations take user_id, but none emits it.
var figure1 = Graph{
	Title: "Figure 1",
	Nodes: []Node{
		{{Method: "GET", Text: "/user/membership"}},
		{{Method: "GET", Text: "/team/schedule"}},
		{{Method: "GET", Text: "/user/fee"}},
		{{Text: "user_id"}},
		{{Text: "team_id"}},
		{{Text: "date"}},
		{{Text: "user_id"}},
		{{Text: "fee"}},
	},
	Values: map[int]bool{3: true, 4: true, 5: true, 6: true, 7: true},
	Frames: []Frame{{Title: "1 user", Nodes: []int{0, 1, 3, 4, 5}}, {Title: "2 fee", Nodes: []int{2, 6, 7}}},
	Edges: []Edge{
		{From: 3, To: 0, Dashed: true},
		{From: 0, To: 4, Dashed: true},
		{From: 4, To: 1, Dashed: true},
		{From: 1, To: 5, Dashed: true},
		{From: 6, To: 2, Dashed: true},
		{From: 2, To: 7, Dashed: true},
	},
}

var writers = map[string]func(io.Writer, Graph) error{"svg": WriteSVG, "dot": WriteDOT, "mmd": WriteMermaid}

func written(t interface{ Fatal(...any) }, format string, g Graph) string {
	var b strings.Builder
	if err := writers[format](&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGoldens(t *testing.T) {
	for format := range writers {
		for name, g := range map[string]Graph{"shop": shop, "empty": {}, "figure1": figure1} {
			t.Run(name+"."+format, func(t *testing.T) {
				path := filepath.Join("testdata", name+"."+format)
				got := written(t, format, g)
				if *update {
					if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s is not as it was; -update writes it anew. Got\n%s", path, got)
				}
			})
		}
	}
}

func TestLabel(t *testing.T) {
	for _, tt := range []struct {
		values []string
		cells  int
		want   string
	}{
		{nil, 10, ""},
		{[]string{"cartId"}, 10, "cartId"},
		{[]string{"cartId", "itemId"}, 14, "cartId, itemId"},
		{[]string{"cartId", "itemId", "x"}, 17, "cartId, itemId, x"},
		{[]string{"cartId", "itemId", "x"}, 16, "cartId +2"},
		{[]string{"a", "b", "cdefghijklm"}, 10, "a, b +1"},
		{[]string{"abcdefghijkl", "b"}, 8, "abcd… +1"},
		{[]string{"abcdefghijkl"}, 8, "abcdefg…"},
		{[]string{"new\nline\u202e"}, 20, "new line"},
	} {
		if got := label(tt.values, tt.cells); got != tt.want {
			t.Errorf("label(%q, %d) = %q, want %q", tt.values, tt.cells, got, tt.want)
		}
	}
}

// anyPicture draws a graph whose names may have any characters.
func anyPicture(rt *rapid.T) Graph {
	name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"a\"b", "x --> y", "]]>", "</svg>", "#quot;", "%%{init: {}}%%", "`md`", "direction TB", "style a:#b;", "\x1b[2J", "\u202eabc",
		"\xff\xfe", "line\nbreak", `\n\`, "a\"]; b[\"", "end", "\u0085\u2028", "", "\ufffe", "<br/>", "&amp;",
	}))
	g := Graph{Title: name.Draw(rt, "title"), Note: name.Draw(rt, "note")}
	for range rapid.IntRange(0, 5).Draw(rt, "nodes") {
		var n Node
		for range rapid.IntRange(1, 3).Draw(rt, "lines") {
			n = append(n, Line{
				Method: rapid.OneOf(rapid.SampledFrom(methods), name).Draw(rt, "method"), Text: name.Draw(rt, "text"),
				Mark: name.Draw(rt, "mark"),
			})
		}
		g.Nodes = append(g.Nodes, n)
	}
	if len(g.Nodes) > 0 {
		node := rapid.IntRange(0, len(g.Nodes)-1)
		for range rapid.IntRange(0, 6).Draw(rt, "edges") {
			g.Edges = append(
				g.Edges,
				Edge{
					From:   node.Draw(rt, "from"),
					To:     node.Draw(rt, "to"),
					Values: rapid.SliceOfN(name, 0, 3).Draw(rt, "values"),
					Dashed: rapid.Bool().Draw(rt, "dashed"),
				},
			)
		}
		g.Values = rapid.MapOfN(node, rapid.Just(true), 0, len(g.Nodes)).Draw(rt, "are values")
		if rapid.Bool().Draw(rt, "framed") {
			frame := Frame{Title: name.Draw(rt, "frame")}
			for i := range g.Nodes {
				frame.Nodes = append(frame.Nodes, i)
			}
			g.Frames = append(g.Frames, frame)
		}
	}
	return g
}

// An SVG is well-formed for any names, and has only its own elements.
func TestSVGIsWellFormed(t *testing.T) {
	own := map[string]bool{
		"svg":    true,
		"title":  true,
		"style":  true,
		"defs":   true,
		"marker": true,
		"path":   true,
		"rect":   true,
		"g":      true,
		"text":   true,
		"tspan":  true,
	}
	rapid.Check(t, func(rt *rapid.T) {
		g := anyPicture(rt)
		boxes := 0
		for d := xml.NewDecoder(strings.NewReader(written(rt, "svg", g))); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				rt.Fatal(err)
			}
			if s, ok := token.(xml.StartElement); ok {
				if !own[s.Name.Local] {
					rt.Fatalf("element %q", s.Name.Local)
				}
				if s.Name.Local == "g" && strings.HasPrefix(fmt.Sprint(s.Attr), "[{{ class} box") {
					boxes++
				}
			}
		}
		if boxes != len(g.Nodes) {
			rt.Fatalf("%d boxes, want %d", boxes, len(g.Nodes))
		}
	})
}

// mermaidLine matches the lines that a mermaid file may have.
var mermaidLine = regexp.MustCompile(`^(flowchart LR` +
	`|    (n\d+|note)\["` + entities + `(<br/>` + entities + `)*"\]` +
	`|    n\d+ -\.?->(\|"` + entities + `"\|)? n\d+` +
	`|    subgraph g\d+\["` + entities + `"\]|        n\d+|    end` +
	`|    classDef [a-z]+ stroke:#[0-9a-f]{6},stroke-width:2px|    classDef value stroke-dasharray:5 4` +
	`|    class n\d+(,n\d+)* [a-z]+)$`)

const entities = `([A-Za-z0-9 /_.,+-]|[^\x00-\x7f]|#\d+;)*`

func TestMermaidIsNothingButAFlowchart(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		for _, line := range strings.Split(strings.TrimSuffix(written(rt, "mmd", anyPicture(rt)), "\n"), "\n") {
			if !mermaidLine.MatchString(line) || strings.Contains(line, "direction") {
				rt.Fatalf("line %q", line)
			}
		}
	})
}

// WriteMermaid never exceeds mermaid's limits.
func TestMermaidHasRoomForItsText(t *testing.T) {
	var g Graph
	for i := range MaxMermaidNodes {
		g.Nodes = append(g.Nodes, Node{
			{Method: "GET", Text: strings.Repeat("\"", 50)}, {Method: "GET", Text: strings.Repeat("#", 50)},
		})
		g.Edges = append(g.Edges, Edge{From: i, To: 0, Values: []string{"id"}})
	}
	text := written(t, "mmd", g)
	if n := len(text); n > 50_000 || n < 45_000 {
		t.Errorf("%d characters, want at most 50,000 and nearly as many", n)
	}
	if !regexp.MustCompile(`No room for \d+ boxes and \d+ arrows\.`).MatchString(text) {
		t.Error("it does not say what found no room")
	}
}

// dotLine matches the lines that a DOT file may have.
var dotLine = regexp.MustCompile(`^(digraph dependencies \{|\}|\trankdir=LR|\tnode \[shape=box\]|\tlabel=` + quoted +
	`|\t` + quoted + `( \[style=dashed label=` + quoted + `\])?` +
	`|\t` + quoted + ` -> ` + quoted + ` \[label=` + quoted + `( style=dashed)?\]` +
	`|\tsubgraph cluster_\d+ \{|\t\tlabel=` + quoted + `|\t\t` + quoted + `|\t\})$`)

const quoted = `"([^"\\]|\\["\\n])*"`

func TestDOTIsNothingButAGraph(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := anyPicture(rt)
		seen := map[string]bool{}
		for _, name := range names(g.Nodes) {
			if seen[name] {
				rt.Fatalf("two nodes are called %s", name)
			}
			seen[name] = true
		}
		for _, line := range strings.Split(strings.TrimSuffix(written(rt, "dot", g), "\n"), "\n") {
			if !dotLine.MatchString(line) {
				rt.Fatalf("line %q", line)
			}
		}
	})
}

// Pictures in all formats are free of characters that control a terminal.
func TestNothingIsInvisible(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := anyPicture(rt)
		for format := range writers {
			for _, r := range written(rt, format, g) {
				if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
					rt.Fatalf("%q is in the %s", r, format)
				}
			}
		}
	})
}

func BenchmarkSVG(b *testing.B) {
	for _, n := range []int{30, 300} {
		g := Graph{}
		for i := range n {
			g.Nodes = append(g.Nodes, Node{{Method: "GET", Text: fmt.Sprintf("/things/{id}/%d", i)}})
			if i > 0 {
				g.Edges = append(g.Edges, Edge{From: i * 7919 % i, To: i, Values: []string{"id"}})
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				_ = WriteSVG(io.Discard, g) // io.Discard returns no error
			}
		})
	}
}

// reached is a graph of resources with what a run reached.
var reached = Graph{
	Title: `Resources of "a <shop>"`,
	Nodes: []Node{
		{{Text: "/products"}, {State: Succeeded, Mark: "✓", Method: "GET", Text: "200 400"}},
		{{Text: "/orders"}, {State: Failed, Mark: "✗", Method: "POST", Text: "/</text><script>alert(1)</script> 500"}},
	},
	States: map[int]State{0: Succeeded, 1: Failed},
	Edges:  []Edge{{From: 0, To: 1, Values: []string{"productId"}}},
	Note:   "A page writes notes itself",
}

// An inline picture is one element without styles and scripts. Its marks and boxes have the classes of their states.
func TestInlineSVG(t *testing.T) {
	var b strings.Builder
	if err := WriteInlineSVG(&b, reached, 600); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	path := filepath.Join("testdata", "reached.inline.svg")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || got != string(want) {
		t.Errorf("%s is not as it was (%v); -update writes it anew. Got\n%s", path, err, got)
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Errorf("not well-formed: %v", err)
	}
	for _, unwanted := range []string{"<script", "<style", "xmlns", "A page writes notes"} {
		if strings.Contains(got, unwanted) {
			t.Errorf("has %q:\n%s", unwanted, got)
		}
	}
}
