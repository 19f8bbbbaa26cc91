package distil

// history stores, for each seq of one length, whether the seq may be extended. It has one bit for each seq, in the
// order of the walk.
type history struct {
	bits []uint64
	n    int // number of seqs that the current walk has visited
}

// rewind starts the next walk.
func (h *history) rewind() { h.n = 0 }

// add stores the bit of the next seq.
func (h *history) add(bit bool) {
	if h.n%64 == 0 {
		h.bits = append(h.bits, 0)
	}
	if bit {
		h.bits[h.n/64] |= 1 << (h.n % 64)
	}
	h.n++
}

// next returns the bit of the next seq.
func (h *history) next() bool {
	h.n++
	return bitset(h.bits).has(h.n - 1)
}
