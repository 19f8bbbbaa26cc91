package mio_test

import (
	"fmt"
	"reflect"
	"testing"

	"sonde/model"
	"sonde/runner/search/mio"
)

// Scores with numbers give the same search as scores with names only.
func TestNumbersDoNotChangeTheSearch(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	search := func(numbered bool) (steps []string, kept []mio.ArchiveEntry[int]) {
		s, r := mio.New(still{}, chance(1), model.DefaultTuning(), names), chance(2)
		for i := range 200 {
			scores := []model.Score{{Target: "late", H: 0.3}}
			for j, name := range names {
				sc := model.Score{Target: name, H: r.Float64() * (1 + float64(i)/1000)}
				if numbered {
					sc.Number = j + 1
				}
				scores = append(scores, sc)
			}
			asked := s.Ask()
			steps = append(steps, fmt.Sprint(asked.Individual, asked.Target, s.Tell(asked, scores)))
		}
		return steps, s.Archive()
	}
	steps, kept := search(false)
	numberedSteps, numberedKept := search(true)
	if !reflect.DeepEqual(steps, numberedSteps) || !reflect.DeepEqual(kept, numberedKept) || len(kept) == 0 {
		t.Errorf("kept %v by name, %v by number", kept, numberedKept)
	}
}
