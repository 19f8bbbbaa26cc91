package sondeprobe

// maxKeys is the maximum number of map keys, or elements of a slice, that are compared. A larger map gets
// no distance, because the first keys of a range would differ each time.
const maxKeys = 256

// Keyed is any type of keys and elements that has distances.
type Keyed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~string
}

// KeyI records whether a map has the key k, and returns k. The distance is that of the nearest key.
func KeyI[K Signed, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, always, gapOfI, tellI)
	}
	return k
}

// KeyU is KeyI for unsigned integers.
func KeyU[K Unsigned, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, always, gapOfU, tellU)
	}
	return k
}

// KeyS is KeyI for strings.
func KeyS[K ~string, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, always, gapOfS, tellS)
	}
	return k
}

// TrueI records the value of the key k in a map of Booleans, and returns it. The distance is that
// of the nearest key whose value is true.
func TrueI[K Signed, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		look(p, m, k, itself, gapOfI, tellI)
	}
	return m[k]
}

// TrueU is TrueI for unsigned integers.
func TrueU[K Unsigned, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		look(p, m, k, itself, gapOfU, tellU)
	}
	return m[k]
}

// TrueS is TrueI for strings.
func TrueS[K ~string, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		look(p, m, k, itself, gapOfS, tellS)
	}
	return m[k]
}

func always[V any](V) bool { return true }

func itself(v bool) bool { return v }

func look[K Keyed, V any](p uint32, m map[K]V, k K, has func(V) bool, gap func(a, b K) float64, tell func(at *Pair, p uint32, a, b K)) {
	v, r := m[k]
	r = r && has(v)
	d, next := Far, k
	switch {
	case r:
		d = 1
	case len(m) <= maxKeys && wanted(p, r):
		for key, v := range m {
			if !has(v) {
				continue
			}
			// Of several nearest keys take the smallest, because a map has no order.
			if g := gap(k, key); g < d || g == d && key < next {
				d, next = g, key
			}
		}
	}
	if learn(p, r, d) && d < Far {
		tell(pairOf(p), p, k, next)
	}
}

// InI calls slices.Contains for integers. The distance is that of the nearest element.
func InI[S ~[]E, E Signed](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		among(p, r, list, v, gapOfI, tellI)
	}
	return r
}

// InU is InI for unsigned integers.
func InU[S ~[]E, E Unsigned](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		among(p, r, list, v, gapOfU, tellU)
	}
	return r
}

// InS is InI for strings.
func InS[S ~[]E, E ~string](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		among(p, r, list, v, gapOfS, tellS)
	}
	return r
}

func among[E Keyed](p uint32, r bool, list []E, v E, gap func(a, b E) float64, tell func(at *Pair, p uint32, a, b E)) {
	d, next := Far, v
	switch {
	case r:
		d = 1
	case wanted(p, r):
		for _, e := range list[:min(len(list), maxKeys)] {
			if g := gap(v, e); g < d {
				d, next = g, e
			}
		}
	}
	if learn(p, r, d) && d < Far {
		tell(pairOf(p), p, v, next)
		for _, e := range list[:min(len(list), maxTold)] {
			if e != next {
				tell(another(p), p, v, e)
			}
		}
	}
}

// maxTold is the maximum number of elements of a slice that are recorded besides the nearest one. They are
// recorded because each may lead to another branch.
const maxTold = 8

func gapOfI[K Signed](a, b K) float64 { return gapI(int64(a), int64(b)) }

func gapOfU[K Unsigned](a, b K) float64 { return gapU(uint64(a), uint64(b)) }

func gapOfS[K ~string](a, b K) float64 { return aligned(string(a), string(b)) }

func tellI[K Signed](at *Pair, p uint32, a, b K) {
	at.bits(p, Ints, Eq, uint64(int64(a)), uint64(int64(b)))
}

func tellU[K Unsigned](at *Pair, p uint32, a, b K) { at.bits(p, Uints, Eq, uint64(a), uint64(b)) }

func tellS[K ~string](at *Pair, p uint32, a, b K) { at.texts(p, Eq, string(a), string(b)) }
