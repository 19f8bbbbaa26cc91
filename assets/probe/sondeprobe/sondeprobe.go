// Package sondeprobe is the memory of a service's probes, and the functions that they
// call. It is compiled into the service as a leaf of the standard library's tree: it
// has nothing to initialise, so that the service's packages are initialised in the same
// order as without it, and it imports nothing that could import the service.
package sondeprobe

import (
	"sync/atomic"
	"unsafe"
)

// The shared file begins with a page: magic, version, build, the numbers of predicates
// and hits, the offset of the rest in its page, and how many processes share the file.
// The rest is two slots for each predicate, pairs of operands and their number, an open
// word for each predicate, and a byte for each hit.
const (
	Magic   = 0x31424f5250444e53 // "SNDPROB1"
	Version = 3
)

// Head is the beginning of the shared file.
type Head struct {
	Magic, Version, Build, Preds, Hits, Shift, Attached uint64
}

// Size is the length of the part after the first page and the shift.
const Size = 2*8*Preds + SizeOfPairs + 4*Preds + Hits

// SizeOfPairs is the length of the pairs and of their number.
const SizeOfPairs = Pairs*(16+2*Most) + 8

// Margin is free space around the probes' memory. It is at least the page size of any
// system, so that the pages of that memory hold nothing else.
const Margin = 1 << 16

// memory is where the probes write. It is a variable at a fixed place, so that a probe
// is a store to an address that the linker knows. To share it, the agent maps the file
// over its pages.
var memory struct {
	_     [Margin]byte
	slots [2 * Preds]uint64
	pairs [Pairs]Pair
	used  uint32
	_     uint32
	open  [Preds]uint32
	hits  [Hits]byte
	_     [Margin]byte
}

// Memory returns the address where the shared part begins.
func Memory() uintptr { return uintptr(unsafe.Pointer(&memory.slots)) }

// Fits reports whether a file belongs to this build.
func (h *Head) Fits() bool {
	return h.Magic == Magic && h.Version == Version && h.Build == Build && h.Preds == Preds && h.Hits == Hits
}

// Keep copies the hits of the service's initialisation to a file.
func Keep(file []byte) {
	for i, seen := range memory.hits[:] {
		file[Size-Hits+i] |= seen
	}
}

// S records that a place was reached: a block, or the end of a statement with a call.
//
//go:norace
func S(i uint32) { memory.hits[i] = 1 }

// R is S for the evaluation of an expression.
//
//go:norace
func R[T any](i uint32, v T) T { memory.hits[i] = 1; return v }

// RB is R for files whose language has no type parameters.
//
//go:norace
func RB(i uint32, v bool) bool { memory.hits[i] = 1; return v }

// L records after a loop that it was skipped, if its body was not entered.
//
//go:norace
func L(i uint32, entered bool) {
	if !entered {
		memory.hits[i] = 1
	}
}

// O reports whether a predicate is looked at. Only then are distances computed.
//
//go:norace
func O(p uint32) bool { return memory.open[p] != 0 }

// Done is the slot of an outcome that came.
const Done = ^uint64(0)

// quality returns the slot of a distance, in full precision: a greater slot is a
// smaller distance. 0 is an outcome whose predicate was never evaluated.
func quality(d float64) uint64 {
	if !(d > 0 && d <= Far) {
		d = Far
	}
	return Done - 1 - *(*uint64)(unsafe.Pointer(&d))
}

// Far is the distance of values that cannot be compared.
const Far = 0x1p1023 * (1 + (1 - 0x1p-52))

// improve raises a slot, also if others do so at the same time, and reports whether it
// did.
func improve(i uint32, q uint64) bool {
	for {
		old := atomic.LoadUint64(&memory.slots[i])
		if q <= old {
			return false
		}
		if atomic.CompareAndSwapUint64(&memory.slots[i], old, q) {
			return true
		}
	}
}

// Patience is how many consecutive evaluations without news of a predicate are looked
// at; the upper half of its open word counts them. Then its probe is silent until the
// tool opens it again, before the next test.
//
// A predicate that is evaluated so often in one test is that of a hot loop, where
// distances cost a multiple of the loop itself. The price: after that many evaluations
// without news, a test does not learn how near it came, nor, of a branch without
// statements of its own (an operand of && and ||, a missing else), whether it took it.
// A distance that keeps falling is news each time.
const Patience = 4096

// learn records an outcome of a predicate, and the distance of the other one. It
// reports whether that is news.
func learn(p uint32, r bool, d float64) bool {
	q := quality(d)
	if !news(p, r, q) {
		tire(p)
		return false
	}
	set(p, r, q)
	return true
}

// news reports whether an outcome, or the distance of the other one, is more than was
// known of a predicate.
func news(p uint32, r bool, q uint64) bool {
	seen := seenSlot(p, r)
	return memory.slots[seen] != Done || q > memory.slots[seen^1]
}

func seenSlot(p uint32, r bool) uint32 {
	if r {
		return 2 * p
	}
	return 2*p + 1
}

//go:noinline
func set(p uint32, r bool, q uint64) {
	seen := seenSlot(p, r)
	improve(seen, Done)
	improve(seen^1, q)
	if atomic.LoadUint64(&memory.slots[seen^1]) == Done {
		atomic.StoreUint32(&memory.open[p], 0)
	} else {
		rest(p)
	}
}

// The lower half of an open word is what is wanted, the upper half counts.
const (
	asked = 0xffff
	once  = asked + 1
)

// tire counts an evaluation without news. Of several at the same time some may not be
// counted.
func tire(p uint32) {
	is := atomic.LoadUint32(&memory.open[p])
	be := is + once
	if is == 0 || be >= Patience*once {
		be = 0
	}
	atomic.CompareAndSwapUint32(&memory.open[p], is, be)
}

// rest resets that count.
func rest(p uint32) {
	if is := atomic.LoadUint32(&memory.open[p]); is > asked {
		atomic.CompareAndSwapUint32(&memory.open[p], is, is&asked)
	}
}

// wanted reports whether the other outcome has not come yet, so that its distance is
// worth computing.
func wanted(p uint32, r bool) bool {
	return atomic.LoadUint64(&memory.slots[seenSlot(p, r)^1]) != Done
}

// T is a predicate of which only the outcome is known.
func T(p uint32, v bool) bool {
	if O(p) {
		learn(p, v, 1)
	}
	return v
}
