package diagram

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"sonde/analysis/layout"
	"sonde/ui/theme"
)

// texts are unusual texts that a spec may contain: empty, hostile, or with wide, combining or joined characters.
var texts = []string{
	"", "id", "GET /orders", "注文番号", "cafe\u0301", "\u0301x", "👩‍👩‍👧 family", "🇩🇪🇫🇷",
	"\x1b[31mred\x1b[0m", "a\tb\nc", "\u009b31m", "\u202eabc", "ا\u0600ب", "क\u093f", "\xff\xfe", "❤\ufe0f1\ufe0f\u20e3", "a\u200d",
}

// anyGraph draws a random graph with some of the texts.
func anyGraph(t *rapid.T) layout.Graph {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	n := 1 + rapid.IntRange(0, 9).Draw(t, "nodes")
	g := layout.Graph{Framed: r.IntN(2) == 0, Tight: r.IntN(2) == 0, Wrap: r.IntN(50)}
	text := func() string { return texts[r.IntN(len(texts))] }
	g.Titles = []string{text(), "番号 group"}
	for range n {
		g.Nodes = append(g.Nodes, layout.Node{Lines: []string{text(), text()}, Kind: layout.NodeKind(r.IntN(4))})
		g.Groups = append(g.Groups, r.IntN(4))
	}
	for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
		g.Edges = append(g.Edges, layout.Edge{From: r.IntN(n), To: r.IntN(n), Label: text(), Dashed: r.IntN(3) == 0})
	}
	return g
}

func init() { lipgloss.SetColorProfile(termenv.ANSI) }

// colourful returns a view that gives each node and edge a style of its own.
func colourful() GraphView {
	all := []theme.Style{theme.Good, theme.Warn, theme.Bad, theme.Accent, theme.Plain}
	return GraphView{
		Style:      func(n int) theme.Style { return all[n%len(all)].Bold() },
		EdgeStyle:  func(e int) theme.Style { return all[e%len(all)] },
		FrameStyle: theme.Dim,
		Selected:   func(n int) bool { return n%3 == 0 },

		FrameSelected: func(frame int) bool { return frame == 1 },
	}
}

func TestRenderFillsTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		v := colourful()
		v.BorderStyle, v.Mark = v.EdgeStyle, reached
		width, height := rapid.IntRange(0, 70).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height")
		offX, offY := rapid.IntRange(-9, 60).Draw(t, "offX"), rapid.IntRange(-9, 30).Draw(t, "offY")
		lines := strings.Split(v.Render(layout.NewFigure(g), g, width, height, offX, offY), "\n")
		if len(lines) != height {
			t.Fatalf("got %d lines, want %d", len(lines), height)
		}
		for _, line := range lines {
			if w := lipgloss.Width(line); w != width {
				t.Fatalf("got a line of %d cells, want %d: %q", w, width, line)
			}
		}
	})
}

func TestWindowIsAPartOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		fig := layout.NewFigure(g)
		x, y := rapid.IntRange(0, fig.W-1).Draw(t, "x"), rapid.IntRange(0, fig.H-1).Draw(t, "y")
		w, h := rapid.IntRange(1, fig.W-x).Draw(t, "w"), rapid.IntRange(1, fig.H-y).Draw(t, "h")
		whole := strings.Split(GraphView{}.Render(fig, g, fig.W, fig.H, 0, 0), "\n")
		for i, line := range strings.Split(GraphView{}.Render(fig, g, w, h, x, y), "\n") {
			if got, want := cellsOf(line), crop(cellsOf(whole[y+i]), x, w); got != want {
				t.Fatalf("row %d from %d, %d cells: got %q, want %q", y+i, x, w, got, want)
			}
		}
	})
}

// cellsOf returns the cells of a line, separated by |. The right half of a wide character is a zero byte.
func cellsOf(line string) string {
	var b strings.Builder
	for _, ch := range chars(line) {
		b.WriteString(ch.text + "|")
		b.WriteString(strings.Repeat("\x00|", ch.width-1))
	}
	return b.String()
}

// crop returns w cells starting at x. Halves of wide characters become blanks.
func crop(cells string, x, w int) string {
	all := strings.Split(strings.TrimSuffix(cells, "|"), "|")
	part := append([]string(nil), all[x:x+w]...)
	if part[0] == "\x00" {
		part[0] = " "
	}
	if x+w < len(all) && all[x+w] == "\x00" {
		part[w-1] = " "
	}
	return strings.Join(part, "|") + "|"
}

