package sondeprobe

import "sync/atomic"

// If ByRequest is true, only goroutines that work for a request write to the memory: a hit, and the slot of an outcome that
// occurred, has the tag of the first request that reached it. There are no distances.

// UnknownRequest is the tag of all requests of a service whose goroutines are not known to work for one.
const UnknownRequest = 255

// RequestTag returns the tag of the request that the goroutine works for, a number from 1 to 254, or UnknownRequest. It returns
// 0 if the goroutine works for no request that is being answered. RequestTag is nil until the agent of a build with ByRequest
// has set it.
var RequestTag func() uint8

// hitByRequest sets a hit, unless it is set already or the goroutine works for no request.
//
//go:norace
func hitByRequest(i uint32) {
	if memory.hits[i] != 0 {
		return
	}
	if tag := requestTag(); tag != 0 {
		memory.hits[i] = tag
	}
}

// requestTag calls RequestTag. It returns 0 until the agent has set RequestTag: before, the service works for no
// request.
//
//go:noinline
//go:norace
func requestTag() uint8 {
	if RequestTag == nil {
		return 0
	}
	return RequestTag()
}

// setByRequest records the outcome r of a predicate. When both outcomes have occurred, the predicate is no longer watched.
func setByRequest(p uint32, r bool) {
	tag := requestTag()
	if tag == 0 {
		countWithoutNews(p)
		return
	}
	slot := slotOf(p, r)
	atomic.CompareAndSwapUint64(&memory.slots[slot], 0, uint64(tag))
	if atomic.LoadUint64(&memory.slots[slot^1]) != 0 {
		atomic.StoreUint32(&memory.open[p], 0)
	} else {
		resetCount(p)
	}
}

// recordCaseByRequest records which case is chosen. When all cases have been chosen, the predicate is no longer watched.
func recordCaseByRequest[V comparable](p uint32, cases []V, v V) {
	tag := requestTag()
	allDone, isNew := true, false
	for k, c := range cases {
		slot := &memory.slots[2*p+uint32(k)]
		if c == v && tag != 0 {
			isNew = atomic.CompareAndSwapUint64(slot, 0, uint64(tag)) || isNew
		}
		allDone = allDone && atomic.LoadUint64(slot) != 0
	}
	switch {
	case allDone:
		atomic.StoreUint32(&memory.open[p], 0)
	case isNew:
		resetCount(p)
	default:
		countWithoutNews(p)
	}
}
