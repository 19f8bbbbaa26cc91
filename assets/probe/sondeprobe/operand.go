package sondeprobe

import (
	"sync/atomic"
	"unsafe"
)

// Values of the lower half of a predicate's open word. This half is 0 if the predicate is not
// watched. When operands are recorded for the first time, in pair n, the half becomes
// OpenWithOperands+1+n.
const (
	Open             = 1 // distances are recorded
	OpenWithOperands = 2 // distances and operands are recorded
)

// Bounds of the operands of one test.
const (
	Pairs   = 512 // how many pairs of operands can be recorded in one test
	MaxText = 120 // how many bytes of a string are recorded
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

// Pair has the two operands of a predicate. They are those of the evaluation that came nearest to the other outcome,
// which did not occur. A pair is written only when an evaluation is news (see isNews), because a write at each
// evaluation would slow down hot loops. Sequence is odd while the pair is written.
type Pair struct {
	Sequence, Pred uint32
	Kind, Op       uint8
	_              uint16
	LenA, LenB     uint16 // lengths of strings, of which A and B may have only a part
	A, B           [MaxText]byte
}

// pairOf returns the pair for the operands of a predicate. It returns nil if operands are not
// recorded or no pair is free. A nil *Pair ignores what is written.
func pairOf(p uint32) *Pair {
	old := atomic.LoadUint32(&memory.open[p])
	n := old & stateMask
	if n == OpenWithOperands {
		n += atomic.AddUint32(&memory.used, 1)
		if n > OpenWithOperands+Pairs || !atomic.CompareAndSwapUint32(&memory.open[p], old, old-OpenWithOperands+n) {
			return nil
		}
	}
	if n <= OpenWithOperands || n > OpenWithOperands+Pairs {
		return nil
	}
	return &memory.pairs[n-OpenWithOperands-1]
}

// extraPair returns an additional pair for a predicate, or nil like pairOf.
func extraPair(p uint32) *Pair {
	if atomic.LoadUint32(&memory.open[p])&stateMask < OpenWithOperands {
		return nil
	}
	if n := atomic.AddUint32(&memory.used, 1); n <= Pairs {
		return &memory.pairs[n-1]
	}
	return nil
}

// lock locks a pair for one writer and sets p, kind and op. It returns false if another writer has locked it or x is nil.
//
//go:norace
func (x *Pair) lock(p, kind, op uint32) bool {
	if x == nil {
		return false
	}
	sequence := atomic.LoadUint32(&x.Sequence)
	if sequence&1 != 0 || !atomic.CompareAndSwapUint32(&x.Sequence, sequence, sequence+1) {
		return false
	}
	x.Pred, x.Kind, x.Op = p, uint8(kind), uint8(op)
	return true
}

func (x *Pair) unlock() { atomic.AddUint32(&x.Sequence, 1) }

// recordNumbers records two numbers.
//
//go:norace
func (x *Pair) recordNumbers(p, kind, op uint32, a, b uint64) {
	if x.lock(p, kind, op) {
		*(*uint64)(unsafe.Pointer(&x.A)), *(*uint64)(unsafe.Pointer(&x.B)) = a, b
		x.unlock()
	}
}

// recordTexts records two strings.
//
//go:norace
func (x *Pair) recordTexts(p, op uint32, a, b string) {
	if x.lock(p, Texts, op) {
		x.LenA, x.LenB = uint16(min(len(a), 0xffff)), uint16(min(len(b), 0xffff))
		copy(x.A[:], a)
		copy(x.B[:], b)
		x.unlock()
	}
}

// recordTimes records two instants, each as seconds and nanoseconds.
//
//go:norace
func (x *Pair) recordTimes(p, op uint32, a, b [2]int64) {
	if x.lock(p, Times, op) {
		*(*[2]int64)(unsafe.Pointer(&x.A)), *(*[2]int64)(unsafe.Pointer(&x.B)) = a, b
		x.unlock()
	}
}

func floatBits(v float64) uint64 { return *(*uint64)(unsafe.Pointer(&v)) }

// setI calls set for a comparison of signed integers, and records the operands.
//
//go:noinline
func setI(p, op uint32, r bool, q uint64, a, b int64) {
	set(p, r, q)
	pairOf(p).recordNumbers(p, Ints, op, uint64(a), uint64(b))
}

// setU is setI for unsigned integers.
//
//go:noinline
func setU(p, op uint32, r bool, q uint64, a, b uint64) {
	set(p, r, q)
	pairOf(p).recordNumbers(p, Uints, op, a, b)
}

// setF is setI for floating-point numbers.
//
//go:noinline
func setF(p, op uint32, r bool, q uint64, a, b float64) {
	set(p, r, q)
	pairOf(p).recordNumbers(p, Floats, op, floatBits(a), floatBits(b))
}
