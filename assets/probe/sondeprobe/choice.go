package sondeprobe

import "sync/atomic"

type (
	// Signed is any signed integer type.
	Signed interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64
	}
	// Unsigned is any unsigned integer type.
	Unsigned interface {
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
	}
)

// SwI records the tag v of a switch over signed integers, and returns it. Row t of ints has the
// constants of the cases. The slots of the cases begin at index 2*p.
func SwI[T Signed](p, t uint32, v T) T {
	if O(p) {
		if recordCase(p, ints[t], int64(v), gapI) {
			pairOf(p).recordNumbers(p, Ints, Tag, uint64(v), 0)
		}
	}
	return v
}

// SwU is SwI for unsigned integers.
func SwU[T Unsigned](p, t uint32, v T) T {
	if O(p) {
		if recordCase(p, uints[t], uint64(v), gapU) {
			pairOf(p).recordNumbers(p, Uints, Tag, uint64(v), 0)
		}
	}
	return v
}

// SwS is SwI for strings.
func SwS[T ~string](p, t uint32, v T) T {
	if O(p) {
		if recordCase(p, texts[t], string(v), equalDistance) {
			pairOf(p).recordTexts(p, Tag, string(v), "")
		}
	}
	return v
}

// recordCase records which case is chosen, and the distances of the other cases. It reports whether one
// of the distances became smaller.
func recordCase[V comparable](p uint32, cases []V, v V, gap func(a, b V) float64) (nearer bool) {
	if ByRequest {
		recordCaseByRequest(p, cases, v)
		return false
	}
	allDone, isNew := true, false
	for k, c := range cases {
		i := 2*p + uint32(k)
		switch {
		case c == v:
			isNew = improve(i, Done) || isNew
		case atomic.LoadUint64(&memory.slots[i]) != Done:
			nearer = improve(i, quality(gap(v, c))) || nearer
			allDone = false
		}
	}
	switch {
	case allDone:
		atomic.StoreUint32(&memory.open[p], 0)
	case isNew || nearer:
		resetCount(p)
	default:
		countWithoutNews(p)
	}
	return nearer
}
