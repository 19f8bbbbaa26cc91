package graph

// Terms returns the terms of the picture.
func (v view) Terms() []string {
	terms := []string{"value", "cycle"}
	if v.whole {
		terms = append(terms, "area", "bounded graph")
	}
	return append(terms, "target")
}
