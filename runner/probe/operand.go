package probe

import (
	"math"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"
)

// mostCases is for how many cases of a switch its tag is told.
const mostCases = 16

// relations are the operators as the service has them.
var relations = map[uint8]model.Relation{
	sondeprobe.Eq: model.Equal, sondeprobe.Ne: model.Unequal, sondeprobe.Lt: model.Less,
	sondeprobe.Le: model.NoMore, sondeprobe.Gt: model.More, sondeprobe.Ge: model.NoLess,
	sondeprobe.Call + sondeprobe.Equal: model.Equal, sondeprobe.Call + sondeprobe.HasPrefix: model.Begins,
	sondeprobe.Call + sondeprobe.HasSuffix: model.Ends, sondeprobe.Call + sondeprobe.Contains: model.Has,
	sondeprobe.Call + sondeprobe.EqualFold: model.EqualFold, sondeprobe.Call + sondeprobe.Matches: model.Matches,
}

// Operands asks for the operands of predicates, too, or not any more.
func (r *Reader) Operands(ask bool) {
	r.asks = sondeprobe.Open
	if ask {
		r.asks = sondeprobe.Asked
	}
	for p, n := range r.seekers {
		r.open[p] = r.word(n)
	}
	copy(r.memory.open, r.open)
}

// word is the open word of a predicate from which so many targets follow.
func (r *Reader) word(seekers int32) uint32 {
	if seekers == 0 {
		return 0
	}
	return r.asks
}

// Compared returns the operands that predicates met since the reset whose outcome
// is asked for and did not come, behind what is in all. What the service was just
// writing is left out.
func (r *Reader) Compared(all []model.Compared) []model.Compared {
	for i := range min(atomic.LoadUint32(r.memory.used), sondeprobe.Pairs) {
		pair, ok := r.memory.pair(int(i))
		if ok && pair.Kind != 0 && int(pair.Pred) < len(r.seekers) && r.seekers[pair.Pred] > 0 {
			all = r.compared(all, &pair)
		}
	}
	return all
}

// compared appends what a pair tells of the outcomes that are asked for.
func (r *Reader) compared(all []model.Compared, pair *sondeprobe.Pair) []model.Compared {
	a, b := compared(pair.Kind, pair.A[:], pair.LenA), compared(pair.Kind, pair.B[:], pair.LenB)
	cases := 0
	for _, target := range r.seeking[pair.Pred] {
		for _, t := range r.manifest.Targets[target].Terms {
			if !r.wanted[target] || t.Pred != int(pair.Pred) || r.memory.slots[t.slot()] == sondeprobe.Done || cases == mostCases {
				continue
			}
			c := model.Compared{Slot: t.slot(), Op: relations[pair.Op], A: a, B: b}
			switch {
			case pair.Op != sondeprobe.Tag:
				return append(all, c)
			case t.Case != "":
				c.Op, c.B = model.Equal, caseOf(t.Case, a.Kind)
				all, cases = append(all, c), cases+1
			}
		}
	}
	return all
}

// caseOf is the constant of a case, in the kind of the tag.
func caseOf(text string, kind model.OperandKind) model.Operand {
	if kind == model.TextOperand {
		return model.Operand{Text: text}
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	return model.Operand{Kind: kind, Int: n}
}

// Slots are the numbers that Compared gives what a target follows from.
func (m *Manifest) Slots(target int) []int {
	var all []int
	for _, t := range m.Targets[target].Terms {
		all = append(all, t.slot())
	}
	return all
}

// pair copies a pair, and reports whether it is whole.
func (m *Memory) pair(i int) (copied sondeprobe.Pair, whole bool) {
	const words = unsafe.Sizeof(copied) / 8
	from := (*[words]uint64)(unsafe.Pointer(&m.pairs[i]))
	to := (*[words]uint64)(unsafe.Pointer(&copied))
	before := atomic.LoadUint32(&m.pairs[i].Sequence)
	for w := range from {
		to[w] = atomic.LoadUint64(&from[w])
	}
	return copied, before&1 == 0 && atomic.LoadUint32(&m.pairs[i].Sequence) == before
}

// forget empties the pairs. One that was never finished is nobody's any more.
func (m *Memory) forget() {
	for i := range min(atomic.LoadUint32(m.used), sondeprobe.Pairs) {
		pair := &m.pairs[i]
		pair.Kind = 0
		if s := atomic.LoadUint32(&pair.Sequence); s&1 != 0 {
			atomic.CompareAndSwapUint32(&pair.Sequence, s, s+1)
		}
	}
	atomic.StoreUint32(m.used, 0)
}

// compared is what is in a pair, of a kind.
func compared(kind uint8, data []byte, length uint16) model.Operand {
	words := (*[2]int64)(unsafe.Pointer(unsafe.SliceData(data)))
	switch kind {
	case sondeprobe.Ints:
		return model.Operand{Kind: model.IntOperand, Int: words[0]}
	case sondeprobe.Uints:
		if words[0] < 0 {
			return model.Operand{Kind: model.RealOperand, Real: float64(uint64(words[0]))}
		}
		return model.Operand{Kind: model.IntOperand, Int: words[0]}
	case sondeprobe.Floats:
		return model.Operand{Kind: model.RealOperand, Real: math.Float64frombits(uint64(words[0]))}
	case sondeprobe.Times:
		return model.Operand{Kind: model.TimeOperand, Time: time.Unix(words[0], words[1]).UTC()}
	}
	return model.Operand{Text: string(data[:min(int(length), len(data))]), Cut: int(length) > len(data)}
}
