package explore

import "sonde/ui/tui/screen"

// Settings returns the filter of the operations.
func (s *Screen) Settings() []screen.Setting {
	if s.analyzed == nil {
		return nil
	}
	return []screen.Setting{screen.FilterSetting(s.tree.find.Text())}
}

// restoreSetting filters the operations by an earlier filter.
func (s *Screen) restoreSetting(to screen.Setting) {
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
