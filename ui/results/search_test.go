package results

import (
	"testing"

	"sonde/model"
)

// Server errors that the spec declares are told from those that are faults.
func TestAnsweredOperations(t *testing.T) {
	for want, s := range map[string]model.Summary{
		"4: 3 with a 2xx, 1 not called; 2 with a 5xx":                 {Operations: 4, With2xx: 3, With5xx: 2},
		"4: 3 with a 2xx, 1 not called; 2 with a 5xx (1 as declared)": {Operations: 4, With2xx: 3, With5xx: 2, Declared5xx: 1},
		"9: 4 with a 2xx, 1 with a 5xx and no 2xx, 2 only refused (4xx), 1 without an answer, 1 not called; 1 with a 5xx": {
			Operations: 9, With2xx: 4, With5xx: 1, Only5xx: 1, Only4xx: 2, NotAnswered: 1,
		},
		"4: 4 with a 2xx": {Operations: 4, With2xx: 4},
	} {
		if got := AnsweredOperationsText(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
