package distil

import (
	"context"

	"sonde/model"
	"sonde/model/match"
)

// finder visits all seqs of length 1, then all seqs of length 2, and so on. It visits the seqs of one
// length in lexicographic order of their operations. This is the order of Algorithm 3's queue, because
// EXTEND appends to the queue in the order of the operations.
//
// The finder stores no queue. For each length it walks the tree of seqs again from its root. Two facts make
// this possible:
//
//   - The algorithm's state for a seq depends on the seq's operations only. The set ref has all values that
//     they take or emit (lines 39, 50 and 51).
//
//   - The result of calling a seq is one bit, which history stores. Each walk visits the seqs of a length in
//     the same order, so the bits can be read in this order.
//
// The finder only considers values that one operation takes and another emits. Other values have no effect:
// if no operation emits a value, it is given (line 26), and if no operation takes a value, it is not
// needed.
type finder struct {
	ctx    context.Context
	table  *match.ValuesTable
	call   func(context.Context, model.Seq) (done, success bool, err error) // nil means that each call succeeds
	length int
	shared bool    // condition II applies
	need   [][]int // by operation: its required values
	gives  [][]int // by operation: the values that it adds to ref, possibly with duplicates
	takers [][]int // by value: the operations that fulfil condition II through it
	ops    int
	levels []level
	seq    []int
	ids    model.Seq // the operations of seq by their IDs
	past   []history // by length; only used if call is set
	err    error
}

// level is the state after the operations of a seq so far.
type level struct {
	ref  bitset // the values that the seq takes or emits
	next bitset // the operations that condition II allows next
}

func newFinder(ctx context.Context, t *match.ValuesTable, o Options) *finder {
	ops := len(t.Ops)
	f := &finder{
		ctx:    ctx,
		table:  t,
		call:   o.Invoke,
		length: min(o.Length, ops),
		shared: o.Rule == RuleDC,
		ops:    ops,
	}
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
	f.levels, f.past = make([]level, f.length+1), make([]history, f.length+1)
	for i := range f.levels {
		f.levels[i] = level{newBitset(values), newBitset(ops)}
	}
	return f
}

// numbered returns the numbers of values, without those that have no number.
func numbered(values, number []int) []int {
	var all []int
	for _, v := range values {
		if number[v] >= 0 {
			all = append(all, number[v])
		}
	}
	return all
}

// exchanged numbers the values that are both taken and emitted. Other values have the number -1.
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

// visitor is called with each seq. It returns whether longer seqs may begin with it, and whether the visit
// continues. The slice is reused for the next seq.
type visitor func(model.Seq) (extend, more bool)

// each visits the seqs until visit stops, ctx ends or call returns an error.
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

// invoke calls a seq: INVOKE (line 30). If f.call is nil, both results are true. After an error, both are
// false.
func (f *finder) invoke(seq model.Seq) (done, success bool) {
	if f.call == nil {
		return true, true
	}
	done, success, f.err = f.call(f.ctx, seq)
	return done && f.err == nil, success && done && f.err == nil
}

// extend visits the seqs of the given length that begin with the current one. found reports whether any of
// them may be extended. If none may, there are no longer seqs. more reports whether the visit continues.
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

// visit passes the current seq to visit, and stores in past whether the seq may be extended.
func (f *finder) visit(visit visitor) (extend, more bool) {
	extend, more = visit(f.ids)
	if f.call != nil {
		f.past[len(f.seq)].add(extend)
	}
	return extend, more && f.err == nil
}

// succeeded reports whether the current seq, which was visited in an earlier walk, may
// be extended (line 33).
func (f *finder) succeeded() bool { return f.call == nil || f.past[len(f.seq)].next() }

// following returns the first operation, starting at op, that fulfils condition II (line 46). Any operation
// may be the first of a seq.
func (f *finder) following(op int) int {
	if !f.shared || len(f.seq) == 0 {
		return op
	}
	return f.levels[len(f.seq)].next.from(op, f.ops)
}

// feasible reports whether ref has the values that an operation needs: condition I (line 42). It returns
// false for an operation that is already in the seq.
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

// push appends an operation to the seq. It computes no state for a seq of full length, which is not
// extended.
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
