package graph

import (
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// display shows a finished picture, as a drawing or as a tree, with a cursor on one
// of its nodes.
type display struct {
	width, height int // the size of the screen
	splits        screen.Splits
	picture       *picture // nil until the first picture is finished
	node          int      // the node under the cursor
	lines         []line   // the picture as a tree
	rows          widget.List
	asTree        *bool // whether the user has chosen the tree; nil if the width decides
	asMap         *bool // whether the user has chosen the map; nil if the sizes decide
}

// divide divides the screen into the picture and the texts below it, in the sizes that the user has chosen.
func (d *display) divide(width, height int) (picture, words draw.Rect) {
	picture, words = divide(width, height)
	return d.splits.Rows(wordsBorder, picture, words)
}

func (d *display) resize(width, height int) { d.width, d.height = width, height }

// clear removes the picture.
func (d *display) clear() { d.picture = nil }

// wrap returns the width, in cells, for which pictures are laid out. A picture may be wider.
func (d *display) wrap() int { return d.width - 4 }

// show shows a picture with the cursor on an operation, or on the first node if the picture does not have
// the operation.
func (d *display) show(p *picture, op model.OpID) {
	d.picture, d.lines, d.rows = p, p.lines(), widget.List{}
	d.fit()
	d.choose(max(0, p.node(op)))
	p.sheet.CenterNode(d.node)
}

// choose moves the cursor to a node, in the drawing and in the tree.
func (d *display) choose(node int) {
	if d.picture == nil || node < 0 || node >= len(d.picture.nodes) {
		return
	}
	d.node = node
	d.picture.sheet.ScrollToNode(node)
	if row := d.rows.At; row < len(d.lines) && d.lines[row].op == d.op() {
		return
	}
	for i, l := range d.lines {
		if l.op == d.op() {
			d.rows.Go(i)
			return
		}
	}
}

// chooseLine moves the cursor to the node of the current row in the tree.
func (d *display) chooseLine() {
	if d.rows.At < len(d.lines) {
		d.choose(d.picture.node(d.lines[d.rows.At].op))
	}
}

// op returns the operation under the cursor, "" if there is no picture.
func (d *display) op() model.OpID {
	if d.picture == nil || d.node >= len(d.picture.nodes) {
		return ""
	}
	return d.picture.nodes[d.node].lead()
}

// nodeOf returns the node of an operation, or -1 if it is not in the picture.
func (d *display) nodeOf(op model.OpID) int {
	if d.picture == nil {
		return -1
	}
	return d.picture.node(op)
}

// onCentre reports whether the cursor is on the centre of the picture.
func (d *display) onCentre() bool { return d.picture != nil && d.op() == d.picture.middle() }

// onCluster reports whether the cursor is on a folded cluster.
func (d *display) onCluster() bool {
	return d.picture != nil && d.node < len(d.picture.nodes) && d.picture.nodes[d.node].cluster != ""
}

// narrowed reports whether the picture leaves out values that are not ids.
func (d *display) narrowed() bool { return d.picture != nil && d.picture.narrowed }

// fit adapts the drawing and the tree to the size of their pane.
func (d *display) fit() {
	if d.picture == nil {
		return
	}
	r, _ := d.divide(d.width, d.height)
	w, h := max(0, r.W-2), max(0, r.H-2)
	d.picture.sheet.SetSize(w, h)
	d.rows.Fit(len(d.lines), h)
}

// tree reports whether the tree is shown instead of the drawing.
func (d *display) tree() bool {
	if d.asTree != nil {
		return *d.asTree
	}
	return d.width < roomy
}

// toggleTree switches between the tree and the drawing.
func (d *display) toggleTree() {
	tree := !d.tree()
	d.asTree = &tree
}

// wide reports whether the drawing is shown and wider than its pane.
func (d *display) wide() bool {
	r, _ := d.divide(d.width, d.height)
	return d.picture != nil && !d.tree() && d.picture.sheet.Figure.W > r.W-2
}

// high reports whether the drawing is shown and higher than its pane.
func (d *display) high() bool {
	r, _ := d.divide(d.width, d.height)
	return d.picture != nil && !d.tree() && d.picture.sheet.Figure.H > r.H-2
}

// moveRow moves the cursor in the tree.
func (d *display) moveRow(k tea.KeyMsg) {
	if d.rows.Key(k) {
		d.chooseLine()
	}
}

// moveToward moves the cursor to the next box in a direction.
func (d *display) moveToward(dx, dy int) { d.choose(d.picture.sheet.NodeToward(d.node, dx, dy)) }

// scroll moves the visible part of the drawing.
func (d *display) scroll(k tea.KeyMsg) {
	d.picture.sheet.HandleKey(k, sheet.LetterKeys, sheet.ShiftArrowKeys)
}

// point moves the cursor to the box or row at a cell.
func (d *display) point(at screen.PointAt) {
	r, _ := d.divide(d.width, d.height)
	switch {
	case d.picture == nil:
	case !d.tree():
		d.choose(d.picture.sheet.NodeAt(at.X-r.X-1, at.Y-r.Y-1))
	case d.rows.Click(at.Y - r.Y - 1):
		d.chooseLine()
	}
}

// mouse scrolls, or moves the cursor to the node that is clicked. again reports whether a click was on the node under
// the cursor. again is always false in the tree.
func (d *display) mouse(msg tea.MouseMsg) (again bool) {
	r, _ := d.divide(d.width, d.height)
	if d.picture == nil || !r.Has(msg.X, msg.Y) {
		return false
	}
	switch {
	case d.tree() && widget.LeftClick(msg):
		if d.rows.Click(msg.Y - r.Y - 1) {
			d.chooseLine()
		}
	case d.tree():
		d.rows.Go(d.rows.At + widget.WheelRows(msg))
		d.chooseLine()
	case widget.LeftClick(msg) && d.mapRect(r).Has(msg.X, msg.Y):
		m := d.mapRect(r)
		d.picture.sheet.ScrollToMapCell(m.W-2, m.H-2, msg.X-m.X-1, msg.Y-m.Y-1)
	case widget.LeftClick(msg):
		node := d.picture.sheet.NodeAt(msg.X-r.X-1, msg.Y-r.Y-1)
		again = node >= 0 && node == d.node
		d.choose(node)
	default:
		d.picture.sheet.HandleWheel(msg)
	}
	return again
}

// targets returns the visible boxes that the map does not cover, or the rows of
// the tree.
func (d *display) targets() []screen.PointAt {
	if d.picture == nil {
		return nil
	}
	r, _ := d.divide(d.width, d.height)
	var all []screen.PointAt
	if d.tree() {
		from, to := d.rows.Visible()
		for i := range to - from {
			all = append(all, screen.PointAt{X: r.X + 1, Y: r.Y + 1 + i})
		}
		return all
	}
	for _, b := range d.picture.sheet.BoxCorners() {
		at := screen.PointAt{X: r.X + 1 + b[0], Y: r.Y + 1 + b[1]}
		if !d.mapRect(r).Has(at.X, at.Y) {
			all = append(all, at)
		}
	}
	return all
}
