package probedata

import (
	"math"
	"testing"
	"time"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// writePair writes a pair as a service does.
func writePair(m *Memory, pred uint32, kind, op uint8, a, b []byte) *sondeprobe.Pair {
	p := &m.pairs[*m.used]
	*m.used++
	p.Pred, p.Kind, p.Op = pred, kind, op
	p.LenA, p.LenB = uint16(len(a)), uint16(len(b))
	copy(p.A[:], a)
	copy(p.B[:], b)
	return p
}

// A pair is reported for a wanted outcome that did not occur.
func TestAppendOperands(t *testing.T) {
	r := newTestReader(t, smallManifest())
	text := func(s string) model.Operand { return model.Operand{Text: s} }
	writePair(r.memory, 0, sondeprobe.Texts, sondeprobe.Eq, []byte("abc"), []byte("abd"))
	want := []model.ComparedOperands{{Slot: 0, Op: model.Equal, A: text("abc"), B: text("abd")}}
	if diff := cmp.Diff(want, r.AppendOperands(nil)); diff != "" {
		t.Error(diff)
	}
	r.memory.slots[0] = sondeprobe.Done // the other outcome is still wanted
	if got := r.AppendOperands(nil); len(got) != 1 || got[0].Slot != 1 {
		t.Errorf("got %v, want slot 1", got)
	}
	r.SelectTargets(func(int) bool { return false })
	if got := r.AppendOperands(nil); len(got) != 0 {
		t.Errorf("got %v though no target is wanted", got)
	}
}

// The tag of a switch is reported for each wanted case, at most maxCases times.
func TestAppendOperandsOfSwitch(t *testing.T) {
	m := &Manifest{Preds: 20, Hits: 1}
	for k := range 20 {
		m.Targets = append(m.Targets, Target{ID: "case", Kind: SwitchCase, Terms: []ScoreTerm{
			{Pred: 0, Outcome: k, Scale: 1, Case: string(rune('a' + k))},
		}})
	}
	r := newTestReader(t, m)
	r.SetWanted(0, false)
	writePair(r.memory, 0, sondeprobe.Texts, sondeprobe.Tag, []byte("x"), nil)
	got := r.AppendOperands(nil)
	if len(got) != maxCases || got[0].B.Text != "b" || got[0].Op != model.Equal || got[0].A.Text != "x" {
		t.Errorf("got %d: %v", len(got), got)
	}
}

// A pair that is being written is left out, and a reset unlocks it.
func TestUnfinishedPair(t *testing.T) {
	r := newTestReader(t, smallManifest())
	p := writePair(r.memory, 0, sondeprobe.Texts, sondeprobe.Eq, []byte("a"), []byte("b"))
	p.Sequence++
	if got := r.AppendOperands(nil); len(got) != 0 {
		t.Errorf("got %v of a pair that is being written", got)
	}
	r.Reset()
	if p.Sequence&1 != 0 || *r.memory.used != 0 || p.Kind != 0 {
		t.Error("the pair is still locked after a reset")
	}
}

// Operands are decoded by their kind.
func TestOperandOf(t *testing.T) {
	bytes := func(words ...uint64) []byte {
		var b [sondeprobe.MaxText]byte
		for i, w := range words {
			for k := range 8 {
				b[8*i+k] = byte(w >> (8 * k))
			}
		}
		return b[:]
	}
	minusThree := int64(-3)
	for _, c := range []struct {
		name   string
		kind   uint8
		data   []byte
		length uint16
		want   model.Operand
	}{
		{"int", sondeprobe.Ints, bytes(uint64(minusThree)), 0, model.Operand{Kind: model.IntOperand, Int: -3}},
		{"uint", sondeprobe.Uints, bytes(9), 0, model.Operand{Kind: model.IntOperand, Int: 9}},
		{"large uint", sondeprobe.Uints, bytes(1 << 63), 0, model.Operand{Kind: model.RealOperand, Real: 1 << 63}},
		{"float", sondeprobe.Floats, bytes(math.Float64bits(2.5)), 0, model.Operand{Kind: model.RealOperand, Real: 2.5}},
		{"time", sondeprobe.Times, bytes(60, 5), 0, model.Operand{Kind: model.TimeOperand, Time: time.Unix(60, 5).UTC()}},
		{"text", sondeprobe.Texts, []byte("hello"), 4, model.Operand{Text: "hell"}},
		{"long text", sondeprobe.Texts, []byte("hello"), 9, model.Operand{Text: "hello", Cut: true}},
	} {
		if diff := cmp.Diff(c.want, operandOf(c.kind, c.data, c.length)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
