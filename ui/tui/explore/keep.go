package explore

import "sonde/ui/home"

// Leave notes the operation and the filter.
func (s *Screen) Leave(p *home.Place) { p.Operation, p.Filter = string(s.shown), s.find.Text() }
