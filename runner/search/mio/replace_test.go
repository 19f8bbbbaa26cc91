package mio_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/search/mio"
)

// Replace accepts individuals of the same size, but only for targets that they cover.
func TestReplace(t *testing.T) {
	s := mio.New(sized{}, rand.New(rand.NewPCG(1, 1)), model.DefaultTuning(), []string{"t", "open"})
	score := func(id string, h float64) []model.Score { return []model.Score{{Target: id, H: h}} }
	s.Offer("zz", score("t", 1))
	for _, c := range []struct {
		target, test string
		scores       []model.Score
		want         bool
	}{
		{"t", "aa", score("t", 1), true},
		{"t", "bb", score("t", 0.9), false},
		{"t", "cc", score("open", 1), false},
		{"open", "dd", score("open", 1), false},
		{"unknown", "ee", score("unknown", 1), false},
	} {
		if got := s.Replace(c.test, c.scores, c.target) == 1; got != c.want {
			t.Errorf("%s by %s: %t", c.target, c.test, got)
		}
	}
	if got := s.Archive(); !slices.Equal(got, []mio.ArchiveEntry[string]{{Target: "t", Individual: "aa", Number: 1, H: 1}}) {
		t.Errorf("kept %v", got)
	}
	s.Offer("a", score("t", 1))
	if got := s.Archive(); !slices.Equal(got, []mio.ArchiveEntry[string]{{Target: "t", Individual: "a", Number: 1, H: 1}}) {
		t.Errorf("kept %v, want what is shorter", got)
	}
}
