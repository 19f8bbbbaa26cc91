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
// predicates and hits, and how many processes share it. Behind it stand two
// slots for each predicate, its open word, and a byte for each hit.
const (
	Magic   = 0x31424f5250444e53 // "SNDPROB1"
	Version = 1
	Page    = 4096
)

// Head is the first page of the shared file.
type Head struct {
	Magic, Version, Build, Preds, Hits, Attached uint64
}

// Size is the length of the shared file.
const Size = Page + 2*8*Preds + 4*Preds + Hits

// Until the agent shares them, the probes write where nobody looks.
var (
	ownSlots [2 * Preds]uint64
	ownOpen  [Preds]uint32
	ownHits  [Hits]byte

	slots = &ownSlots
	open  = &ownOpen
	hits  = &ownHits
)

// Share lets the probes use a shared file from now on, if it is one of this
// build. What they have seen in the service's initialisation goes with them.
func Share(p unsafe.Pointer) bool {
	h := (*Head)(p)
	if h.Magic != Magic || h.Version != Version || h.Build != Build || h.Preds != Preds || h.Hits != Hits {
		return false
	}
	atomic.AddUint64(&h.Attached, 1)
	s := (*[2 * Preds]uint64)(unsafe.Add(p, Page))
	o := (*[Preds]uint32)(unsafe.Add(p, Page+2*8*Preds))
	b := (*[Hits]byte)(unsafe.Add(p, Page+2*8*Preds+4*Preds))
	for i, seen := range ownHits {
		b[i] |= seen
	}
	slots, open, hits = s, o, b
	return true
}

// S tells that a place was reached: a block, or the end of a statement that calls.
//
//go:norace
func S(i uint32) { hits[i] = 1 }

// R is S on the way of a value.
//
//go:norace
func R[T any](i uint32, v T) T { hits[i] = 1; return v }

// RB is R for files whose language has no type parameters.
//
//go:norace
func RB(i uint32, v bool) bool { hits[i] = 1; return v }

// L tells, behind a loop, that it was skipped if its body was not entered.
//
//go:norace
func L(i uint32, entered bool) {
	if !entered {
		hits[i] = 1
	}
}

// O tells whether there is anything still to learn of a predicate. It is only
// then that distances are computed.
//
//go:norace
func O(p uint32) bool { return open[p] != 0 }

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

// improve raises a slot, whoever else does at the same time.
func improve(i uint32, q uint64) {
	for {
		old := atomic.LoadUint64(&slots[i])
		if q <= old || atomic.CompareAndSwapUint64(&slots[i], old, q) {
			return
		}
	}
}

// set records an outcome of a predicate, and how far away the other one was.
//
//go:noinline
func set(p uint32, r bool, d float64) {
	seen, other := 2*p, 2*p+1
	if !r {
		seen, other = other, seen
	}
	improve(seen, Done)
	improve(other, quality(d))
	if atomic.LoadUint64(&slots[other]) == Done {
		atomic.StoreUint32(&open[p], 0)
	}
}

// wanted tells whether the outcome that did not come is still looked for, so
// that its distance is worth its price.
func wanted(p uint32, r bool) bool {
	other := 2 * p
	if r {
		other++
	}
	return atomic.LoadUint64(&slots[other]) != Done
}

// T is a predicate of which nothing is known but its outcome.
func T(p uint32, v bool) bool {
	if O(p) {
		set(p, v, 1)
	}
	return v
}
