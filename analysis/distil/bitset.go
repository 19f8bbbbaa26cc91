package distil

import "math/bits"

// bitset is a set of small numbers, with one bit for each number.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s bitset) addAll(all []int) {
	for _, i := range all {
		s.add(i)
	}
}

// unite adds the members of o to s. Both sets must have the same size.
func (s bitset) unite(o bitset) {
	for word, bits := range o {
		s[word] |= bits
	}
}

func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// both returns the common members of s and o in the range from 64*word to 64*word+63, as the bits of a word. A nil o
// means all numbers.
func (s bitset) both(o bitset, word int) uint64 {
	if o == nil {
		return s[word]
	}
	return s[word] & o[word]
}

// from returns the smallest common member of s and o that is at least i, or end if there is none. A nil o means all
// numbers.
func (s bitset) from(o bitset, i, end int) int {
	for i < end {
		if rest := s.both(o, i/64) >> (i % 64); rest != 0 {
			return i + bits.TrailingZeros64(rest)
		}
		i = (i/64 + 1) * 64
	}
	return end
}

// count returns the number of common members of s and o. A nil o means all numbers.
func (s bitset) count(o bitset) int {
	n := 0
	for word := range s {
		n += bits.OnesCount64(s.both(o, word))
	}
	return n
}
