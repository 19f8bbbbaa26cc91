package sondeprobe

import "sync/atomic"

// Signed and Unsigned are the integers.
type (
	Signed interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64
	}
	Unsigned interface {
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
	}
)

// SwI is the tag of a switch over signed integers: table t holds the constants
// of its cases, whose slots begin at 2*p.
func SwI[T Signed](p, t uint32, v T) T {
	if O(p) {
		choose(p, ints[t], int64(v), gapI)
	}
	return v
}

// SwU is SwI for unsigned integers.
func SwU[T Unsigned](p, t uint32, v T) T {
	if O(p) {
		choose(p, uints[t], uint64(v), gapU)
	}
	return v
}

// SwS is SwI for strings.
func SwS[T ~string](p, t uint32, v T) T {
	if O(p) {
		choose(p, texts[t], string(v), aligned)
	}
	return v
}

// choose records which case comes, and how far away the others are.
func choose[V comparable](p uint32, cases []V, v V, gap func(a, b V) float64) {
	all := true
	for k, c := range cases {
		i := 2*p + uint32(k)
		switch {
		case c == v:
			improve(i, Done)
		case atomic.LoadUint64(&memory.slots[i]) != Done:
			improve(i, quality(gap(v, c)))
			all = false
		}
	}
	if all {
		atomic.StoreUint32(&memory.open[p], 0)
	}
}
