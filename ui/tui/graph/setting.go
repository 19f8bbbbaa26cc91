package graph

import "sonde/ui/tui/screen"

// Settings returns the search text.
func (s *Screen) Settings() []screen.Setting {
	if s.analyzed == nil {
		return nil
	}
	return []screen.Setting{screen.FilterSetting(s.matches.Text())}
}

// restoreSetting marks the nodes that match an earlier search text.
func (s *Screen) restoreSetting(to screen.Setting) {
	if s.analyzed != nil && to.ID == screen.FilterID {
		s.matches.SetText(to.Value)
		s.findMatches()
	}
}
