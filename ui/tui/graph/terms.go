package graph

// Terms returns the terms of the picture.
func (s *Screen) Terms() []string {
	terms := []string{"value", "cycle"}
	if s.view.whole {
		terms = append(terms, "area", "bounded graph")
	}
	if s.coverage != nil {
		terms = append(terms, "target")
	}
	return terms
}
