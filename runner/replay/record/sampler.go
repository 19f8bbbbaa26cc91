package record

import (
	"sync"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// Sampling limits the exchanges that are kept. The zero value keeps all. If both fields are set, an
// exchange must satisfy both.
type Sampling struct {
	Every int // keep every n-th request of an operation
	// First keeps, for each operation and status, the first n exchanges with a shape, or with a trait; see
	// shape.MaxDistinct. It also keeps each exchange that ran code which no kept exchange ran.
	First int
}

// all reports whether all exchanges are kept.
func (s Sampling) all() bool { return s.Every <= 1 && s.First <= 0 }

// sampler decides which exchanges are kept.
type sampler struct {
	Sampling
	mu       sync.Mutex
	calls    map[model.OpID]int
	profiles shape.ProfileCounter
	// covered are the code targets of kept exchanges. certain are those among them that a kept exchange covered for
	// certain, because no other request may have covered them.
	covered, certain model.TargetSet
}

func newSampler(s Sampling) *sampler {
	return &sampler{Sampling: s, calls: map[model.OpID]int{}}
}

// keeps reports whether an exchange is kept. calls names its outward calls with their results.
func (s *sampler) keeps(op *model.Operation, x model.ServedRequest, calls []string) bool {
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
	profile := shape.ProfileOf(op, x.Exchange, calls)
	s.mu.Lock()
	defer s.mu.Unlock()
	wants, _ := s.profiles.WantsProfile(profile, s.First)
	if !wants && !s.hasNewCode(x) {
		return false
	}
	s.profiles.CountProfile(profile)
	s.covered.AddAll(x.Covered)
	if !x.CoveredByOthers {
		s.certain.AddAll(x.Covered)
	}
	return true
}

// hasNewCode reports whether an exchange ran code that no kept exchange ran. If it is certain that this exchange ran
// its code, hasNewCode compares it only with code that kept exchanges ran for certain.
func (s *sampler) hasNewCode(x model.ServedRequest) bool {
	known := s.certain
	if x.CoveredByOthers {
		known = s.covered
	}
	for range x.Covered.Without(known) {
		return true
	}
	return false
}

// CountShapes returns for each operation how many different shapes its exchanges have. Equal shapes with different
// statuses count separately.
func CountShapes(all []model.ServedRequest) map[model.OpID]int {
	seen, counted := map[string]bool{}, map[model.OpID]int{}
	for _, s := range all {
		var calls []string
		for _, out := range s.OutwardCalls {
			calls = append(calls, shape.NameWithResult(out))
		}
		key := string(s.Request.Op) + " " + shape.ProfileOf(nil, s.Exchange, calls).String()
		if !seen[key] {
			seen[key] = true
			counted[s.Request.Op]++
		}
	}
	return counted
}
