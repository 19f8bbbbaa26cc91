package sondeprobe

import (
	"sync/atomic"
	"unsafe"
)

// What an open word holds besides 0, in its lower half: that distances are asked for,
// or operands, too; from Asked+1 on, which of the pairs has them.
const (
	Open  = 1
	Asked = 2
)

// Pairs is how many predicates can tell of their operands in one test, the first
// that come, and Most how many bytes of a text they tell.
const (
	Pairs = 512
	Most  = 120
)

// The kinds of operands.
const (
	Ints = 1 + iota
	Uints
	Floats
	Texts
	Times
)

// The operators of pairs, behind those of comparisons: a predicate of two texts is
// Call and its number. The tag of a switch has no other operand: the cases are
// known.
const (
	Call = 8
	Tag  = 32
)

// Pair is two operands that a predicate compared, those of the least distance to
// the outcome that did not come. It is told only where that distance fell: to
// tell of each comparison would cost hot loops too much. Sequence is odd while it
// is written.
type Pair struct {
	Sequence, Pred uint32
	Kind, Op       uint8
	_              uint16
	LenA, LenB     uint16 // of texts, also where they are longer than what is kept
	A, B           [Most]byte
}

// pairOf is the place for the operands of a predicate, nil where nobody asks for
// them, or none is left.
func pairOf(p uint32) *Pair {
	is := atomic.LoadUint32(&memory.open[p])
	at := is & asked
	if at == Asked {
		at += atomic.AddUint32(&memory.used, 1)
		if at > Asked+Pairs || !atomic.CompareAndSwapUint32(&memory.open[p], is, is-Asked+at) {
			return nil
		}
	}
	if at <= Asked || at > Asked+Pairs {
		return nil
	}
	return &memory.pairs[at-Asked-1]
}

// another is a further place for a predicate that has several pairs.
func another(p uint32) *Pair {
	if atomic.LoadUint32(&memory.open[p])&asked < Asked {
		return nil
	}
	if at := atomic.AddUint32(&memory.used, 1); at <= Pairs {
		return &memory.pairs[at-1]
	}
	return nil
}

// begin lets one write a pair, and others not.
//
//go:norace
func (x *Pair) begin(p, kind, op uint32) bool {
	if x == nil {
		return false
	}
	s := atomic.LoadUint32(&x.Sequence)
	if s&1 != 0 || !atomic.CompareAndSwapUint32(&x.Sequence, s, s+1) {
		return false
	}
	x.Pred, x.Kind, x.Op = p, uint8(kind), uint8(op)
	return true
}

func (x *Pair) end() { atomic.AddUint32(&x.Sequence, 1) }

// bits tells of two numbers.
//
//go:norace
func (x *Pair) bits(p, kind, op uint32, a, b uint64) {
	if x.begin(p, kind, op) {
		*(*uint64)(unsafe.Pointer(&x.A)), *(*uint64)(unsafe.Pointer(&x.B)) = a, b
		x.end()
	}
}

// texts tells of two texts.
//
//go:norace
func (x *Pair) texts(p, op uint32, a, b string) {
	if x.begin(p, Texts, op) {
		x.LenA, x.LenB = uint16(min(len(a), 0xffff)), uint16(min(len(b), 0xffff))
		copy(x.A[:], a)
		copy(x.B[:], b)
		x.end()
	}
}

// times tells of two instants: seconds and nanoseconds.
//
//go:norace
func (x *Pair) times(p, op uint32, a, b [2]int64) {
	if x.begin(p, Times, op) {
		*(*[2]int64)(unsafe.Pointer(&x.A)), *(*[2]int64)(unsafe.Pointer(&x.B)) = a, b
		x.end()
	}
}

func float(v float64) uint64 { return *(*uint64)(unsafe.Pointer(&v)) }

// setI records what a comparison of signed integers saw, with its operands.
//
//go:noinline
func setI(p, op uint32, r bool, q uint64, a, b int64) {
	set(p, r, q)
	pairOf(p).bits(p, Ints, op, uint64(a), uint64(b))
}

// setU is setI for unsigned integers.
//
//go:noinline
func setU(p, op uint32, r bool, q uint64, a, b uint64) {
	set(p, r, q)
	pairOf(p).bits(p, Uints, op, a, b)
}

// setF is setI for floating-point numbers.
//
//go:noinline
func setF(p, op uint32, r bool, q uint64, a, b float64) {
	set(p, r, q)
	pairOf(p).bits(p, Floats, op, float(a), float(b))
}
