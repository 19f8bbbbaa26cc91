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
// The finder stores no queue. For each length it walks the tree of seqs again from the root. This is possible for two
// reasons:
//
//   - The algorithm's state for a seq depends only on the seq's operations. The set ref has all values that
//     these operations take or emit (lines 39, 50 and 51), or those that they emit if Options.FedOnly is set.
//
//   - The result of calling a seq is one bit. history stores the bits in the order of the walk. Each walk
//     visits the seqs of a length in the same order, so it reads the bits in this order.
//
// The finder considers only values that are both taken and emitted. Other values have no effect: a value that no
// operation emits is given from the start (line 26), and a value that no operation takes is not needed. A considered
// value is not given, so it is feedable only if it is already in ref. With Options.FedOnly, an operation therefore
// adds only the values that it emits to ref, and none that it takes.
type finder struct {
	ctx    context.Context
	table  *match.ValuesTable
	call   func(context.Context, model.Seq) (done, success bool, err error) // nil means that all calls succeed
	length int
	shared bool         // condition II applies
	again  bool         // an operation may be in a seq more than once
	gives  [][]int      // for each operation, the values that it adds to ref; may have duplicates
	needed [][]int      // for each value, the operations that require it
	takers []operations // for each value, the operations that satisfy condition II through it
	// offers has, for each operation, the values that the operation offers for condition II; may have duplicates. It is nil
	// if these are the values in gives.
	offers [][]int
	lacks  []int // for each operation, the number of its required values that the ref of the current seq lacks
	ops    int
	values int
	levels []level // the levels of the current seq and its beginnings; the index is the length
	seq    []int
	ids    model.Seq // the IDs of the operations in seq
	past   []history // for each length of seqs; only used if call is set
	err    error
}

// level is the state of the search after the first operations of the current seq.
type level struct {
	ref   bitset // the values that the seq takes or emits
	added []int  // the values that the last operation of the seq added to ref
	able  bitset // the operations that condition I allows next; may include operations of the seq
	next  bitset // the operations that condition II allows next
}

// operations is a set of operations. list has its members. set is nil for a set with few members: these are added
// faster one by one.
type operations struct {
	list []int
	set  bitset
}

