package cli

import (
	"testing"

	"sonde/model"
)

// Server errors that the spec declares are told from those that are faults.
func TestAnsweredOperations(t *testing.T) {
	for want, s := range map[string]model.Summary{
		"4, 3 with a 2xx, 2 with a 5xx":                 {Operations: 4, With2xx: 3, With5xx: 2},
		"4, 3 with a 2xx, 2 with a 5xx (1 as declared)": {Operations: 4, With2xx: 3, With5xx: 2, Declared5xx: 1},
	} {
		if got := answeredOperations(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