func TestHeadsStandAtTheTargets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		fig := layout.NewFigure(g)
		c := newCanvas(fig.W, fig.H, 0, 0)
		GraphView{}.draw(c, fig, g)
		for _, p := range fig.Paths {
			end := p.Points[len(p.Points)-1]
			box := fig.Boxes[g.Edges[p.Edge].To]
			x, want := end.X-1, "▸"
			if end.X == box.X+box.W-1 {
				x, want = end.X+1, "◂"
			}
			if got := c.at(x, end.Y).text; got != want {
				t.Fatalf("edge %d ends with %q, want %q", p.Edge, got, want)
			}
		}
	})
}

func TestNothingHostileIsPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		out := GraphView{}.Whole(layout.NewFigure(g), g)
		for _, row := range (GraphView{}).Tree(g) {
			out += "\n" + row.Text
		}
		for _, bad := range []string{"\x1b", "\u009b", "\u202e", "\t", "\xff"} {
			if strings.Contains(out, bad) {
				t.Fatalf("%q is in\n%s", bad, out)
			}
		}
	})
}

func TestStylesDoNotChangeTheText(t *testing.T) {
	g := shop()
	fig := layout.NewFigure(g)
	v := colourful()
	got := ansi.Strip(v.Render(fig, g, 100, 40, 3, 2))
	want := GraphView{Selected: v.Selected}.Render(fig, g, 100, 40, 3, 2)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBordersAndMarksHaveTheirStyle(t *testing.T) {
	v, g := colourful(), layout.Graph{Nodes: ops("GET /a")}
	v.Selected, v.Mark = nil, func(int, int) string { return "✗" }
	v.BorderStyle = func(int) theme.Style { return v.EdgeStyle(1) }
	got := v.Whole(layout.NewFigure(g), g)
	for _, want := range []string{theme.Warn.Render("╭ ✗ ─────╮"), theme.Good.Bold().Render(" GET /a ")} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n\t%q", want, got)
		}
	}
}

func TestEachNodeAndEdgeHasItsStyle(t *testing.T) {
	g := fanIn()
	v := colourful()
	v.Selected = nil
	out := v.Whole(layout.NewFigure(g), g)
	for _, want := range []string{
		v.Style(0).Render("│ POST /orders │"),
		v.EdgeStyle(0).Render("─ cartId ─────╮"),
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%q", want, out)
		}
	}
}

func TestSelectedEdgesLieAbove(t *testing.T) {
	g := fanOut()
	fig := layout.NewFigure(g)
	v := GraphView{Selected: only(1)}
	c := newCanvas(fig.W, fig.H, 0, 0)
	v.draw(c, fig, g)
	for _, p := range fig.Paths {
		if g.Edges[p.Edge].To != 1 {
			continue
		}
		for _, at := range p.Points[1 : len(p.Points)-1] {
			if got := c.at(at.X, at.Y).ink; got != edgeInk(p.Edge) {
				t.Errorf("at %v: got ink %d, want that of edge %d", at, got, p.Edge)
			}
		}
	}
}

// TestWidthAgrees checks that the layout and the terminal library compute the same width for every single
// rune.
func TestWidthAgrees(t *testing.T) {
	for r := rune(' '); r < 0x30000; r++ {
		if !unicode.IsGraphic(r) {
			continue // not assigned, or never printed
		}
		s := string(r)
		if got, want := layout.TextWidth(s), ansi.StringWidth(s); got != want {
			t.Errorf("width of %U is %d, want %d", r, got, want)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	g := layout.Graph{}
	for i := range 400 {
		g.Nodes = append(g.Nodes, layout.Node{Lines: []string{"GET /resources/{id}"}})
		if i > 0 {
			g.Edges = append(g.Edges, edge(r.IntN(i), i, "id"))
		}
		if i > 0 && i%4 != 0 {
			g.Edges = append(g.Edges, edge(r.IntN(i), i, ""))
		}
	}
	fig := layout.NewFigure(g)
	for name, v := range map[string]GraphView{"plain": {}, "styled": colourful()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v.Render(fig, g, 160, 50, fig.W/3, fig.H/3)
			}
		})
	}
}
