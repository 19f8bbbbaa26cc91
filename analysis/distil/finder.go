package distil

import (
	"context"

	"sonde/model/match"
)

// finder walks through all seqs of one length after the other. That is the
// order of Algorithm 3's queue: EXTEND appends to the queue in the order of the
// operations, so that the seqs of a length stand in it as in a dictionary.
//
// A seq needs no sets of its own in a queue, as taken and emitted follow from
// its operations: their union, ref, is all that they take or emit (lines 39,
// 50 and 51). Of the values only those count that some operation takes and some
// emits; the others are given (line 26) or nobody takes them.
type finder struct {
	ctx    context.Context
	length int
	shared bool    // condition II
	need   [][]int // of an operation
	gives  [][]int // what an operation adds to ref, some twice
	takers [][]int // of a value: those that condition II counts
	ops    int
	levels []level
	seq    []int
	steps  int
}

// level is the state after the operations of a seq so far.
type level struct {
	ref  bitset // values
	next bitset // operations that condition II lets follow
}

func newFinder(ctx context.Context, t *match.Table, o Options) *finder {
	ops := len(t.Ops)
	f := &finder{ctx: ctx, length: min(o.Length, ops), shared: o.Rule == DC, ops: ops}
	number, values := exchanged(t)
	f.need, f.gives, f.takers = make([][]int, ops), make([][]int, ops), make([][]int, values)
	for op := range t.Ops {
		taking := numbered(t.In[op], number)
		f.need[op] = numbered(t.Need[op], number)
		f.gives[op] = append(numbered(t.Out[op], number), taking...)
		if o.Needed {
			taking = f.need[op]
		}
		for _, v := range taking {
			f.takers[v] = append(f.takers[v], op)
		}
	}
	f.levels = make([]level, f.length+1)
	for i := range f.levels {
		f.levels[i] = level{newBitset(values), newBitset(ops)}
	}
	return f
}

// numbered returns the numbers of those values that have one.
func numbered(values, number []int) []int {
	var all []int
	for _, v := range values {
		if number[v] >= 0 {
			all = append(all, number[v])
		}
	}
	return all
}

// exchanged numbers the values that are taken and emitted; the others are -1.
func exchanged(t *match.Table) (number []int, count int) {
	number = make([]int, len(t.Names))
	for v, both := range t.Exchanged() {
		number[v] = -1
		if both {
			number[v] = count
			count++
		}
	}
	return number, count
}

// each calls visit with every seq until it returns false. The slice is used
// again for the next seq.
func (f *finder) each(visit func([]int) bool) {
	for length := 1; length <= f.length; length++ {
		f.seq = f.seq[:0]
		found, more := f.extend(length, visit)
		if !found || !more {
			return
		}
	}
}

// extend visits the seqs of a length that begin with the present one. found
// tells that there are any: if not, there are no longer ones.
func (f *finder) extend(length int, visit func([]int) bool) (found, more bool) {
	more = true
	for op := f.following(0); op < f.ops && more; op = f.following(op + 1) {
		if f.steps++; f.steps%1024 == 0 && f.ctx.Err() != nil {
			return found, false
		}
		if !f.feasible(op) {
			continue
		}
		f.push(op, length)
		if len(f.seq) == length {
			found, more = true, visit(f.seq)
		} else {
			var deeper bool
			deeper, more = f.extend(length, visit)
			found = found || deeper
		}
		f.seq = f.seq[:len(f.seq)-1]
	}
	return found, more
}

// following returns the first operation from op on that condition II lets
// follow (line 46); anything may begin a seq.
func (f *finder) following(op int) int {
	if !f.shared || len(f.seq) == 0 {
		return op
	}
	return f.levels[len(f.seq)].next.from(op, f.ops)
}

// feasible tells whether an operation finds what it needs: condition I
// (line 42). None appears twice in a seq.
func (f *finder) feasible(op int) bool {
	for _, before := range f.seq {
		if before == op {
			return false
		}
	}
	ref := f.levels[len(f.seq)].ref
	for _, v := range f.need[op] {
		if !ref.has(v) {
			return false
		}
	}
	return true
}

// push appends an operation to the seq. The last one's state is not needed.
func (f *finder) push(op, length int) {
	from := f.levels[len(f.seq)]
	f.seq = append(f.seq, op)
	if len(f.seq) == length {
		return
	}
	to := f.levels[len(f.seq)]
	copy(to.ref, from.ref)
	if f.shared {
		copy(to.next, from.next)
	}
	for _, v := range f.gives[op] {
		if to.ref.has(v) {
			continue
		}
		to.ref.add(v)
		if f.shared {
			to.next.addAll(f.takers[v])
		}
	}
}
