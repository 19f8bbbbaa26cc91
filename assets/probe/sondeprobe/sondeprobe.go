// Package sondeprobe is the memory of a service's probes, and what they call. It
// is built into the service from the standard library's tree, as a leaf: it has
// nothing to initialise, so that the service's packages are initialised in the
// order that they always were, and imports nothing that the service could
// import back.
package sondeprobe

import (
	"sync/atomic"
	"unsafe"
)

// The shared file begins with a page: magic, version, build, the numbers of
// predicates and hits, how far behind a page the rest begins, and how many
// processes share it. The rest is two slots for each predicate, pairs of operands
// and how many of these are used, an open word for each predicate, and a byte for
// each hit.
const (
	Magic   = 0x31424f5250444e53 // "SNDPROB1"
	Version = 3
)

// Head is at the beginning of the shared file.
type Head struct {
	Magic, Version, Build, Preds, Hits, Shift, Attached uint64
}

// Size is the length of what is behind the first page and the shift.
const Size = 2*8*Preds + SizeOfPairs + 4*Preds + Hits

// SizeOfPairs is the length of the pairs and of what says how many are used.
const SizeOfPairs = Pairs*(16+2*Most) + 8

// Margin is what stands around the probes' memory: no page of a system is larger,
// so that the pages on which that memory lies are nobody else's.
const Margin = 1 << 16

// memory is where the probes write. It is a variable and stays where it is, so
// that a probe is a store to an address that the linker knows. To share it, the
// agent maps the file over its pages.
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

// Memory is where what is shared begins.
func Memory() uintptr { return uintptr(unsafe.Pointer(&memory.slots)) }

// Fits tells whether a file is one of this build.
func (h *Head) Fits() bool {
	return h.Magic == Magic && h.Version == Version && h.Build == Build && h.Preds == Preds && h.Hits == Hits
}

// Keep hands what the service's initialisation reached over to a file, whose hits
// begin somewhere.
func Keep(file []byte) {
	for i, seen := range memory.hits[:] {
		file[Size-Hits+i] |= seen
	}
}

// S tells that a place was reached: a block, or the end of a statement that calls.
//
//go:norace
func S(i uint32) { memory.hits[i] = 1 }

// R is S on the way of a value.
//
//go:norace
func R[T any](i uint32, v T) T { memory.hits[i] = 1; return v }

// RB is R for files whose language has no type parameters.
//
//go:norace
func RB(i uint32, v bool) bool { memory.hits[i] = 1; return v }

// L tells, behind a loop, that it was skipped if its body was not entered.
//
//go:norace
func L(i uint32, entered bool) {
	if !entered {
		memory.hits[i] = 1
	}
}

// O tells whether there is anything still to learn of a predicate. It is only
// then that distances are computed.
//
//go:norace
func O(p uint32) bool { return memory.open[p] != 0 }

// Done is the slot of an outcome that was seen.
const Done = ^uint64(0)

// quality is a distance as a slot holds it: the whole distance, and more is
// nearer. 0 is an outcome whose predicate was never evaluated.
func quality(d float64) uint64 {
	if !(d > 0 && d <= Far) {
		d = Far
	}
	return Done - 1 - *(*uint64)(unsafe.Pointer(&d))
}

// Far is the distance of what is not comparable.
const Far = 0x1p1023 * (1 + (1 - 0x1p-52))

// improve raises a slot, whoever else does at the same time, and tells whether it
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

// Patience is how many evaluations that tell nothing new of a predicate are looked
// at, one behind the other: the upper half of its open word counts them. Then the
// probe is silent until the tool opens it again, before the next test.
//
// A predicate that is evaluated so often in one test is that of a hot loop, and what
// distances cost there is a multiple of what the loop costs. The price: of what comes
// behind so many evaluations without news, one test does not know how near it came,
// and of a branch that no statements stand for (an operand of && and ||, what is not
// done for want of an else) not whether it took it. A distance that goes on falling
// is news each time.
const Patience = 4096

// learn records an outcome of a predicate, and how far away the other one was. It
// tells whether that is news.
func learn(p uint32, r bool, d float64) bool {
	q := quality(d)
	if !news(p, r, q) {
		tire(p)
		return false
	}
	set(p, r, q)
	return true
}

// news tells whether an outcome, or how near the other one was, is more than is
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

// The lower half of an open word says what is asked for, the upper counts.
const (
	asked = 0xffff
	once  = asked + 1
)

// tire counts an evaluation without news. Where many count at the same time some do
// not count.
func tire(p uint32) {
	is := atomic.LoadUint32(&memory.open[p])
	be := is + once
	if is == 0 || be >= Patience*once {
		be = 0
	}
	atomic.CompareAndSwapUint32(&memory.open[p], is, be)
}

// rest lets the count of what tells nothing new begin anew.
func rest(p uint32) {
	if is := atomic.LoadUint32(&memory.open[p]); is > asked {
		atomic.CompareAndSwapUint32(&memory.open[p], is, is&asked)
	}
}

// wanted tells whether the outcome that did not come is still looked for, so
// that its distance is worth its price.
func wanted(p uint32, r bool) bool {
	return atomic.LoadUint64(&memory.slots[seenSlot(p, r)^1]) != Done
}

// T is a predicate of which nothing is known but its outcome.
func T(p uint32, v bool) bool {
	if O(p) {
		learn(p, v, 1)
	}
	return v
}
