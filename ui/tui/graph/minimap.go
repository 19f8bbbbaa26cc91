package graph

import "sonde/ui/draw"

// mapWidth and mapHeight are the maximum size of a map, in cells. By default, the map is shown if the
// figure is at least mapFrom times as large as its window.
const mapWidth, mapHeight, mapFrom = 28, 9, 4

// mapRect returns the rectangle of the map on the drawing in a pane at r. The map is in the lower right corner. If it
// would cover the box under the cursor there, it is in another corner. If it would cover the box in all corners, it
// is shown only if the user has turned it on. mapRect returns an empty rectangle if there is no map.
func (d *display) mapRect(r draw.Rect) draw.Rect {
	w, h := r.W-2, r.H-2
	if !d.hasMap(w, h) {
		return draw.Rect{}
	}
	mw, mh := d.picture.sheet.MapSize(min(mapWidth, w/3), min(mapHeight, h/2))
	right := draw.Rect{X: r.X + r.W - mw - 3, Y: r.Y + r.H - mh - 3, W: mw + 2, H: mh + 2}
	box := d.picture.sheet.NodeBox(d.node)
	box.X, box.Y = r.X+1+box.X, r.Y+1+box.Y
	for _, y := range []int{right.Y, r.Y + 1} {
		for _, x := range []int{right.X, r.X + 1} {
			if corner := (draw.Rect{X: x, Y: y, W: right.W, H: right.H}); !corner.Meets(box) {
				return corner
			}
		}
	}
	if d.asMap == nil {
		return draw.Rect{}
	}
	return right
}

// hasMap reports whether there is a map on a drawing of w × h cells.
func (d *display) hasMap(w, h int) bool {
	if d.picture == nil || d.tree() || d.picture.sheet.ShowsWhole() || w < 12 || h < 6 {
		return false
	}
	if d.asMap != nil {
		return *d.asMap
	}
	fig := d.picture.sheet.Figure
	return fig.W*fig.H >= mapFrom*w*h
}

// toggleMap shows the map, or hides it.
func (d *display) toggleMap() {
	r, _ := d.divide(d.width, d.height)
	on := d.mapRect(r).Empty()
	d.asMap = &on
}