// addTo adds the operations to the set s.
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
		length: o.Length,
		shared: o.Rule == RuleDC,
		again:  o.Repeats,
		ops:    ops,
	}
	if !f.again {
		f.length = min(f.length, ops)
	}
	number, values := exchanged(t)
	f.values = values
	f.grow(0)
	f.gives, f.needed, f.takers = make([][]int, ops), make([][]int, values), make([]operations, values)
	f.lacks = make([]int, ops)
	shared := t
	if o.Shared != nil {
		shared, f.offers = o.Shared, make([][]int, ops)
	}
	for op := range t.Ops {
		need := numbered(t.Need[op], number)
		f.gives[op] = passed(t, op, number, o)
		if f.offers != nil {
			f.offers[op] = passed(shared, op, number, o)
		}
		f.lacks[op] = len(need)
		for _, v := range need {
			f.needed[v] = append(f.needed[v], op)
		}
		if len(need) == 0 {
			f.levels[0].able.add(op)
		}
		sharing := shared.In[op]
		if o.RequiredOnly {
			sharing = shared.Need[op]
		}
		for _, v := range numbered(sharing, number) {
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

// grow adds the levels up to the given length. There may be no seqs of f.length, so levels are only added when a walk
// needs them.
func (f *finder) grow(length int) {
	for len(f.levels) <= length {
		f.levels = append(f.levels, level{ref: newBitset(f.values), able: newBitset(f.ops), next: newBitset(f.ops)})
		f.past = append(f.past, history{})
	}
}

// passed returns the numbers of the values that an operation of a table adds to ref; may have duplicates.
func passed(t *match.ValuesTable, op int, number []int, o Options) []int {
	all := numbered(t.Out[op], number)
	if !o.FedOnly {
		all = append(all, numbered(t.In[op], number)...)
	}
	return all
}

// numbered returns the numbers of values. Values without a number are left out.
func numbered(values, number []int) []int {
	var all []int
	for _, v := range values {
		if number[v] >= 0 {
			all = append(all, number[v])
		}
	}
	return all
}

// exchanged numbers the values that are both taken and emitted, from 0. Other values have the number -1.
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

// visitor is called for each seq. extend is true if longer seqs may begin with this seq. more is true if the visit
// continues. The slice is reused for the next seq.
type visitor func(model.Seq) (extend, more bool)

// each visits the seqs until visit returns false for more, ctx is done, or call returns an error.
func (f *finder) each(visit visitor) {
	for length := 1; length <= f.length; length++ {
		f.grow(length)
		for i := range f.past {
			f.past[i].rewind()
		}
		found, more := f.extend(length, visit)
		if !found || !more {
			return
		}
	}
}

// invoke calls a seq, as INVOKE does in the paper (line 30). If f.call is nil, both results are true. If there was an
// error, both are false.
func (f *finder) invoke(seq model.Seq) (done, success bool) {
	if f.call == nil {
		return true, true
	}
	done, success, f.err = f.call(f.ctx, seq)
	return done && f.err == nil, success && done && f.err == nil
}

// extend visits the seqs of the given length that begin with the current seq. found reports whether any of the
// visited seqs may be extended. If found is false, no seq is longer. more reports whether the visit
// continues.
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

// count returns n plus the number of seqs of the given length that begin with the current seq. It stops when this sum
// exceeds most. It counts the last operations of the seqs without visiting them.
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

// visit passes the current seq to the visitor, and stores in past whether the seq may be extended.
func (f *finder) visit(visit visitor) (extend, more bool) {
	extend, more = visit(f.ids)
	if f.call != nil {
		f.past[len(f.seq)].add(extend)
	}
	return extend, more && f.err == nil
}

// succeeded reports whether the current seq may be extended (line 33). An earlier walk has visited the seq and stored
// this.
func (f *finder) succeeded() bool { return f.call == nil || f.past[len(f.seq)].next() }

// candidates returns two sets of operations for the next call. able has the operations that condition I (line 42)
// allows. next has the operations that condition II (line 46) allows; nil means all, as at the start of a seq. Both
// sets may include operations that are already in the seq.
func (f *finder) candidates() (able, next bitset) {
	l := &f.levels[len(f.seq)]
	if !f.shared || len(f.seq) == 0 {
		return l.able, nil
	}
	return l.able, l.next
}

// following returns the first operation from op on that may follow the current seq, or f.ops if there is none.
func (f *finder) following(op int) int {
	able, next := f.candidates()
	op = able.from(next, op, f.ops)
	for !f.again && slices.Contains(f.seq, op) {
		op = able.from(next, op+1, f.ops)
	}
	return op
}

// countFollowing returns the number of operations that may follow the current seq.
func (f *finder) countFollowing() int {
	able, next := f.candidates()
	n := able.count(next)
	if f.again {
		return n
	}
	for _, op := range f.seq {
		if able.has(op) && (next == nil || next.has(op)) {
			n--
		}
	}
	return n
}

// push appends an operation to the current seq. A seq of full length is not extended, so push does not compute its
// state.
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
		if f.shared && f.offers == nil {
			f.takers[v].addTo(to.next)
		}
		for _, waiting := range f.needed[v] {
			f.lacks[waiting]--
			if f.lacks[waiting] == 0 {
				to.able.add(waiting)
			}
		}
	}
	if f.shared && f.offers != nil {
		for _, v := range f.offers[op] {
			f.takers[v].addTo(to.next)
		}
	}
}

// pop removes the last operation of the seq, and the values that it added.
func (f *finder) pop() {
	for _, v := range f.levels[len(f.seq)].added {
		for _, waiting := range f.needed[v] {
			f.lacks[waiting]++
		}
	}
	f.seq, f.ids = f.seq[:len(f.seq)-1], f.ids[:len(f.ids)-1]
}
