package sondeprobe

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// path draws steps of an operand that come nearer and nearer to making a predicate true. With the last step,
// the predicate is true.
type path[V any] func(t *rapid.T) (steps []V, probe func(v V) bool)

// checkPath checks that the slot of a predicate's true outcome rises with each step of a path, and that
// only the last step covers it.
func checkPath[V any](t *testing.T, kind string, draw path[V]) {
	t.Run(kind, rapid.MakeCheck(func(t *rapid.T) {
		steps, probe := draw(t)
		last := uint64(0)
		for i, v := range steps {
			resetMemory()
			isCovered := probe(v)
			slot := memory.slots[0]
			if isCovered != (i == len(steps)-1) || isCovered != (slot == Done) || slot <= last {
				t.Fatalf("step %d of %v: %t, slot %x after %x", i, steps, isCovered, slot, last)
			}
			last = slot
		}
	}))
}

// nearingNumbers returns numbers that come nearer to a goal.
func nearingNumbers[T Number](_ *rapid.T, goal, far T, op uint32) []T {
	steps := []T{far, far / 2, goal + 3, goal + 2, goal + 1, goal, goal - 1}
	if op == Gt || op == Ge {
		steps = []T{goal - 3, goal - 2, goal - 1, goal, goal + 1}
	}
	n := len(steps)
	switch op {
	case Eq, Le, Ge:
		return steps[:n-1]
	case Ne:
		return steps[n-2:]
	}
	return steps
}

func operator(t *rapid.T) uint32 {
	return rapid.SampledFrom([]uint32{Eq, Ne, Lt, Le, Gt, Ge}).Draw(t, "operator")
}

func TestNumberPaths(t *testing.T) {
	checkPath(t, "signed", func(t *rapid.T) ([]int64, func(int64) bool) {
		op, goal := operator(t), rapid.Int64Range(-1<<40, 1<<40).Draw(t, "goal")
		return nearingNumbers(t, goal, 1<<50, op), func(v int64) bool { return I(0, op, v, goal) }
	})
	checkPath(t, "unsigned", func(t *rapid.T) ([]uint64, func(uint64) bool) {
		op, goal := operator(t), rapid.Uint64Range(3, 1<<40).Draw(t, "goal")
		return nearingNumbers(t, goal, 1<<50, op), func(v uint64) bool { return U(0, op, v, goal) }
	})
	checkPath(t, "floating", func(t *rapid.T) ([]float64, func(float64) bool) {
		op, goal := operator(t), float64(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "goal"))/8
		return nearingNumbers(t, goal, 1e300, op), func(v float64) bool { return F(0, op, v, goal) }
	})
	checkPath(t, "parameter", func(t *rapid.T) ([]int16, func(int16) bool) {
		op, goal := operator(t), rapid.Int16Range(-8000, 8000).Draw(t, "goal")
		return nearingNumbers(t, goal, 32_000, op), func(v int16) bool { return N(0, op, v, goal) }
	})
	checkPath(t, "ordered", func(t *rapid.T) ([]int, func(int) bool) {
		op, goal := operator(t), rapid.IntRange(-8000, 8000).Draw(t, "goal")
		return nearingNumbers(t, goal, 1<<50, op), func(v int) bool { return Ordered(0, op, v, goal) }
	})
	checkPath(t, "extremes", func(*rapid.T) ([]int64, func(int64) bool) {
		return []int64{math.MaxInt64, 0, math.MinInt64 + 1<<20, math.MinInt64}, func(v int64) bool { return I(0, Eq, v, math.MinInt64) }
	})
}

// nearingTexts draws texts that come nearer to a goal byte by byte.
func nearingTexts(t *rapid.T) (steps []string, goal string) {
	goal = rapid.StringMatching(`[b-y]{1,12}`).Draw(t, "goal")
	steps = append(steps, strings.Repeat("z", len(goal)+2), strings.Repeat("z", len(goal)+1))
	for i := range len(goal) + 1 {
		steps = append(steps, goal[:i]+strings.Repeat("z", len(goal)-i))
	}
	return steps, goal
}

