package distil

import (
	"context"
	"slices"

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
	shared bool         // condition II applies
	gives  [][]int      // by operation: the values that it adds to ref, possibly with duplicates
	needed [][]int      // by value: the operations that require it
	takers []operations // by value: the operations that fulfil condition II through it
	lacks  []int        // by operation: the number of its required values that are not in the ref of the current seq
	ops    int
	levels []level
	seq    []int
	ids    model.Seq // the operations of seq by their IDs
	past   []history // by length; only used if call is set
	err    error
}

// level is the state of the search after a number of operations of the current seq.
type level struct {
	ref   bitset // the values that the seq takes or emits
	added []int  // the values that its last operation added to ref
	able  bitset // the operations that condition I allows next; may include operations of the seq
	next  bitset // the operations that condition II allows next
}

// operations is a set of operations. If there are few operations, set is nil, because it is faster to add them one by
// one to another set.
type operations struct {
	list []int
	set  bitset
}

// addTo adds the operations to a set.
func (o *operations) addTo(s bitset) {
	if o.set != nil {
		s.unite(o.set)
	} else {
		s.addAll(o.list)
	}
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
	f.levels, f.past = make([]level, f.length+1), make([]history, f.length+1)
	for i := range f.levels {
		f.levels[i] = level{ref: newBitset(values), able: newBitset(ops), next: newBitset(ops)}
	}
	f.gives, f.needed, f.takers = make([][]int, ops), make([][]int, values), make([]operations, values)
	f.lacks = make([]int, ops)
	for op := range t.Ops {
		taking, need := numbered(t.In[op], number), numbered(t.Need[op], number)
		f.gives[op] = append(numbered(t.Out[op], number), taking...)
		f.lacks[op] = len(need)
		for _, v := range need {
			f.needed[v] = append(f.needed[v], op)
		}
		if len(need) == 0 {
			f.levels[0].able.add(op)
		}
		if o.RequiredOnly {
			taking = need
		}
		for _, v := range taking {
			f.takers[v].list = append(f.takers[v].list, op)
		}
	}
	for v := range f.takers {
		if t := &f.takers[v]; len(t.list) > len(f.levels[0].next) {
			t.set = newBitset(ops)
			t.set.addAll(t.list)
		}
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
		var deeper bool
		f.push(op, length)
		if len(f.seq) == length {
			deeper, more = f.visit(visit)
		} else if f.succeeded() {
			deeper, more = f.extend(length, visit)
		}
		found = found || deeper
		f.pop()
	}
	return found, more
}

// count returns n plus the number of seqs of the given length that begin with the current one. It stops when the sum
// exceeds most. The seqs of full length are not visited.
func (f *finder) count(length, n, most int) int {
	if len(f.seq) == length-1 {
		return n + f.countFollowing()
	}
	for op := f.following(0); op < f.ops && n <= most && f.ctx.Err() == nil; op = f.following(op + 1) {
		f.push(op, length)
		n = f.count(length, n, most)
		f.pop()
	}
	return n
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

// candidates returns two sets of operations for the next call: able has those that condition I (line 42) allows, and
// next has those that condition II (line 46) allows. They may include operations of the seq. next is nil if condition
// II allows all operations, as at the start of a seq.
func (f *finder) candidates() (able, next bitset) {
	l := &f.levels[len(f.seq)]
	if !f.shared || len(f.seq) == 0 {
		return l.able, nil
	}
	return l.able, l.next
}

// following returns the first operation, starting at op, that may follow the current seq.
func (f *finder) following(op int) int {
	able, next := f.candidates()
	op = able.from(next, op, f.ops)
	for slices.Contains(f.seq, op) {
		op = able.from(next, op+1, f.ops)
	}
	return op
}

// countFollowing returns the number of operations that may follow the current seq.
func (f *finder) countFollowing() int {
	able, next := f.candidates()
	n := able.count(next)
	for _, op := range f.seq {
		if able.has(op) && (next == nil || next.has(op)) {
			n--
		}
	}
	return n
}

// push appends an operation to the seq. It computes no state for a seq of full length, which is not
// extended.
func (f *finder) push(op, length int) {
	from := &f.levels[len(f.seq)]
	f.seq, f.ids = append(f.seq, op), append(f.ids, f.table.Ops[op].ID)
	to := &f.levels[len(f.seq)]
	to.added = to.added[:0]
	if len(f.seq) == length {
		return
	}
	copy(to.ref, from.ref)
	copy(to.able, from.able)
	if f.shared {
		copy(to.next, from.next)
	}
	for _, v := range f.gives[op] {
		if to.ref.has(v) {
			continue
		}
		to.ref.add(v)
		to.added = append(to.added, v)
		if f.shared {
			f.takers[v].addTo(to.next)
		}
		for _, waiting := range f.needed[v] {
			f.lacks[waiting]--
			if f.lacks[waiting] == 0 {
				to.able.add(waiting)
			}
		}
	}
}

// pop removes the last operation of the seq.
func (f *finder) pop() {
	for _, v := range f.levels[len(f.seq)].added {
		for _, waiting := range f.needed[v] {
			f.lacks[waiting]++
		}
	}
	f.seq, f.ids = f.seq[:len(f.seq)-1], f.ids[:len(f.ids)-1]
}
