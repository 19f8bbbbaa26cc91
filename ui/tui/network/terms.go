package network

// Terms returns the terms of the map and of the host beside it.
func (s *Screen) Terms() []string {
	terms := []string{"virtual network"}
	if len(s.hosts.all) == 0 {
		return append(terms, "ground")
	}
	return append(terms, "contact", "stub", "host model", "environment", "synthetic address")
}
