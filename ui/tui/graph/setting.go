package graph

import "sonde/ui/tui/screen"

// settings returns the search text.
func settings(s *Screen) []screen.Setting {
	if s.analyzed == nil {
		return nil
	}
	return []screen.Setting{screen.FilterSetting(s.matches.Text())}
}

// restoreSetting marks the nodes that match an earlier search text.
func restoreSetting(s *Screen, to screen.Setting) {
	if s.analyzed != nil && to.ID == screen.FilterID {
		s.matches.SetText(to.Value)
		s.findMatches()
	}
}
