package search

import "sonde/ui/tui/screen"

// The IDs of the borders: between the chart and the knobs, between the two lower panes, and between the upper panes and
// the lower ones.
const (
	knobsBorder = "knobs"
	lowerBorder = "lower"
	sidesBorder = "sides"
)

// borders returns the borders between the panes of a run.
func borders(m Model) []screen.Border {
	if m.page != pageRun || m.inPast {
		return nil
	}
	l := m.panes.layout(m.runView())
	if !l.framed {
		return nil
	}
	left, right := l.part[m.panes.lower.left], l.part[m.panes.lower.right]
	if l.large {
		side := l.part[partChart]
		side.H = left.H
		return append(
			screen.ColumnBorder(sidesBorder, left, side),
			screen.ColumnBorder(knobsBorder, l.part[partKnobs], right)...,
		)
	}
	return append(
		screen.ColumnBorder(knobsBorder, l.part[partChart], l.part[partKnobs]),
		screen.ColumnBorder(lowerBorder, left, right)...,
	)
}

// split gives the panes the sizes that the user has chosen.
func (l layout) split(s screen.Splits, low lower) layout {
	if !l.framed {
		return l
	}
	p := &l.part
	if !l.large {
		p[partChart], p[partKnobs] = s.Columns(knobsBorder, p[partChart], p[partKnobs])
		p[low.left], p[low.right] = s.Columns(lowerBorder, p[low.left], p[low.right])
		return l
	}
	side := p[partChart]
	p[low.left], side = s.Columns(sidesBorder, p[low.left], side)
	p[partChart] = side
	p[partKnobs].X, p[partKnobs].W = side.X, min(p[partKnobs].W, side.W/2)
	p[low.right].X, p[low.right].W = side.X+p[partKnobs].W, side.W-p[partKnobs].W
	p[partKnobs], p[low.right] = s.Columns(knobsBorder, p[partKnobs], p[low.right])
	return l
}

// Kept returns what the app keeps of the screen for the user.
func (m Model) Kept() screen.Kept {
	return screen.Kept{
		Settings: func() []screen.Setting { return settings(m) },
		Borders:  func() []screen.Border { return borders(m) },
		Splits:   m.panes.splits,
	}
}
