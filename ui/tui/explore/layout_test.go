package explore

import (
	"strings"
	"testing"

	"sonde/ui/draw"
	"sonde/ui/theme"
)

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		width      int
		reading    bool
		tree, page draw.Rect
	}{
		{40, false, draw.Rect{W: 40, H: 20}, draw.Rect{}},
		{60, true, draw.Rect{}, draw.Rect{W: 60, H: 20}},
		{80, true, draw.Rect{W: 36, H: 20}, draw.Rect{X: 36, W: 44, H: 20}},
		{120, false, draw.Rect{W: 43, H: 20}, draw.Rect{X: 43, W: 77, H: 20}},
		{200, false, draw.Rect{W: 64, H: 20}, draw.Rect{X: 64, W: 136, H: 20}},
	} {
		if tree, page := divide(c.width, 20, c.reading); tree != c.tree || page != c.page {
			t.Errorf("width %d: got %v and %v, want %v and %v", c.width, tree, page, c.tree, c.page)
		}
	}
}

// The foot wraps a text into as many lines as the text needs. A text that needs more than a third of the page is cut.
func TestFoot(t *testing.T) {
	about := draw.TextLine("review_id is pull-request-review.id (identifier): review_id names a pull-request-review", theme.Dim)
	for _, c := range []struct {
		about         draw.Line
		width, height int
		reading       bool
		want          int // number of lines
	}{
		{about, 60, 30, true, 2},
		{about, 44, 30, true, 3},
		{about, 24, 12, true, 4},
		{about, 136, 30, true, 1},
		{about, 60, 11, true, 0},
		{about, 60, 30, false, 0},
		{nil, 60, 30, true, 1},
	} {
		lines := foot(c.about, draw.Rect{W: c.width, H: c.height}, c.reading)
		if len(lines) != c.want {
			t.Errorf("%d×%d, reading %v: got %d lines, want %d", c.width, c.height, c.reading, len(lines), c.want)
		}
		var words []string
		for _, l := range lines {
			words = append(words, strings.Fields(l.Text())...)
			if l.Width() > c.width-2 {
				t.Errorf("%d×%d: %q is cut", c.width, c.height, l.Text())
			}
		}
		got, want := strings.Join(words, " "), c.about.Text()
		if c.want > 0 && got != want && !strings.HasSuffix(got, "…") {
			t.Errorf("%d×%d: got %q, want %q", c.width, c.height, got, want)
		}
	}
}

// The cursor stays visible when the foot under it needs more lines.
func TestFootLeavesTheCursorVisible(t *testing.T) {
	p := pagePane{focused: true, rows: make([]row, 40)}
	p.rows[20].about = draw.TextLine(strings.Repeat("why ", 60), theme.Dim)
	for at := range p.rows {
		p.stops.At = at
		p.fit(draw.Rect{W: 50, H: 20}, true)
		from, to := p.stops.Visible()
		if lines := to - from + len(p.foot(draw.Rect{W: 50, H: 20}, true)); at < from || at >= to || lines != 18 {
			t.Errorf("row %d: rows %d to %d, %d lines with the foot", at, from, to, lines)
		}
	}
}
