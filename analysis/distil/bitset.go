package distil

import "math/bits"

// bitset is a bit set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s bitset) addAll(all []int) {
	for _, i := range all {
		s.add(i)
	}
}

func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// from returns the smallest member that is at least i, or end if there is none.
func (s bitset) from(i, end int) int {
	for i < end {
		if rest := s[i/64] >> (i % 64); rest != 0 {
			return i + bits.TrailingZeros64(rest)
		}
		i = (i/64 + 1) * 64
	}
	return end
}