func TestTextPaths(t *testing.T) {
	text := func(kind string, around func(s string) string, probe func(s, goal string) bool) {
		checkPath(t, kind, func(t *rapid.T) ([]string, func(string) bool) {
			steps, goal := nearingTexts(t)
			if kind != "==" && kind != "bytes.Equal" && kind != "EqualFold" && kind != "parameter" {
				steps = steps[2:] // removes the steps that are longer than goal, because only a part of them counts
			}
			for i := range steps {
				steps[i] = around(steps[i])
			}
			return steps, func(s string) bool { return probe(s, goal) }
		})
	}
	bare := func(s string) string { return s }
	text("==", bare, func(s, goal string) bool { return Text(0, Eq, s, goal) })
	text("parameter", bare, func(s, goal string) bool { return Ordered(0, Eq, s, goal) })
	text(
		"HasPrefix", func(s string) string { return s + "-" },
		func(s, goal string) bool { return P(0, HasPrefix, strings.HasPrefix, s, goal) },
	)
	text(
		"HasSuffix", func(s string) string { return "-" + s },
		func(s, goal string) bool { return P(0, HasSuffix, strings.HasSuffix, s, goal) },
	)
	text(
		"Contains", func(s string) string { return "~~" + s + "~~" },
		func(s, goal string) bool { return P(0, Contains, strings.Contains, s, goal) },
	)
	text("EqualFold", strings.ToUpper, func(s, goal string) bool { return P(0, EqualFold, strings.EqualFold, s, goal) })
	text("bytes.Equal", bare, func(s, goal string) bool { return PB(0, Equal, bytes.Equal, []byte(s), []byte(goal)) })
	text("bytes.HasPrefix", bare, func(s, goal string) bool { return PB(0, HasPrefix, bytes.HasPrefix, []byte(s), []byte(goal)) })
}

func TestOrderPaths(t *testing.T) {
	checkPath(t, "<", func(t *rapid.T) ([]string, func(string) bool) {
		steps, goal := nearingTexts(t)
		return append(steps[2:], goal[:len(goal)-1]), func(s string) bool { return Text(0, Lt, s, goal) }
	})
	checkPath(t, "<=", func(t *rapid.T) ([]string, func(string) bool) {
		steps, goal := nearingTexts(t)
		return steps[2:], func(s string) bool { return Text(0, Le, s, goal) }
	})
}

func TestTimePaths(t *testing.T) {
	for kind, op := range map[string]uint32{"Before": Lt, "After": Gt, "Equal": Eq} {
		checkPath(t, kind, func(t *rapid.T) ([]time.Time, func(time.Time) bool) {
			goal := time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "seconds"), rapid.Int64Range(1, 1e9-2).Draw(t, "nanoseconds"))
			side := time.Duration(1)
			if op == Gt {
				side = -1
			}
			steps := []time.Time{
				goal.Add(side * 1e6 * time.Hour), goal.Add(side * time.Hour), goal.Add(side * time.Second),
				goal.Add(side), goal, goal.Add(-side),
			}
			if op == Eq {
				steps = steps[:5]
			}
			return steps, func(v time.Time) bool { return Time(0, op, v, goal) }
		})
	}
}

func TestMemberPaths(t *testing.T) {
	has := func(kind string, probe func(all []int, v int) bool) {
		checkPath(t, kind, func(t *rapid.T) ([]int, func(int) bool) {
			all := rapid.SliceOfN(rapid.IntRange(-1000, 1000), 1, 20).Draw(t, "all")
			top := slices.Max(all)
			return []int{top + 1e6, top + 100, top + 2, top + 1, top}, func(v int) bool { return probe(all, v) }
		})
	}
	set := func(all []int) map[int]bool {
		m := map[int]bool{1e6: false}
		for _, v := range all {
			m[v] = true
		}
		return m
	}
	has("list", func(all []int, v int) bool { return InI(0, slices.Contains, all, v) })
	has("true", func(all []int, v int) bool { return TrueI(0, set(all), v) })
	has("key", func(all []int, v int) bool {
		m := set(all)
		delete(m, 1e6)
		_, ok := m[KeyI(0, m, v)]
		return ok
	})
	has("unsigned list", func(all []int, v int) bool {
		return InU(0, slices.Contains, unsigned(all), uint32(v+2000))
	})
}

func unsigned(all []int) []uint32 {
	var u []uint32
	for _, v := range all {
		u = append(u, uint32(v+2000))
	}
	return u
}

func TestOtherPaths(t *testing.T) {
	goal := errors.New("goal")
	checkPath(t, "errors.Is", func(*rapid.T) ([]error, func(error) bool) {
		return []error{nil, errors.New("other"), errors.Join(goal)}, func(v error) bool { return Is(0, errors.Is, v, goal) }
	})
	checkPath(t, "outcome only", func(*rapid.T) ([]error, func(error) bool) {
		return []error{goal, nil}, func(v error) bool { return T(0, v == nil) }
	})
	checkPath(t, "case", func(*rapid.T) ([]int, func(int) bool) {
		return []int{100, 50, 2, 1}, func(v int) bool { return SwI(0, 0, v) == 1 }
	})
	checkPath(t, "text case", func(*rapid.T) ([]string, func(string) bool) {
		return []string{"", "zzz", "rzz", "rez", "red"}, func(v string) bool { return SwS(0, 0, v) == "red" }
	})
}
