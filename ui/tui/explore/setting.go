package explore

import "sonde/ui/tui/screen"

// settings returns the filter of the operations.
func settings(s *Screen) []screen.Setting {
	if s.analyzed == nil {
		return nil
	}
	return []screen.Setting{screen.FilterSetting(s.tree.find.Text())}
}

// restoreSetting filters the operations by an earlier filter.
func restoreSetting(s *Screen, to screen.Setting) {
	switch {
	case s.analyzed == nil || to.ID != screen.FilterID:
		return
	case to.Value == "":
		s.clearFilter()
		return
	}
	s.tree.find.SetText(to.Value)
	s.tree.narrow()
	s.showCursor()
}
