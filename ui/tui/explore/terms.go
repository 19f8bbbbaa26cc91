package explore

// Terms returns the terms of the page that is shown.
func (s *Screen) Terms() []string {
	switch {
	case s.page.op == "":
		return []string{"operation"}
	case s.page.question.view == viewPaths:
		return []string{"path to an operation", "binding", "given value"}
	case s.page.question.view == viewImpact:
		return []string{"impact", "entity"}
	}
	return []string{"value", "kind of a value", "value-sharing group", "evidence"}
}
