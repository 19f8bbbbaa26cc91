package sheet

import (
	"strings"
	"testing"

	"sonde/analysis/layout"
	"sonde/ui/diagram"

	tea "github.com/charmbracelet/bubbletea"
)

// cross returns a graph in which a box has another box on each side: west and east in other layers, north
// and south in the same layer.
func cross() Viewport {
	s := Viewport{Figure: layout.Figure{W: 60, H: 30}}
	for i, at := range [][2]int{{25, 14}, {0, 14}, {50, 14}, {25, 0}, {25, 27}} {
		s.Graph.Nodes = append(s.Graph.Nodes, layout.Node{Lines: []string{"box"}})
		s.Figure.Boxes = append(s.Figure.Boxes, layout.NodeBox{Node: i, X: at[0], Y: at[1], W: 7, H: 3})
	}
	return s
}

func TestToward(t *testing.T) {
	s := cross()
	for name, c := range map[string]struct{ from, dx, dy, want int }{
		"west": {0, -1, 0, 1}, "east": {0, 1, 0, 2}, "north": {0, 0, -1, 3}, "south": {0, 0, 1, 4},
		"back":            {1, 1, 0, 0},
		"nothing there":   {1, -1, 0, -1},
		"no such node":    {9, 1, 0, -1},
		"around a corner": {3, 1, 0, 2},
	} {
		if got := s.NodeToward(c.from, c.dx, c.dy); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

func TestWindow(t *testing.T) {
	s := cross()
	s.SetSize(20, 10)
	s.ScrollToNode(2)
	if s.NodeAt(10, 5) == 2 {
		t.Error("the window did not move")
	}
	if view := s.Render(diagram.GraphView{}); !strings.Contains(view, "box") {
		t.Errorf("the box is not visible:\n%s", view)
	}
	if s.ShowsWhole() {
		t.Error("a window of 20×10 shows all of 60×30")
	}
	s.CenterNode(0)
	if s.x != 19 || s.y != 11 {
		t.Errorf("centred at %d, %d, want 19, 11", s.x, s.y)
	}
	s.ScrollBy(-100, -100)
	if s.x != 0 || s.y != 0 {
		t.Errorf("panned to %d, %d, want 0, 0", s.x, s.y)
	}
	s.ScrollBy(100, 100)
	if s.x != 40 || s.y != 20 {
		t.Errorf("panned to %d, %d, want 40, 20", s.x, s.y)
	}
	if !s.HandleKey(tea.KeyMsg{Type: tea.KeyShiftLeft}, LetterKeys, ShiftArrowKeys) || s.x != 32 {
		t.Errorf("shift+left: at %d, want 32", s.x)
	}
	if s.HandleKey(tea.KeyMsg{Type: tea.KeyLeft}, LetterKeys, ShiftArrowKeys) {
		t.Error("left scrolled, though it is in none of the sets")
	}
}

// A graph that is smaller than the window is centered, and NodeAt finds it there.
func TestSmallFigureIsCentered(t *testing.T) {
	s := New(layout.Graph{Nodes: []layout.Node{{Lines: []string{"alone"}}}})
	s.SetSize(41, 11)
	if !s.ShowsWhole() || s.NodeAt(20, 5) != 0 || s.NodeAt(0, 0) != -1 {
		t.Errorf("whole %v, node in the middle %d, in the corner %d", s.ShowsWhole(), s.NodeAt(20, 5), s.NodeAt(0, 0))
	}
	s.ScrollToNode(7) // does not exist
	s.HandleWheel(tea.MouseMsg{Button: tea.MouseButtonWheelDown})
	if s.NodeAt(20, 5) != 0 {
		t.Error("a graph that fits was scrolled")
	}
}

// The map shows each box at its position, and the window by other signs. ScrollToMapCell moves the window.
func TestMap(t *testing.T) {
	s := cross()
	s.SetSize(20, 10)
	s.CenterNode(0)
	own := func(node int) string {
		if node == 4 {
			return "!"
		}
		return ""
	}
	want := strings.Join([]string{
		"    ▪     ",
		"   ░░░░   ",
		"▪  ░█░░ ▪ ",
		"   ░░░░   ",
		"    !     ",
	}, "\n")
	if got := s.RenderMap(10, 5, own); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s.ScrollToMapCell(10, 5, 9, 2)
	if s.NodeAt(10, 5) != 2 && s.NodeAt(19, 5) != 2 && s.NodeAt(15, 5) != 2 {
		t.Errorf("the cell of box 2 scrolls to %d, %d", s.x, s.y)
	}
	if got := (&Viewport{}).RenderMap(3, 3, own); got != " " && got != "░" {
		t.Errorf("the map of nothing is %q", got)
	}
}
