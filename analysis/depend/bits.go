package depend

import (
	"iter"
	"math/bits"
)

// set is a bit set of small non-negative numbers.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) add(n int)      { s[n/64] |= 1 << (n % 64) }
func (s set) drop(n int)     { s[n/64] &^= 1 << (n % 64) }
func (s set) has(n int) bool { return s[n/64]&(1<<(n%64)) != 0 }

// unite adds the elements of o to s. A nil o adds nothing.
func (s set) unite(o set) {
	for i, w := range o {
		s[i] |= w
	}
}

// minus returns the elements of s that are not in o.
func (s set) minus(o set) set {
	rest := make(set, len(s))
	for i, w := range s {
		rest[i] = w &^ o[i]
	}
	return rest
}

func (s set) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// all returns an iterator over the elements in ascending order.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i*64 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
