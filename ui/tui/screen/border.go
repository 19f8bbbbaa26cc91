package screen

import (
	"maps"

	"sonde/ui/draw"
)

// Border is a border between two panes of a screen, which the user can drag with the mouse.
type Border struct {
	ID string
	// Area has both panes. At is the first column of the right pane or, if Rows is true, the first row of the lower
	// pane.
	Area draw.Rect
	At   int
	Rows bool // one pane is above the other
}

// Has reports whether a cell is on the border: in the last column of the left pane or in the first of the right one, or
// in the rows that correspond to these.
func (b Border) Has(x, y int) bool {
	at := x
	if b.Rows {
		at = y
	}
	return b.Area.Has(x, y) && (at == b.At-1 || at == b.At)
}

// Splits has the shares of panes whose borders the user has dragged: of the left or upper pane, in thousandths of both.
// The key is the ID of the border. A nil map means that no border was dragged. Splits are not changed, but replaced.
type Splits map[string]int

// minPane is the smallest width that a pane gets by dragging its border. minPaneRows is the smallest height.
const minPane, minPaneRows = 20, 5

// Moved returns the splits after a border was dragged to a cell.
func (s Splits) Moved(b Border, x, y int) Splits {
	share := thousandths(x-b.Area.X, b.Area.W)
	if b.Rows {
		share = thousandths(y-b.Area.Y, b.Area.H)
	}
	moved := maps.Clone(s)
	if moved == nil {
		moved = Splits{}
	}
	moved[b.ID] = share
	return moved
}

// thousandths returns the smallest share whose part of the whole is n.
func thousandths(n, whole int) int {
	if whole <= 0 {
		return 0
	}
	return max(0, min((n*1000+whole-1)/whole, 1000))
}

// Columns returns two panes that are side by side, with the widths that the user has chosen. If there is only one of
// them, it stays as it is.
func (s Splits) Columns(id string, left, right draw.Rect) (l, r draw.Rect) {
	share, chosen := s[id]
	if left.Empty() || right.Empty() || !chosen {
		return left, right
	}
	whole := left.W + right.W
	left.W = part(share, whole, minPane)
	right.X, right.W = left.X+left.W, whole-left.W
	return left, right
}

// Rows returns two panes, the first above the second, with the heights that the user has chosen. If there is only one of
// them, it stays as it is.
func (s Splits) Rows(id string, upper, lower draw.Rect) (u, l draw.Rect) {
	share, chosen := s[id]
	if upper.Empty() || lower.Empty() || !chosen {
		return upper, lower
	}
	whole := upper.H + lower.H
	upper.H = part(share, whole, minPaneRows)
	lower.Y, lower.H = upper.Y+upper.H, whole-upper.H
	return upper, lower
}

// part returns a share of a whole, so that each of the two parts has at least the given size, if possible.
func part(share, whole, least int) int {
	least = min(least, whole/2)
	return max(least, min(whole*share/1000, whole-least))
}

// ColumnBorder returns the border between two panes that are side by side, or none if one of them is not shown.
func ColumnBorder(id string, left, right draw.Rect) []Border {
	if left.Empty() || right.Empty() {
		return nil
	}
	left.W += right.W
	return []Border{{ID: id, Area: left, At: right.X}}
}

// RowBorder returns the border between a pane and the one below it, or none if one of them is not shown.
func RowBorder(id string, upper, lower draw.Rect) []Border {
	if upper.Empty() || lower.Empty() {
		return nil
	}
	upper.H += lower.H
	return []Border{{ID: id, Area: upper, At: lower.Y, Rows: true}}
}

// SetSplits is sent to a screen to set the shares of its panes.
type SetSplits struct{ Splits }
