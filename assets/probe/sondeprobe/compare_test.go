package sondeprobe

import (
	"cmp"
	"math"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// resetMemory clears the memory and watches predicate 0.
func resetMemory() {
	clear(memory.slots[:])
	clear(memory.hits[:])
	clear(memory.open[:])
	memory.used = 0
	memory.open[0] = 1
}

// distance returns the distance in a slot, NaN if it has none.
func distance(slot uint64) float64 {
	if slot == 0 || slot == Done {
		return math.NaN()
	}
	bits := Done - 1 - slot
	return *(*float64)(unsafe.Pointer(&bits))
}

// wantOutcome returns the result of a comparison.
func wantOutcome[T cmp.Ordered](op uint32, a, b T) bool {
	return map[uint32]bool{Eq: a == b, Ne: a != b, Lt: a < b, Le: a <= b, Gt: a > b, Ge: a >= b}[op]
}

// Each comparison has the result of Go's operator. It covers that outcome, and gives the other outcome a
// distance greater than 0.
func TestCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom([]uint32{Eq, Ne, Lt, Le, Gt, Ge}).Draw(t, "op")
		check := func(kind string, got, want bool) {
			slot, other := memory.slots[0], memory.slots[1]
			if !want {
				slot, other = other, slot
			}
			if got != want || slot != Done || !(distance(other) > 0) {
				t.Fatalf("%s: got %v, want %v; slots %x and %x", kind, got, want, slot, other)
			}
			resetMemory()
		}
		resetMemory()
		i, j := rapid.Int64().Draw(t, "i"), rapid.Int64().Draw(t, "j")
		check("I", I(0, op, i, j), wantOutcome(op, i, j))
		check("U", U(0, op, uint64(i), uint64(j)), wantOutcome(op, uint64(i), uint64(j)))
		x, y := rapid.Float64().Draw(t, "x"), rapid.SampledFrom([]float64{
			0, 1.5, math.NaN(), math.Inf(1), math.Inf(-1), -math.MaxFloat64,
		}).Draw(t, "y")
		check("F", F(0, op, x, y), wantOutcome(op, x, y))
		check("N", N(0, op, float32(x), float32(y)), wantOutcome(op, float32(x), float32(y)))
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		check("Text", Text(0, op, a, b), wantOutcome(op, a, b))
		check("same text", Text(0, op, a, a), wantOutcome(op, a, a))
		check("HasPrefix", P(0, HasPrefix, strings.HasPrefix, a, b), strings.HasPrefix(a, b))
		check("HasSuffix", P(0, HasSuffix, strings.HasSuffix, a, b), strings.HasSuffix(a, b))
		check("Contains", P(0, Contains, strings.Contains, a, b), strings.Contains(a, b))
		check("EqualFold", P(0, EqualFold, strings.EqualFold, a, b), strings.EqualFold(a, b))
	})
}

// A nearer number has a smaller distance, also if both numbers are large.
func TestNearerNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		goal := rapid.Int64Range(-1<<52, 1<<52).Draw(t, "goal")
		gap := rapid.Int64Range(2, 1<<52).Draw(t, "gap")
		step := func(d int64) uint64 {
			resetMemory()
			I(0, Eq, goal+d, goal)
			return memory.slots[0]
		}
		if far, near := step(gap), step(gap-1); far >= near {
			t.Fatalf("%d from %d: %x, one nearer: %x", gap, goal, far, near)
		}
	})
}

// A text comes nearer to a goal when its first wrong byte is corrected, both for order and for equality.
func TestNearerText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		goal := rapid.StringMatching(`[b-y]{1,20}`).Draw(t, "goal")
		at := rapid.IntRange(0, len(goal)-1).Draw(t, "at")
		far := goal[:at] + "z" + strings.Repeat("z", len(goal)-at-1)
		near := goal[:at+1] + strings.Repeat("z", len(goal)-at-1)
		for _, op := range []uint32{Eq, Lt} {
			step := func(s string) uint64 {
				resetMemory()
				Text(0, op, s, goal)
				return memory.slots[0]
			}
			if a, b := step(far), step(near); a >= b && b != Done {
				t.Fatalf("operator %d, %q: %q %x, %q %x", op, goal, far, a, near, b)
			}
		}
	})
}

// A predicate is no longer watched after both of its outcomes have occurred.
func TestCompleteProbeIsClosed(t *testing.T) {
	resetMemory()
	I(0, Lt, 1, 2)
	if !O(0) {
		t.Error("closed with one outcome open")
	}
	I(0, Lt, 2, 1)
	if O(0) {
		t.Error("still open")
	}
	resetMemory()
	for _, v := range []int{1, 5, -3} {
		if SwI(0, 0, v) != v || v != -3 && !O(0) {
			t.Errorf("case %d", v)
		}
	}
	if O(0) {
		t.Error("still open after all cases occurred")
	}
}

// A large map records only whether it has the key, and no distance.
func TestLargeMap(t *testing.T) {
	m := map[int]bool{}
	for i := range maxKeys + 1 {
		m[i] = true
	}
	resetMemory()
	KeyI(0, m, -1)
	if d := distance(memory.slots[0]); d != Far {
		t.Errorf("distance %v", d)
	}
	delete(m, maxKeys)
	resetMemory()
	KeyI(0, m, -1)
	if d := distance(memory.slots[0]); d != 1 {
		t.Errorf("distance %v", d)
	}
}

// Matches accepts only the file of this build. CopyHits copies to the file all hits that are set.
func TestHead(t *testing.T) {
	h := Head{Magic: Magic, Version: Version, Build: Build + 1, Preds: Preds, Hits: Hits}
	if h.Matches() {
		t.Error("the file of another build matches")
	}
	if h.Build = Build; !h.Matches() {
		t.Error("the file of this build does not")
	}
	resetMemory()
	S(3)
	file := make([]byte, Size)
	file[Size-Hits+5] = 1
	if CopyHits(file); file[Size-Hits+3] != 1 || file[Size-Hits+5] != 1 || file[Size-Hits+4] != 0 {
		t.Errorf("hits: %v", file[Size-Hits:])
	}
}

// A predicate without news is no longer watched after Patience evaluations. A predicate whose distance keeps
// falling stays watched.
func TestPatience(t *testing.T) {
	for kind, probe := range map[string]func(v int64) bool{
		"number": func(v int64) bool { return I(0, Eq, v, -1) },
		"text":   func(v int64) bool { return Text(0, Eq, strings.Repeat("a", int(v)), "b") },
		"switch": func(v int64) bool { return SwI(0, 0, v+6) < 0 },
	} {
		resetMemory()
		for v := int64(2 * Patience); v > 2; v-- {
			probe(v)
		}
		if !O(0) {
			t.Errorf("%s: no longer watched although its distance fell", kind)
		}
		for range Patience - 1 {
			probe(500)
		}
		if !O(0) {
			t.Errorf("%s: no longer watched before Patience evaluations", kind)
		}
		if probe(500); O(0) {
			t.Errorf("%s: still watched after Patience evaluations", kind)
		}
	}
}
