package groups

import "sonde/ui/tui/screen"

// settings returns the filter of the table.
func settings(s *Screen) []screen.Setting {
	if s.view.analyzed == nil {
		return nil
	}
	return []screen.Setting{screen.FilterSetting(s.view.table.find.Text())}
}

// restoreSetting filters the table by an earlier filter.
func restoreSetting(s *Screen, to screen.Setting) {
	if s.view.analyzed != nil && to.ID == screen.FilterID {
		s.view.table.find.SetText(to.Value)
		s.view.narrow()
	}
}
