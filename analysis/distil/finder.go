package distil

import (
	"context"

	"sonde/model"
	"sonde/model/match"
)

// finder walks through all seqs of one length after the other. That is the
// order of Algorithm 3's queue: EXTEND appends to the queue in the order of the
// operations, so that the seqs of a length stand in it as in a dictionary.
//
// A seq needs no sets of its own in a queue, as taken and emitted follow from
// its operations: their union, ref, is all that they take or emit (lines 39,
// 50 and 51). What came of calling it is one bit: each longer walk meets the
// seqs of a length again in the order in which they were called. Of the values
// only those count that some operation takes and some emits; the others are
// given (line 26) or nobody takes them.
type finder struct {
	ctx    context.Context
	table  *match.ValuesTable
	call   func(context.Context, model.Seq) (done, success bool, err error) // nil where all goes well
	length int
	shared bool    // condition II
	need   [][]int // of an operation
	gives  [][]int // what an operation adds to ref, some twice
	takers [][]int // of a value: those that condition II counts
	ops    int
	levels []level
	seq    []int
	ids    model.Seq // the same operations, for visit
	past   []past    // by length; used only with call
	err    error
}

// level is the state after the operations of a seq so far.
type level struct {
	ref  bitset // values
	next bitset // operations that condition II lets follow
}

func newFinder(ctx context.Context, t *match.ValuesTable, o Options) *finder {
	ops := len(t.Ops)
	f := &finder{ctx: ctx, table: t, call: o.Invoke, length: min(o.Length, ops), shared: o.Rule == RuleDC, ops: ops}
	number, values := exchanged(t)
	f.need, f.gives, f.takers = make([][]int, ops), make([][]int, ops), make([][]int, values)
	for op := range t.Ops {
		taking := numbered(t.In[op], number)
		f.need[op] = numbered(t.Need[op], number)
		f.gives[op] = append(numbered(t.Out[op], number), taking...)
		if o.RequiredOnly {
			taking = f.need[op]
		}
		for _, v := range taking {
			f.takers[v] = append(f.takers[v], op)
		}
	}
	f.levels, f.past = make([]level, f.length+1), make([]past, f.length+1)
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
func exchanged(t *match.ValuesTable) (number []int, count int) {
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

// visitor is told of a seq that may be called, and says whether longer ones may
// begin with it and whether there should be more. The slice is used again for
// the next seq.
type visitor func(model.Seq) (extend, more bool)

// each visits the seqs until visit has enough, ctx ends or a call gives an
// error.
func (f *finder) each(visit visitor) {
	for length := 1; length <= f.length; length++ {
		for i := range f.past {
			f.past[i].rewind()
		}
		f.seq, f.ids = f.seq[:0], f.ids[:0]
		found, more := f.extend(length, visit)
		if !found || !more {
			return
		}
	}
}

// invoke is INVOKE (line 30).
func (f *finder) invoke(seq model.Seq) (done, success bool) {
	if f.call == nil {
		return true, true
	}
	done, success, f.err = f.call(f.ctx, seq)
	return done && f.err == nil, success && done && f.err == nil
}

// extend visits the seqs of a length that begin with the present one. found
// tells that there are any that may be extended: if not, there are no longer
// ones.
func (f *finder) extend(length int, visit visitor) (found, more bool) {
	more = true
	for op := f.following(0); op < f.ops && more; op = f.following(op + 1) {
		f.err = f.ctx.Err()
		if f.err != nil {
			return found, false
		}
		if !f.feasible(op) {
			continue
		}
		var deeper bool
		f.push(op, length)
		if len(f.seq) == length {
			deeper, more = f.visit(visit)
		} else if f.succeeded() {
			deeper, more = f.extend(length, visit)
		}
		found = found || deeper
		f.seq, f.ids = f.seq[:len(f.seq)-1], f.ids[:len(f.ids)-1]
	}
	return found, more
}

// visit hands out the present seq, and remembers whether it may be extended.
func (f *finder) visit(visit visitor) (extend, more bool) {
	extend, more = visit(f.ids)
	if f.call != nil {
		f.past[len(f.seq)].add(extend)
	}
	return extend, more && f.err == nil
}

// succeeded reports whether the present seq, which is a shorter one that was
// visited before, may be extended (line 33).
func (f *finder) succeeded() bool { return f.call == nil || f.past[len(f.seq)].next() }

// following returns the first operation from op on that condition II lets
// follow (line 46); anything may begin a seq.
func (f *finder) following(op int) int {
	if !f.shared || len(f.seq) == 0 {
		return op
	}
	return f.levels[len(f.seq)].next.from(op, f.ops)
}

// feasible reports whether an operation finds what it needs: condition I
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
	f.seq, f.ids = append(f.seq, op), append(f.ids, f.table.Ops[op].ID)
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
