package groups

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// figurePane shows the figure of a group, or of all groups, as a drawing that scrolls or as a tree with a cursor. For a
// section with parts it shows an overview of the areas, unless the user chooses the figure.
type figurePane struct {
	whole   bool     // all groups are shown
	parts   []int    // the areas of the section, the largest first; nil if it has no parts or all groups are shown
	drawing *drawing // nil until it is finished
	rows    widget.List
	asTree  *bool // whether the user has chosen the tree; nil if there is no choice
	width   int   // the width of the pane when it has the focus
}

// fit adapts the figure to a pane at r. width is the width of the pane when it has the focus.
func (f *figurePane) fit(r draw.Rect, width int) {
	f.width = width
	if d := f.drawing; d != nil {
		w, h := max(0, r.W-2), max(0, r.H-2)
		d.sheet.SetSize(w, h)
		f.rows.Fit(len(d.rows), h)
	}
	if f.overview() {
		f.rows.Fit(len(f.parts), max(0, r.H-2)/areaLines(r.W-2))
	}
}

// overview reports whether the areas of the section are shown.
func (f *figurePane) overview() bool { return f.parts != nil && f.asTree == nil }

// area returns the area under the cursor, or -1 if no areas are shown.
func (f *figurePane) area() int {
	if !f.overview() || f.rows.At >= len(f.parts) {
		return -1
	}
	return f.parts[f.rows.At]
}

// tree reports whether the figure is shown as a tree.
func (f *figurePane) tree() bool {
	if f.asTree != nil {
		return *f.asTree
	}
	return !f.overview() && !f.whole && f.width < roomy
}

// toggleTree switches to the next form of the figure, in this order: the overview of areas, the tree, the drawing. A
// section without areas has no overview.
func (f *figurePane) toggleTree() {
	if f.parts != nil && f.asTree != nil && !*f.asTree {
		f.asTree = nil
		f.rows.Go(0)
		return
	}
	tree := !f.tree()
	f.asTree = &tree
}

// larger reports whether the figure is shown as a drawing that is larger than its pane.
func (f *figurePane) larger() bool {
	return !f.overview() && !f.tree() && f.drawing != nil && !f.drawing.sheet.ShowsWhole()
}

// follow scrolls the drawing to a node, and moves the tree's cursor to the first row of the node.
func (f *figurePane) follow(node int) {
	if f.overview() {
		return
	}
	f.drawing.sheet.ScrollToNode(node)
	for i, row := range f.drawing.rows {
		if row.node == node {
			f.rows.Go(i)
			return
		}
	}
}

// op returns the operation under the cursor of the tree, "" if a value is under the cursor. In a drawing, which has
// no cursor, it returns the operation of node, or "" if node is not an operation. It returns "" before the figure is
// drawn.
func (f *figurePane) op(node int) model.OpID {
	d := f.drawing
	if d == nil {
		return ""
	}
	if f.tree() && f.rows.At < len(d.rows) {
		node = d.rows[f.rows.At].node
	}
	if node < 0 || node >= len(d.ops) {
		return ""
	}
	return d.ops[node]
}

// click returns the node at a cell inside the pane, or -1 if there is none. In the tree and the overview it
// moves the cursor and returns -1.
func (f *figurePane) click(x, y int) (node int) {
	switch {
	case f.overview():
		f.rows.Click(y / areaLines(f.width-2))
		return -1
	case f.drawing == nil:
		return -1
	case f.tree():
		f.rows.Click(y)
		return -1
	}
	return f.drawing.sheet.NodeAt(x, y)
}

// wheel scrolls the drawing, or moves the cursor of the tree or the overview.
func (f *figurePane) wheel(msg tea.MouseMsg) {
	switch {
	case f.tree() || f.overview():
		f.rows.Go(f.rows.At + widget.WheelRows(msg))
	case f.drawing != nil:
		f.drawing.sheet.HandleWheel(msg)
	}
}

// scroll moves the visible part of the drawing.
func (f *figurePane) scroll(k tea.KeyMsg) {
	f.drawing.sheet.HandleKey(k, sheet.ArrowKeys, sheet.LetterKeys, sheet.ShiftArrowKeys)
}

// note returns a note: what the figure leaves out, that the group exchanges no values, or how to see more
// of the figure. It returns "" if there is none.
func (f *figurePane) note() string {
	d := f.drawing
	switch {
	case f.overview():
		if from, to := f.rows.Visible(); to-from < len(f.parts) {
			return fmt.Sprintf("%d-%d of %d", from+1, to, len(f.parts))
		}
		return ""
	case d == nil:
		return ""
	case d.leftOps+d.leftValues+d.leftGroups > 0:
		return "left out: " + d.omitted()
	case len(d.values) == 0:
		return "exchanges no values"
	case f.larger():
		return "scroll for more"
	}
	return ""
}

// omitted describes how many groups, operations and values the drawing leaves out.
func (d *drawing) omitted() string {
	text := fmt.Sprintf("%s, %s", words.Plural(d.leftOps, "operation"), words.Plural(d.leftValues, "value"))
	if d.leftGroups > 0 {
		return words.Plural(d.leftGroups, "group") + ", " + text
	}
	return text
}

// export returns the drawing as boxes and arrows with texts, for writing it to a file.
func (d *drawing) export(title string) usecase.GraphPicture {
	p := usecase.GraphPicture{Title: title, Values: map[int]bool{}}
	for _, op := range d.ops {
		method, path, _ := strings.Cut(string(op), " ")
		p.Boxes = append(p.Boxes, []usecase.BoxLine{{Method: method, Text: path}})
	}
	for _, all := range d.values {
		var lines []usecase.BoxLine
		for _, name := range all {
			lines = append(lines, usecase.BoxLine{Text: name})
		}
		p.Values[len(p.Boxes)] = true
		p.Boxes = append(p.Boxes, lines)
	}
	for _, e := range d.sheet.Graph.Edges {
		p.Arrows = append(p.Arrows, usecase.BoxArrow{From: e.From, To: e.To, Dashed: e.Dashed})
	}
	for _, f := range d.sheet.Figure.Frames {
		p.Frames = append(p.Frames, usecase.BoxFrame{Title: f.Title, Boxes: f.Nodes})
	}
	if d.leftOps+d.leftValues > 0 {
		p.Note = "Not shown: " + d.omitted()
	}
	return p
}
