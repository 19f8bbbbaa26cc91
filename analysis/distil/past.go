package distil

// past remembers one bit of each seq of a length, in the order of the walk:
// whether longer ones may begin with it.
type past struct {
	bits []uint64
	n    int // seqs of this walk so far
}

// rewind begins another walk.
func (p *past) rewind() { p.n = 0 }

// add remembers the bit of the next seq.
func (p *past) add(bit bool) {
	if p.n%64 == 0 {
		p.bits = append(p.bits, 0)
	}
	if bit {
		p.bits[p.n/64] |= 1 << (p.n % 64)
	}
	p.n++
}

// next recalls the bit of the next seq.
func (p *past) next() bool {
	p.n++
	return bitset(p.bits).has(p.n - 1)
}
