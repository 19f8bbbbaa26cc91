package explore

import (
	"sonde/ui/draw"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// walk moves over the page: from stop to stop where one is near, else by lines,
// so that nothing between them is skipped unseen.
func (s *Screen) walk(k tea.KeyMsg) {
	switch {
	case key.Matches(k, widget.Down):
		s.step(1)
	case key.Matches(k, widget.Up):
		s.step(-1)
	default:
		s.stops.Key(k)
	}
}

// near is how many lines at most a step skips.
const near = 6

func (s *Screen) step(by int) {
	at := s.stopNear(s.stops.At, by)
	if at < 0 {
		at = s.stops.At + by
	}
	s.stops.Go(at)
	s.ease(by)
}

// stopNear returns the nearest stop above or below a row, -1 where it is far.
func (s *Screen) stopNear(row, by int) int {
	for n := 1; n <= near; n++ {
		if at := row + n*by; at >= 0 && at < len(s.page) && s.page[at].stop() {
			return at
		}
	}
	return -1
}

// ease keeps a line of context above and below the cursor, and the head of the
// page in sight at its first stop.
func (s *Screen) ease(by int) {
	last := len(s.page) - 1
	first := s.stops.At
	if by < 0 && !s.stopBefore(first) {
		first = 0
	}
	s.stops.Top = draw.ScrollOffset(s.stops.Top, max(0, first-1), min(last, s.stops.At+1), s.stops.Height, len(s.page))
	s.stops.Go(s.stops.At)
}

func (s *Screen) stopBefore(row int) bool {
	for _, r := range s.page[:row] {
		if r.stop() {
			return true
		}
	}
	return false
}
