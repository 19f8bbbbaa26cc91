package groups

// Terms returns the terms of the pane that has the focus, and of the table.
func (s *Screen) Terms() []string {
	var terms []string
	switch s.view.focus {
	case members:
		terms = []string{"value", "given value"}
	case picture:
		terms = []string{"cycle", "entity"}
	case seqs:
		terms = []string{"condition II"}
	}
	terms = append(terms, "value-sharing group")
	if s.view.table.sections.areas() > 0 {
		terms = append(terms, "area")
	}
	return append(terms, "seq", "DC", "SC")
}
