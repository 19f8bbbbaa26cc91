package sondeunits

import "sync"

// routine is a goroutine with open frames, or with calls that belong to frames of other goroutines. Only its goroutine uses
// it.
type routine struct {
	number  uint64
	top     *Frame  // the innermost frame
	pending []*call // the calls that have begun, the innermost last
}

var routines sync.Map // *routine by number

// currentRoutine returns the routine of this goroutine. If there is none, it returns nil, or a new one if create is set.
func currentRoutine(create bool) *routine {
	n := goroutineNumber()
	if r, ok := routines.Load(n); ok {
		return r.(*routine)
	}
	if !create {
		return nil
	}
	r := &routine{number: n}
	routines.Store(n, r)
	return r
}

// release forgets the routine if it has no frames and no calls.
func (r *routine) release() {
	if r.top == nil && len(r.pending) == 0 {
		routines.Delete(r.number)
	}
}

// indexIn returns the index of the innermost call that belongs to a frame and has not returned, from 1; 0 if there is none.
func (r *routine) indexIn(f *Frame) int {
	for i := len(r.pending) - 1; i >= 0; i-- {
		for _, in := range r.pending[i].frames {
			if in.Frame == f {
				return in.index + 1
			}
		}
	}
	return 0
}
