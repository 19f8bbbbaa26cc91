package demo

// version is the version of the specification.
const version = "1.4.0"

func getHealth(*call) (answer, error) {
	return ok(struct {
		Service string `json:"service"`
		Version string `json:"version"`
	}{"up", version}), nil
}
