package record

import (
	"strings"

	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// settings returns the filter of the exchanges, and the picks.
func settings(s *Screen) []screen.Setting {
	picks := s.exchanges.store.picks()
	return []screen.Setting{
		screen.FilterSetting(s.exchanges.find.Text()),
		{ID: s.picksID(), Value: strings.Join(picks, "\n"), Text: words.Plural(len(picks), "picked exchange")},
	}
}

// picksID returns the ID of the setting with the picks. Another recording has other exchanges, and another ID.
func (s *Screen) picksID() string { return "picks of " + s.watch.folder }

// restoreSetting restores an earlier filter of the exchanges, or earlier picks.
func restoreSetting(s *Screen, to screen.Setting) {
	switch to.ID {
	case screen.FilterID:
		s.exchanges.find.SetText(to.Value)
	case s.picksID():
		s.exchanges.store.picked = map[string]bool{}
		for id := range strings.SplitSeq(to.Value, "\n") {
			if id != "" {
				s.exchanges.store.picked[id] = true
			}
		}
	}
	s.exchanges.narrow()
}
