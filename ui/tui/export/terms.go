package export

// Terms returns the terms of the list of picks, of the formats, and of the line about the file.
func (s *Screen) Terms() []string {
	terms := []string{"test", "seq"}
	if s.formats.open {
		terms = append(terms, "assertion", "capture")
	}
	if len(s.destination.faultModes) > 1 {
		terms = append(terms, "fault")
	}
	return append(terms, "self-contained")
}
