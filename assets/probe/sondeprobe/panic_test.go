package sondeprobe

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// checkPanicPath checks that the slot of a panic rises with each step of a path, and that only the last step covers it.
func checkPanicPath[V any](t *testing.T, kind string, draw func(t *rapid.T) (steps []V, probe func(v V))) {
	t.Run(kind, rapid.MakeCheck(func(t *rapid.T) {
		steps, probe := draw(t)
		last := uint64(0)
		for i, v := range steps {
			resetMemory()
			probe(v)
			if slot := memory.slots[1]; slot <= last || (slot == Done) != (i == len(steps)-1) {
				t.Fatalf("step %d of %v: slot %x after %x", i, steps, slot, last)
			}
			last = memory.slots[1]
		}
	}))
}

func TestPanicPaths(t *testing.T) {
	length := func(t *rapid.T) int { return rapid.IntRange(10, 1<<30).Draw(t, "length") }
	checkPanicPath(t, "index", func(t *rapid.T) ([]int, func(int)) {
		n := length(t)
		return []int{0, n / 2, n - 2, n - 1, n}, func(i int) { At(0, i, n) }
	})
	checkPanicPath(t, "index of another type", func(t *rapid.T) ([]uint16, func(uint16)) {
		n := uint16(rapid.IntRange(10, 1<<15).Draw(t, "length"))
		return []uint16{0, n / 2, n - 2, n - 1, n}, func(i uint16) { AtN(0, i, int(n)) }
	})
	checkPanicPath(t, "bound", func(t *rapid.T) ([]int, func(int)) {
		n := rapid.IntRange(10, 1000).Draw(t, "length")
		list := make([]int, n/2, n)
		return []int{0, n - 1, n, n + 1}, func(i int) { Elem(0, list, i, Bound|ToCapacity) }
	})
	checkPanicPath(t, "length", func(t *rapid.T) ([]int, func(int)) {
		i := length(t)
		return []int{math.MaxInt, i + 5, i + 2, i + 1, i}, func(n int) { AtFixed(0, i, n, true) }
	})
	checkPanicPath(t, "text", func(*rapid.T) ([]string, func(string)) {
		return []string{"abcdef", "abcd", "abc", "ab", "a"}, func(s string) { Char(0, s, 2, Fixed|Bound) }
	})
	checkPanicPath(t, "divisor", func(*rapid.T) ([]int8, func(int8)) {
		return []int8{-128, 127, -5, 3, 1, 0}, func(v int8) { DividedBy(0, v) }
	})
	checkPanicPath(t, "unsigned divisor", func(*rapid.T) ([]uint64, func(uint64)) {
		return []uint64{math.MaxUint64, 1 << 40, 5, 0}, func(v uint64) { Divisor(0, v) }
	})
	checkPanicPath(t, "pointer", func(*rapid.T) ([]*int, func(*int)) {
		return []*int{new(int), nil}, func(v *int) { Pointer(0, v) }
	})
	checkPanicPath(t, "map", func(*rapid.T) ([]map[string]int, func(map[string]int)) {
		return []map[string]int{{}, nil}, func(v map[string]int) { Map(0, v) }
	})
	checkPanicPath(t, "type", func(*rapid.T) ([]any, func(any)) {
		return []any{"text", 3}, func(v any) { As[string](0, v) }
	})
}

// For an operation that panics, the distance from not panicking falls as an index comes nearer to its range. It also
// falls from nil to a value of another type.
func TestNoPanicPaths(t *testing.T) {
	checkPath(t, "index", func(t *rapid.T) ([]int, func(int) bool) {
		n := rapid.IntRange(3, 1<<30).Draw(t, "length")
		return []int{math.MaxInt, n + n, -2, n, n - 1}, func(i int) bool { At(0, i, n); return i >= 0 && i < n }
	})
	checkPath(t, "type", func(*rapid.T) ([]any, func(any) bool) {
		return []any{nil, 3, "text"}, func(v any) bool { _, is := As[string](0, v).(string); return is }
	})
}

// A probe does not change the operand of the service: the probe returns the operand itself, or 0, which the service
// adds to the operand.
func TestPanicProbesKeepOperands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resetMemory()
		i, n, u := rapid.Int().Draw(t, "index"), rapid.IntRange(0, 100).Draw(t, "length"), rapid.Uint64().Draw(t, "unsigned")
		list, text := make([]int, n), string(make([]byte, n))
		if At(0, i, n) != 0 || AtN(0, u, n) != 0 || AtFixed(0, i, n, true) != 0 || Divisor(0, u) != 0 {
			t.Error("a term is not 0")
		}
		if InRange(0, u, n) != u || len(Elem(0, list, i, 0)) != n || Char(0, text, i, Bound) != text || DividedBy(0, i) != i {
			t.Error("an operand was changed")
		}
	})
}
