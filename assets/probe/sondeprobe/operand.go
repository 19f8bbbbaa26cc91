package sondeprobe

import (
	"sync/atomic"
	"unsafe"
)

// Values of the lower half of a predicate's open word. This half is 0 if the predicate is not
// watched, and Asked+1+n if operands are recorded in pair n.
const (
	Open  = 1 // distances are recorded
	Asked = 2 // distances and operands are recorded
)

// Bounds of the operands of one test.
const (
	Pairs = 512 // how many pairs of operands can be recorded in one test
	Most  = 120 // how many bytes of a string are recorded
)

// The kinds of operands: values of Pair.Kind.
const (
	Ints = 1 + iota
	Uints
	Floats
	Texts
	Times
)

// Values of Pair.Op, besides the operators of comparisons.
const (
	Call = 8  // plus a relation of two strings, such as HasPrefix
	Tag  = 32 // the tag of a switch, which has no second operand
)

// Pair has the two operands of a predicate in the evaluation that came nearest to the outcome that
// did not occur. It is written only when the distance falls, because a write at each evaluation would
// slow down hot loops. Sequence is odd while the pair is written.
type Pair struct {
	Sequence, Pred uint32
	Kind, Op       uint8
	_              uint16
	LenA, LenB     uint16 // lengths of strings, of which A and B may have only a part
	A, B           [Most]byte
}

// pairOf returns the pair for the operands of a predicate. It returns nil if operands are not
// recorded or no pair is free. A nil *Pair ignores what is written.
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

// another returns an additional pair for a predicate, or nil like pairOf.
func another(p uint32) *Pair {
	if atomic.LoadUint32(&memory.open[p])&asked < Asked {
		return nil
	}
	if at := atomic.AddUint32(&memory.used, 1); at <= Pairs {
		return &memory.pairs[at-1]
	}
	return nil
}

// begin locks a pair for one writer. It returns false if another writer has locked it or x is nil.
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

// times records two instants, each as seconds and nanoseconds.
//
//go:norace
func (x *Pair) times(p, op uint32, a, b [2]int64) {
	if x.begin(p, Times, op) {
		*(*[2]int64)(unsafe.Pointer(&x.A)), *(*[2]int64)(unsafe.Pointer(&x.B)) = a, b
		x.end()
	}
}

func float(v float64) uint64 { return *(*uint64)(unsafe.Pointer(&v)) }

// setI is set for a comparison of signed integers, with its operands.
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
