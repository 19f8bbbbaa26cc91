package explore

import "sonde/ui/app/userdata"

// SavePlace notes the operation and the filter.
func (s *Screen) SavePlace(p *userdata.Place) { p.Operation, p.Filter = string(s.shown), s.find.Text() }
