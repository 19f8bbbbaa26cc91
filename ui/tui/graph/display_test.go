package graph

import (
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// showing returns a display of the operations around b in the spec of chained.
func showing(t *testing.T, width, height int) *display {
	t.Helper()
	p := drawing(t, chained(t), view{centre: "GET /b", hops: 2}, width-4)
	var d display
	d.resize(width, height)
	d.show(&p, "GET /b")
	return &d
}

func TestDisplayWithoutPicture(t *testing.T) {
	var d display
	d.resize(120, 30)
	d.fit()
	d.choose(0)
	d.point(screen.PointAt{X: 1, Y: 1})
	if d.op() != "" || d.onCentre() || d.narrowed() || d.wide() || d.high() || d.targets() != nil {
		t.Errorf("an empty display has an operation, a centre or targets: %+v", d)
	}
	if d.mouse(tea.MouseMsg{X: 1, Y: 1}) {
		t.Error("a click on an empty display chooses a node")
	}
}

func TestDisplayCursor(t *testing.T) {
	d := showing(t, 120, 30)
	if d.op() != "GET /b" || !d.onCentre() {
		t.Errorf("shown with the cursor on %q, want the centre", d.op())
	}
	d.moveToward(1, 0)
	if d.op() != "GET /c" || d.lines[d.rows.At].op != "GET /c" {
		t.Errorf("to the right: %q in the drawing, %q in the tree", d.op(), d.lines[d.rows.At].op)
	}
	d.choose(len(d.picture.nodes))
	if d.op() != "GET /c" {
		t.Errorf("a node that does not exist was chosen: %q", d.op())
	}
	d.moveRow(tea.KeyMsg{Type: tea.KeyHome})
	if d.op() != "GET /b" {
		t.Errorf("the first row of the tree is %q, want the centre", d.op())
	}
}

// Every target moves the cursor to a different node. A second click on the node opens it.
func TestDisplayTargets(t *testing.T) {
	for _, width := range []int{60, 120} {
		d := showing(t, width, 30)
		seen := map[model.OpID]bool{}
		for _, at := range d.targets() {
			d.point(at)
			seen[d.op()] = true
		}
		if len(seen) != 4 {
			t.Errorf("%d columns: the targets lead to %v, want four operations", width, seen)
		}
	}
	d := showing(t, 120, 30)
	at := d.targets()[0]
	click := tea.MouseMsg{X: at.X, Y: at.Y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	if d.mouse(click) || !d.mouse(click) {
		t.Error("want only the second click to open the node")
	}
}

func TestDisplayTree(t *testing.T) {
	d := showing(t, roomy-1, 30)
	if !d.tree() {
		t.Error("a narrow display shows no tree")
	}
	d.toggleTree()
	if d.resize(roomy-1, 30); d.tree() {
		t.Error("the choice of the drawing was forgotten")
	}
}

func TestJob(t *testing.T) {
	var j drawingJob
	first := j.start(chained(t), view{whole: true}, 80)
	if !j.running() {
		t.Error("a job that was started is not running")
	}
	late := first().(drawn)
	second := j.start(chained(t), view{whole: true}, 80)
	if j.finish(late) {
		t.Error("the result of an abandoned job is wanted")
	}
	if !j.finish(second().(drawn)) || j.running() {
		t.Error("the result of the newest job is not wanted, or it is still running")
	}
	third := j.start(chained(t), view{whole: true}, 80)
	j.abandon()
	if msg := third(); msg != nil {
		t.Errorf("an abandoned job returned %v", msg)
	}
}

func TestMatches(t *testing.T) {
	s := chained(t)
	p := drawing(t, s, whole, 80)
	m := newMatches()
	m.Look(s.Index)
	for _, tc := range []struct {
		text             string
		count            int
		first, next, old int
	}{
		{text: "", first: -1, next: -1, old: -1},
		{text: "nowhere", first: -1, next: -1, old: -1},
		{text: "/c", count: 1, first: 2, next: 2, old: 2},
		{text: "get", count: 4, first: 1, next: 2, old: 0},
	} {
		m.SetText(tc.text)
		m.find(&p, model.Snapshot{})
		first, next, old := m.next(1, 0), m.next(1, 1), m.next(1, -1)
		if m.count != tc.count || first != tc.first || next != tc.next || old != tc.old {
			t.Errorf("%q: %d matches, from node 1: %d, %d, %d; want %d: %d, %d, %d",
				tc.text, m.count, first, next, old, tc.count, tc.first, tc.next, tc.old)
		}
	}
	m.find(nil, model.Snapshot{})
	if m.count != 0 || m.has(0) {
		t.Error("something matches without a picture")
	}
}

// The search moves to the operation with the given name, regardless of the node at which it starts.
func TestNearestMatch(t *testing.T) {
	s := chained(t)
	p := drawing(t, s, whole, 80)
	m := newMatches()
	m.Look(s.Index)
	for i, nd := range p.nodes {
		m.SetText(string(nd.ops[0]))
		m.find(&p, model.Snapshot{})
		for from := range p.nodes {
			if got := m.nearest(from); got != i {
				t.Errorf("%q from node %d: got %d, want %d", m.Text(), from, got, i)
			}
		}
	}
	m.SetText("nowhere")
	if m.find(&p, model.Snapshot{}); m.nearest(1) != -1 {
		t.Error("something is near to nothing")
	}
}

func TestCoverageOfANode(t *testing.T) {
	c := coverage{"GET /a": {200: 2}, "GET /b": {200: 1, 500: 1}}
	both := node{ops: []model.OpID{"GET /a", "GET /b"}}
	if got := c.answers(both); got[200] != 3 || got[500] != 1 || len(got) != 2 {
		t.Errorf("got %v, want 200 three times and 500 once", got)
	}
	if got := coverage(nil).mark(both, 20); got != "" {
		t.Errorf("got mark %q before a search", got)
	}
	for width, want := range map[int]string{1: "✗", 5: "✗ 500", 20: "✗ 500×1 200×3"} {
		if got := c.mark(both, width); got != want {
			t.Errorf("got mark %q in %d cells, want %q", got, width, want)
		}
	}
}

func TestAllOrNone(t *testing.T) {
	all := map[model.OpID]int{"GET /a": 1, "GET /b": 2, "GET /c": 2}
	if got := (set[int]{}).allOrNone(all); len(got) != 2 || !got[1] || !got[2] {
		t.Errorf("of nothing: got %v, want all", got)
	}
	if got := (set[int]{2: true}).allOrNone(all); len(got) != 0 {
		t.Errorf("of some: got %v, want none", got)
	}
}
