package report

import "testing"

// A grid that is too wide for a terminal is unchanged after it was rendered.
func TestRenderLeavesTheGrid(t *testing.T) {
	g := grid{title: "t", headers: []string{"", "here", "paper"}, rows: [][]string{{"a", "1", "2"}, {"b", "3", "4"}}, dim: 2}
	wide := g.render(80)
	if narrow := g.render(10); narrow == wide {
		t.Errorf("at 10 columns\n%s", narrow)
	}
	if again := g.render(80); again != wide {
		t.Errorf("after a narrow grid\n%s\nwant\n%s", again, wide)
	}
}
