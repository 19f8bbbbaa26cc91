package sondeprobe

// maxKeys is the maximum number of map keys, or elements of a slice, that are compared. A larger map gets no
// distance, because Go would visit other keys first each time.
const maxKeys = 256

// Keyed is any type of keys and elements that has distances.
type Keyed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~string
}

// KeyI records whether a map has the key k, and returns k. The distance is that of the nearest key.
func KeyI[K Signed, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		recordKey(p, m, k, anyValue, gapKeysI, recordI)
	}
	return k
}

// KeyU is KeyI for unsigned integers.
func KeyU[K Unsigned, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		recordKey(p, m, k, anyValue, gapKeysU, recordU)
	}
	return k
}

// KeyS is KeyI for strings.
func KeyS[K ~string, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		recordKey(p, m, k, anyValue, gapKeysS, recordS)
	}
	return k
}

// TrueI records the value of the key k in a map of Booleans, and returns it. The distance is that
// of the nearest key whose value is true.
func TrueI[K Signed, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		recordKey(p, m, k, isTrue, gapKeysI, recordI)
	}
	return m[k]
}

// TrueU is TrueI for unsigned integers.
func TrueU[K Unsigned, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		recordKey(p, m, k, isTrue, gapKeysU, recordU)
	}
	return m[k]
}

// TrueS is TrueI for strings.
func TrueS[K ~string, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		recordKey(p, m, k, isTrue, gapKeysS, recordS)
	}
	return m[k]
}

func anyValue[V any](V) bool { return true }

func isTrue(v bool) bool { return v }

func recordKey[K Keyed, V any](
	p uint32, m map[K]V, k K, isMember func(V) bool,
	gap func(a, b K) float64, recordPair func(pair *Pair, p uint32, a, b K),
) {
	v, r := m[k]
	r = r && isMember(v)
	d, nearest := Far, k
	switch {
	case r:
		d = 1
	case len(m) <= maxKeys && isDistanceNeeded(p, r):
		for key, v := range m {
			if !isMember(v) {
				continue
			}
			// Of several nearest keys take the smallest, because a map has no order.
			if g := gap(k, key); g < d || g == d && key < nearest {
				d, nearest = g, key
			}
		}
	}
	if record(p, r, d) && d < Far {
		recordPair(pairOf(p), p, k, nearest)
	}
}

// InI calls slices.Contains for integers. The distance is that of the nearest element.
func InI[S ~[]E, E Signed](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		recordElement(p, r, list, v, gapKeysI, recordI)
	}
	return r
}

// InU is InI for unsigned integers.
func InU[S ~[]E, E Unsigned](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		recordElement(p, r, list, v, gapKeysU, recordU)
	}
	return r
}

// InS is InI for strings.
func InS[S ~[]E, E ~string](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		recordElement(p, r, list, v, gapKeysS, recordS)
	}
	return r
}

func recordElement[E Keyed](
	p uint32, r bool, list []E, v E, gap func(a, b E) float64, recordPair func(pair *Pair, p uint32, a, b E),
) {
	d, nearest := Far, v
	switch {
	case r:
		d = 1
	case isDistanceNeeded(p, r):
		for _, e := range list[:min(len(list), maxKeys)] {
			if g := gap(v, e); g < d {
				d, nearest = g, e
			}
		}
	}
	if record(p, r, d) && d < Far {
		recordPair(pairOf(p), p, v, nearest)
		for _, e := range list[:min(len(list), maxOthers)] {
			if e != nearest {
				recordPair(extraPair(p), p, v, e)
			}
		}
	}
}

// maxOthers is the maximum number of elements of a slice that are recorded besides the nearest one. They are
// recorded because each may lead to another branch.
const maxOthers = 8

func gapKeysI[K Signed](a, b K) float64 { return gapI(int64(a), int64(b)) }

func gapKeysU[K Unsigned](a, b K) float64 { return gapU(uint64(a), uint64(b)) }

func gapKeysS[K ~string](a, b K) float64 { return equalDistance(string(a), string(b)) }

func recordI[K Signed](pair *Pair, p uint32, a, b K) {
	pair.recordNumbers(p, Ints, Eq, uint64(int64(a)), uint64(int64(b)))
}

func recordU[K Unsigned](pair *Pair, p uint32, a, b K) {
	pair.recordNumbers(p, Uints, Eq, uint64(a), uint64(b))
}

func recordS[K ~string](pair *Pair, p uint32, a, b K) { pair.recordTexts(p, Eq, string(a), string(b)) }
