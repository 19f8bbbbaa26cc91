package sondeprobe

import (
	"sync/atomic"
	"unsafe"
)

// The lower half of the open word of a predicate: 0 if it is not looked at, Open if
// distances are wanted, Asked if operands are, too, and from Asked+1 on the number of
// the pair that has them.
const (
	Open  = 1
	Asked = 2
)

// Pairs is how many predicates can record their operands in one test, first come, first
// served. Most is how many bytes of a string are recorded.
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

// The operators of pairs, besides those of comparisons: a predicate of two strings is
// Call plus its number. The tag of a switch has no other operand, since the cases are
// known.
const (
	Call = 8
	Tag  = 32
)

// Pair is the two operands of a predicate with the least distance to the outcome that
// did not come. It is written only when the distance falls: to write it at each
// comparison would slow down hot loops. Sequence is odd while the pair is written.
type Pair struct {
	Sequence, Pred uint32
	Kind, Op       uint8
	_              uint16
	LenA, LenB     uint16 // of strings, also if only a part is kept
	A, B           [Most]byte
}

// pairOf returns the pair for the operands of a predicate, nil if they are not wanted
// or none is left.
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

// another returns a further pair for a predicate that has several.
func another(p uint32) *Pair {
	if atomic.LoadUint32(&memory.open[p])&asked < Asked {
		return nil
	}
	if at := atomic.AddUint32(&memory.used, 1); at <= Pairs {
		return &memory.pairs[at-1]
	}
	return nil
}

// begin locks a pair for one writer, and reports whether it did.
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

// bits records two numbers.
//
//go:norace
func (x *Pair) bits(p, kind, op uint32, a, b uint64) {
	if x.begin(p, kind, op) {
		*(*uint64)(unsafe.Pointer(&x.A)), *(*uint64)(unsafe.Pointer(&x.B)) = a, b
		x.end()
	}
}

// texts records two strings.
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

// times records two instants: seconds and nanoseconds.
//
//go:norace
func (x *Pair) times(p, op uint32, a, b [2]int64) {
	if x.begin(p, Times, op) {
		*(*[2]int64)(unsafe.Pointer(&x.A)), *(*[2]int64)(unsafe.Pointer(&x.B)) = a, b
		x.end()
	}
}

func float(v float64) uint64 { return *(*uint64)(unsafe.Pointer(&v)) }

// setI records the outcome of a comparison of signed integers, with its operands.
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
