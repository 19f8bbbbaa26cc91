package explore

import "sonde/ui/app/userdata"

// Leave notes the operation and the filter.
func (s *Screen) Leave(p *userdata.Place) { p.Operation, p.Filter = string(s.shown), s.find.Text() }
