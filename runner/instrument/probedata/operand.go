package probedata

import (
	"encoding/binary"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"sonde/assets/probe/sondeprobe"
	"sonde/model"
)

// maxCases is the maximum number of cases of a switch for which AppendOperands reports the tag.
const maxCases = 16

// relations maps sondeprobe.Pair.Op to the relations of package model.
var relations = map[uint8]model.Relation{
	sondeprobe.Eq: model.Equal, sondeprobe.Ne: model.Unequal, sondeprobe.Lt: model.Less,
	sondeprobe.Le: model.LessOrEqual, sondeprobe.Gt: model.Greater, sondeprobe.Ge: model.GreaterOrEqual,
	sondeprobe.Call + sondeprobe.Equal: model.Equal, sondeprobe.Call + sondeprobe.HasPrefix: model.HasPrefix,
	sondeprobe.Call + sondeprobe.HasSuffix: model.HasSuffix, sondeprobe.Call + sondeprobe.Contains: model.ContainsText,
	sondeprobe.Call + sondeprobe.EqualFold: model.EqualFold, sondeprobe.Call + sondeprobe.Matches: model.Matches,
}

// WatchOperands sets whether the service also records the operands of the predicates that it
// watches.
func (r *Reader) WatchOperands(watch bool) {
	mode := uint32(sondeprobe.Open)
	if watch {
		mode = sondeprobe.OpenWithOperands
	}
	r.watched.setMode(mode)
	copy(r.memory.open, r.watched.open)
}

// AppendOperands appends the operands that predicates compared since the last Reset. It appends only the operands of
// predicates with an outcome that a wanted target still needs. It leaves out operands that the service is writing.
func (r *Reader) AppendOperands(all []model.ComparedOperands) []model.ComparedOperands {
	for i := range min(atomic.LoadUint32(r.memory.used), sondeprobe.Pairs) {
		pair, ok := r.memory.pair(int(i))
		if ok && pair.Kind != 0 && r.watched.watches(int(pair.Pred)) {
			all = r.appendPair(all, &pair)
		}
	}
	return all
}

// appendPair appends the operands of a pair for a wanted outcome. For the tag of a switch it
// appends an element for each wanted case, at most maxCases.
func (r *Reader) appendPair(all []model.ComparedOperands, pair *sondeprobe.Pair) []model.ComparedOperands {
	a, b := operandOf(pair.Kind, pair.A[:], pair.LenA), operandOf(pair.Kind, pair.B[:], pair.LenB)
	cases := 0
	for _, target := range r.watched.users[pair.Pred] {
		for _, t := range r.manifest.Targets[target].Terms {
			if !r.seeks(int(target), t, pair) || cases == maxCases {
				continue
			}
			c := model.ComparedOperands{Slot: t.SlotIndex(), Op: relations[pair.Op], A: a, B: b}
			switch {
			case pair.Op != sondeprobe.Tag:
				return append(all, c)
			case t.Case != "":
				c.Op, c.B = model.Equal, caseOperand(t.Case, a.Kind)
				all, cases = append(all, c), cases+1
			}
		}
	}
	return all
}

// seeks reports whether a wanted target needs the outcome of the term t. The term must be about the predicate of the
// pair, and its outcome must not have occurred yet.
func (r *Reader) seeks(target int, t ScoreTerm, pair *sondeprobe.Pair) bool {
	return r.watched.wanted[target] && t.Pred == int(pair.Pred) && r.memory.slots[t.SlotIndex()] != sondeprobe.Done
}

// caseOperand returns the constant of a case as an operand. kind is the kind of the tag.
func caseOperand(text string, kind model.OperandKind) model.Operand {
	if kind == model.TextOperand {
		return model.Operand{Text: text}
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	return model.Operand{Kind: kind, Int: n}
}

// operandOf decodes an operand of a pair. Numbers are in the byte order of the machine, because the
// service runs on the same machine.
func operandOf(kind uint8, data []byte, length uint16) model.Operand {
	word := func(i int) int64 { return int64(binary.NativeEndian.Uint64(data[8*i:])) }
	switch kind {
	case sondeprobe.Ints:
		return model.Operand{Kind: model.IntOperand, Int: word(0)}
	case sondeprobe.Uints:
		if n := word(0); n < 0 {
			return model.Operand{Kind: model.RealOperand, Real: float64(uint64(n))}
		}
		return model.Operand{Kind: model.IntOperand, Int: word(0)}
	case sondeprobe.Floats:
		return model.Operand{Kind: model.RealOperand, Real: math.Float64frombits(uint64(word(0)))}
	case sondeprobe.Times:
		return model.Operand{Kind: model.TimeOperand, Time: time.Unix(word(0), word(1)).UTC()}
	}
	return model.Operand{Text: string(data[:min(int(length), len(data))]), Cut: int(length) > len(data)}
}
