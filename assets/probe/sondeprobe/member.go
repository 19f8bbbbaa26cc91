package sondeprobe

// maxKeys is how many keys of a map, or elements of a list, are compared. Of a
// larger map they would be others each time.
const maxKeys = 256

// KeyI is the key that is looked up in a map: how far it is from the nearest.
func KeyI[K Signed, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, always, gapOfI)
	}
	return k
}

// KeyU is KeyI for unsigned integers.
func KeyU[K Unsigned, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, always, gapOfU)
	}
	return k
}

// KeyS is KeyI for strings.
func KeyS[K ~string, V any, M ~map[K]V](p uint32, m M, k K) K {
	if O(p) {
		look(p, m, k, always, gapOfS)
	}
	return k
}

// TrueI is what a map says of a key: how far it is from the nearest that is true.
func TrueI[K Signed, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		look(p, m, k, itself, gapOfI)
	}
	return m[k]
}

// TrueU is TrueI for unsigned integers.
func TrueU[K Unsigned, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		look(p, m, k, itself, gapOfU)
	}
	return m[k]
}

// TrueS is TrueI for strings.
func TrueS[K ~string, M ~map[K]bool](p uint32, m M, k K) bool {
	if O(p) {
		look(p, m, k, itself, gapOfS)
	}
	return m[k]
}

func always[V any](V) bool { return true }

func itself(v bool) bool { return v }

func look[K comparable, V any](p uint32, m map[K]V, k K, has func(V) bool, gap func(a, b K) float64) {
	v, r := m[k]
	r = r && has(v)
	d := Far
	switch {
	case r:
		d = 1
	case len(m) <= maxKeys && wanted(p, r):
		for key, v := range m {
			if has(v) {
				d = min(d, gap(k, key))
			}
		}
	}
	learn(p, r, d)
}

// InI looks for an integer in a list: how far it is from the nearest there.
func InI[S ~[]E, E Signed](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		among(p, r, list, v, gapOfI)
	}
	return r
}

// InU is InI for unsigned integers.
func InU[S ~[]E, E Unsigned](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		among(p, r, list, v, gapOfU)
	}
	return r
}

// InS is InI for strings.
func InS[S ~[]E, E ~string](p uint32, contains func(S, E) bool, list S, v E) bool {
	r := contains(list, v)
	if O(p) {
		among(p, r, list, v, gapOfS)
	}
	return r
}

func among[E any](p uint32, r bool, list []E, v E, gap func(a, b E) float64) {
	d := Far
	switch {
	case r:
		d = 1
	case wanted(p, r):
		for _, e := range list[:min(len(list), maxKeys)] {
			d = min(d, gap(v, e))
		}
	}
	learn(p, r, d)
}

func gapOfI[K Signed](a, b K) float64 { return gapI(int64(a), int64(b)) }

func gapOfU[K Unsigned](a, b K) float64 { return gapU(uint64(a), uint64(b)) }

func gapOfS[K ~string](a, b K) float64 { return aligned(string(a), string(b)) }
