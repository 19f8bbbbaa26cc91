package record

import (
	"sync"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// Sampling selects the requests of which an exchange is kept. The zero value keeps all.
type Sampling struct {
	Every int // keep one of this many calls of an operation
	First int // keep this many of an operation and a shape, or a trait
}

// all reports whether everything is kept.
func (s Sampling) all() bool { return s.Every <= 1 && s.First <= 0 }

// sampler selects the exchanges that are kept.
type sampler struct {
	Sampling
	mu    sync.Mutex
	calls map[model.OpID]int
	taken shape.ProfileCounter
}

func newSampler(s Sampling) *sampler {
	return &sampler{Sampling: s, calls: map[model.OpID]int{}}
}

// keeps reports whether an exchange with its outward calls is kept.
func (s *sampler) keeps(op *model.Operation, x model.Exchange, sent []string) bool {
	s.mu.Lock()
	n := s.calls[x.Request.Op]
	s.calls[x.Request.Op]++
	s.mu.Unlock()
	if s.Every > 1 && n%s.Every != 0 {
		return false
	}
	if s.First <= 0 {
		return true
	}
	look := shape.ProfileOf(op, x, sent)
	s.mu.Lock()
	defer s.mu.Unlock()
	wants, _ := s.taken.WantsProfile(look, s.First)
	if wants {
		s.taken.CountProfile(look)
	}
	return wants
}

// CountShapes counts the shapes of each operation.
func CountShapes(all []model.ServedRequest) map[model.OpID]int {
	seen, counted := map[string]bool{}, map[model.OpID]int{}
	for _, s := range all {
		var sent []string
		for _, out := range s.OutwardCalls {
			sent = append(sent, shape.NameWithResult(out))
		}
		key := string(s.Request.Op) + " " + shape.ProfileOf(nil, s.Exchange, sent).String()
		if !seen[key] {
			seen[key] = true
			counted[s.Request.Op]++
		}
	}
	return counted
}
