package seqs

// Terms returns the terms of the list and of the page beside it.
func (s *Screen) Terms() []string {
	if s.building() {
		return []string{"seq", "binding", "given value"}
	}
	terms := []string{"seq", "seq scope", "rule DC", "rule SC"}
	r := s.list.current()
	if r != nil && r.file != nil {
		terms = append(terms, "saved seq")
	}
	switch {
	case r == nil:
	case r.Test != nil:
		terms = append(terms, "test", "link", "check", "target", "self-contained")
	default:
		terms = append(terms, "practical", "binding")
	}
	return terms
}
