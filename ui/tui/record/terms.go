package record

// Terms returns the terms of the form, or of the recording that is shown.
func (s *Screen) Terms() []string {
	if s.onForm() {
		return []string{"recording", "relay", "outward call"}
	}
	terms := []string{"exchange", "outward call", "cause", "profile"}
	switch s.side {
	case sidePreview:
		terms = append(terms, "stub", "oracle")
	case sideFunctions:
		terms = append(terms, "function under test", "invocation", "mockable call")
	case sideReport:
		terms = append(terms, "mimic", "oracle")
	}
	return terms
}
