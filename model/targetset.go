package model

import (
	"iter"
	"math/bits"
)

// TargetSet is a bit set of code targets, which are numbered from 0. The zero value is the empty set. The last word
// of a set is never 0.
type TargetSet []uint64

// Add adds a target.
func (s *TargetSet) Add(target int) {
	s.grow(target/64 + 1)
	(*s)[target/64] |= 1 << (target % 64)
}

// AddAll adds the targets of another set.
func (s *TargetSet) AddAll(other TargetSet) {
	s.grow(len(other))
	for i, word := range other {
		(*s)[i] |= word
	}
}

// grow extends the set to at least this number of words.
func (s *TargetSet) grow(words int) {
	if words > len(*s) {
		*s = append(*s, make(TargetSet, words-len(*s))...)
	}
}

// Without returns the targets that are not in another set, in their order.
func (s TargetSet) Without(other TargetSet) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			if i < len(other) {
				word &^= other[i]
			}
			for ; word != 0; word &= word - 1 {
				if !yield(64*i + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// All returns the targets in ascending order.
func (s TargetSet) All() iter.Seq[int] { return s.Without(nil) }
