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

// maxKeys is how many keys of a map are compared. Of a larger map they would be
// others each time.
const maxKeys = 256

// KeyI is the key that is looked up in a map: how far it is from the nearest.
func KeyI[K Signed, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, func(a, b K) float64 { return gapI(int64(a), int64(b)) })
	}
	return k
}

// KeyU is KeyI for unsigned integers.
func KeyU[K Unsigned, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, func(a, b K) float64 { return gapU(uint64(a), uint64(b)) })
	}
	return k
}

// KeyS is KeyI for strings.
func KeyS[K ~string, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, func(a, b K) float64 { return aligned(string(a), string(b)) })
	}
	return k
}

func look[K comparable, V any](p uint32, m map[K]V, k K, gap func(a, b K) float64) {
	_, r := m[k]
	d := Far
	switch {
	case r:
		d = 1
	case len(m) <= maxKeys && wanted(p, r):
		for key := range m {
			d = min(d, gap(k, key))
		}
	}
	learn(p, r, d)
}
