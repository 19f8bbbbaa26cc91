package demo

// version is the document's.
const version = "1.4.0"

func (s *Shop) getHealth(*call) (answer, error) {
	return ok(struct {
		Service string `json:"service"`
		Version string `json:"version"`
	}{"up", version}), nil
}
