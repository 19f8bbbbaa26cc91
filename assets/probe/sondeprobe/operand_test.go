package sondeprobe

import (
	"strings"
	"testing"
)

// firstPair returns the texts of the first pair.
func firstPair() (a, b string) {
	x := &memory.pairs[0]
	if memory.used == 0 || x.Sequence&1 != 0 {
		return "", ""
	}
	return string(x.A[:min(x.LenA, MaxText)]), string(x.B[:min(x.LenB, MaxText)])
}

// For a predicate with OpenWithOperands, the operands that came nearest to the other outcome are recorded. For
// other predicates no operands are recorded.
func TestOperands(t *testing.T) {
	resetMemory()
	Text(0, Eq, "far", "goal")
	if memory.used != 0 {
		t.Error("operands were recorded without OpenWithOperands")
	}
	memory.open[0] = OpenWithOperands
	P(0, HasPrefix, strings.HasPrefix, "goat", "goal")
	for _, s := range []string{"goa", "x", "goak", "goat", ""} {
		Text(0, Eq, s, "goal")
	}
	if a, b := firstPair(); a != "goak" || b != "goal" || memory.used != 1 || memory.pairs[0].Op != Eq {
		t.Errorf("%q and %q", a, b)
	}
	Text(0, Eq, "goal", "goal")
	if O(0) {
		t.Error("still open")
	}
	resetMemory()
	memory.open[0] = OpenWithOperands
	Text(0, Eq, strings.Repeat("x", 1000), "")
	if a, _ := firstPair(); len(a) != MaxText || memory.pairs[0].LenA != 1000 {
		t.Errorf("%d of %d bytes", len(a), memory.pairs[0].LenA)
	}
}

// A map records the key that is nearest to the operand, the smallest of several such keys.
func TestOperandsOfMaps(t *testing.T) {
	for range 20 {
		resetMemory()
		memory.open[0] = OpenWithOperands
		KeyS(0, map[string]int{"b": 1, "d": 1, "zz": 1}, "c")
		if a, b := firstPair(); a != "c" || b != "b" {
			t.Fatalf("%q and %q", a, b)
		}
	}
}

// If no pair is free, outcomes and distances are still recorded.
func TestOperandsWithoutFreePair(t *testing.T) {
	resetMemory()
	memory.open[0], memory.used = OpenWithOperands, Pairs
	before := memory.pairs
	I(0, Eq, 1, 5)
	if memory.pairs != before || distance(memory.slots[0]) != 4 {
		t.Errorf("slot %x", memory.slots[0])
	}
	memory.open[0], memory.used, memory.pairs[0].Sequence = OpenWithOperands, 0, 7
	if I(0, Eq, 2, 5); memory.pairs[0].Sequence != 7 {
		t.Error("a locked pair was written")
	}
	memory.pairs[0].Sequence = 8
}
