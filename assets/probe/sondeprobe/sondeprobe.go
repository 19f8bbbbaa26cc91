// Package sondeprobe has the functions that the probes of a service call, and the memory to which
// they write. It is the third of four packages on the way from source to scores, which the comment
// of package probedata lists.
//
// In a service it is a package of the standard library. It has nothing to initialise, so that the
// service's packages are initialised in the same order as without it. It imports only sync/atomic and
// unsafe.
package sondeprobe

import (
	"sync/atomic"
	"unsafe"
)

// The shared file begins with a page that contains a Head. After it come two slots for each
// predicate, the pairs of operands and their number, an open word for each predicate, and a byte for
// each hit.
const (
	Magic   = 0x31424f5250444e53 // "SNDPROB1"
	Version = 3
)

// Head is the beginning of the shared file. Shift is the offset, within a page, of the part that
// follows the first page. Attached is how many processes have mapped the file.
type Head struct {
	Magic, Version, Build, Preds, Hits, Shift, Attached uint64
}

// Size is the size in bytes of the part after the first page and Shift.
const Size = 2*8*Preds + SizeOfPairs + 4*Preds + Hits

// SizeOfPairs is the size in bytes of the pairs and their number.
const SizeOfPairs = Pairs*(16+2*MaxText) + 8

// Margin is the free space before and after the probes' memory. It is at least the page size of any
// system, so that the pages of the memory contain nothing else.
const Margin = 1 << 16

// memory is what the probes write. It is a variable, so that a probe is a store to an address that
// the linker knows. To share it, the agent maps the shared file over its pages.
var memory struct {
	_     [Margin]byte
	slots [2 * Preds]uint64
	pairs [Pairs]Pair
	used  uint32 // number of pairs
	_     uint32
	open  [Preds]uint32
	hits  [Hits]byte
	_     [Margin]byte
}

// Memory returns the address at which the shared part of memory begins.
func Memory() uintptr { return uintptr(unsafe.Pointer(&memory.slots)) }

// Matches reports whether a file belongs to this build.
func (h *Head) Matches() bool {
	return h.Magic == Magic && h.Version == Version && h.Build == Build && h.Preds == Preds && h.Hits == Hits
}

// CopyHits copies the hits so far to the content of a file that is about to replace the memory.
func CopyHits(file []byte) {
	for i, hit := range memory.hits[:] {
		file[Size-Hits+i] |= hit
	}
}

// S sets a hit: a block was reached, or a statement with a call was completed.
//
//go:norace
func S(i uint32) {
	if ByRequest {
		hitByRequest(i)
	} else {
		memory.hits[i] = 1
	}
}

// R sets a hit after the evaluation of an expression, and returns its value v.
//
//go:norace
func R[T any](i uint32, v T) T {
	if ByRequest {
		hitByRequest(i)
	} else {
		memory.hits[i] = 1
	}
	return v
}

// RB is R for Boolean values. It needs no type parameters, which the language version of a file may lack.
//
//go:norace
func RB(i uint32, v bool) bool {
	if ByRequest {
		hitByRequest(i)
	} else {
		memory.hits[i] = 1
	}
	return v
}

// L is called after a loop. It sets a hit if the body of the loop was not entered.
//
//go:norace
func L(i uint32, entered bool) {
	if !entered {
		if ByRequest {
			hitByRequest(i)
		} else {
			memory.hits[i] = 1
		}
	}
}

// O reports whether a predicate is watched. Distances are computed only for watched predicates.
//
//go:norace
func O(p uint32) bool { return memory.open[p] != 0 }

// Done is the value of the slot of an outcome that occurred.
const Done = ^uint64(0)

// quality returns the value of a slot for a distance, in full precision. A smaller distance has a
// greater value. A distance that is not positive and finite counts as Far. The result is never 0,
// which is the value of a slot whose predicate was never evaluated.
func quality(d float64) uint64 {
	if !(d > 0 && d <= Far) {
		d = Far
	}
	return Done - 1 - *(*uint64)(unsafe.Pointer(&d))
}

// Far is the distance of values that cannot be compared.
const Far = 0x1p1023 * (1 + (1 - 0x1p-52))

// improve raises the value of a slot to q. It returns false if the value is not less than q. It is
// safe for concurrent use.
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

// Patience is the number of consecutive evaluations of a predicate without news after which the
// predicate is no longer watched. The upper half of its open word counts them. Sonde sets the word
// again before the next test.
//
// A predicate with that many evaluations in a test is usually in a hot loop, where distances take
// much more time than the loop itself. The drawback: the distances of later evaluations are not
// recorded, nor the outcomes of a branch without statements (an operand of && or ||, or a missing
// else). A distance that keeps falling is always news.
const Patience = 4096

// record records the outcome r of a predicate, and the distance d of the other outcome. It reports
// whether that is news.
func record(p uint32, r bool, d float64) bool {
	q := quality(d)
	if !isNews(p, r, q) {
		countWithoutNews(p)
		return false
	}
	set(p, r, q)
	return true
}

// isNews reports whether the outcome r of a predicate is new, or the value q of the other outcome's
// slot is higher than the recorded one.
func isNews(p uint32, r bool, q uint64) bool {
	slot := slotOf(p, r)
	if ByRequest {
		return memory.slots[slot] == 0
	}
	return memory.slots[slot] != Done || q > memory.slots[slot^1]
}

// slotOf returns the index of the slot of the outcome r. The slot of the other outcome has the
// index slotOf(p, r)^1.
func slotOf(p uint32, r bool) uint32 {
	if r {
		return 2 * p
	}
	return 2*p + 1
}

// set records the outcome r of a predicate, and the value q of the other outcome's slot. When both
// outcomes have occurred, the predicate is no longer watched.
//
//go:noinline
func set(p uint32, r bool, q uint64) {
	if ByRequest {
		setByRequest(p, r)
		return
	}
	slot := slotOf(p, r)
	improve(slot, Done)
	improve(slot^1, q)
	if atomic.LoadUint64(&memory.slots[slot^1]) == Done {
		atomic.StoreUint32(&memory.open[p], 0)
	} else {
		resetCount(p)
	}
}

// The lower half of an open word says what is recorded (see Open). The upper half counts evaluations
// (see Patience).
const (
	stateMask = 0xffff
	countUnit = stateMask + 1
)

// countWithoutNews counts an evaluation of a predicate that brought no news. After Patience such evaluations in
// a row, the predicate is no longer watched. If several evaluations run at the same time, it may count only
// some of them.
func countWithoutNews(p uint32) {
	old := atomic.LoadUint32(&memory.open[p])
	next := old + countUnit
	if old == 0 || next >= Patience*countUnit {
		next = 0
	}
	atomic.CompareAndSwapUint32(&memory.open[p], old, next)
}

// resetCount sets the count of countWithoutNews to 0.
func resetCount(p uint32) {
	if old := atomic.LoadUint32(&memory.open[p]); old > stateMask {
		atomic.CompareAndSwapUint32(&memory.open[p], old, old&stateMask)
	}
}

// isDistanceNeeded reports whether the outcome other than r has not occurred yet, so that its distance is needed.
func isDistanceNeeded(p uint32, r bool) bool {
	return !ByRequest && atomic.LoadUint64(&memory.slots[slotOf(p, r)^1]) != Done
}

// T records the outcome of a predicate that has no distance.
func T(p uint32, v bool) bool {
	if O(p) {
		record(p, v, 1)
	}
	return v
}
