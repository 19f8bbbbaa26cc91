// Package distil lists call seqs by Algorithm 3 of the paper "Call Sequence List Distiller": few seqs that
// still contain all operations that any seq can contain. It works on the values that operations take and
// emit, and calls a service only through Options.Invoke.
package distil

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// Rule decides which operations may follow a seq.
type Rule string

// The rules.
const (
	// RuleDC requires both conditions of the paper's section 2.3: the seq emits or
	// takes every value that the next operation needs (I), and the next operation
	// takes at least one value that the seq exchanges (II).
	RuleDC Rule = "dc"
	// RuleSC requires condition I only, as the work before the paper did.
	RuleSC Rule = "sc"
)

// ParseRule returns the rule called name.
func ParseRule(name string) (Rule, error) {
	switch r := Rule(name); r {
	case RuleDC, RuleSC:
		return r, nil
	default:
		return "", fmt.Errorf("%q is not a rule; give %s or %s", name, RuleDC, RuleSC)
	}
}

// Options bound a listing.
type Options struct {
	Rule   Rule // "" means RuleDC
	Length int  // N_seq, the maximum number of operations in a seq; 0 means 3
	// RequiredOnly restricts condition II to the shared values that the next
	// operation requires: the degree of necessity of the paper's section 5. It has
	// no effect on RuleSC.
	RequiredOnly bool
	// Invoke calls a seq on the real service: Algorithm 3's INVOKE. A seq for which done is false is not
	// listed, and a seq for which success is false is not extended. An error ends the listing. If Invoke is
	// nil, both are true for each seq, as in the paper's evaluation. Invoke must not keep the seq, because
	// its memory is reused.
	Invoke func(context.Context, model.Seq) (done, success bool, err error)
	// Limit is the maximum number of seqs that are listed. 0 means 2,001: Algorithm 3 compares with the
	// paper's N_list, 2,000, before it adds a seq, so that it lists one more.
	Limit int
}

// filled returns the options with defaults in place of zero values.
func (o Options) filled() Options {
	if o.Rule == "" {
		o.Rule = RuleDC
	}
	if o.Length == 0 {
		o.Length = 3
	}
	if o.Limit == 0 {
		o.Limit = 2001
	}
	return o
}

// Listing is the result of the paper's ListAPISeqs.
type Listing struct {
	Seqs []model.Seq
	// GaveUp reports whether there were more seqs than the limit.
	GaveUp bool
}

// ListSeqs returns the seqs of a table's operations, at most Options.Limit, in the order of Algorithm 3.
// The error is from ctx or from Invoke. If there is an error, the listing has the seqs so far.
func ListSeqs(ctx context.Context, t *match.ValuesTable, o Options) (Listing, error) {
	o = o.filled()
	var l Listing
	f := newFinder(ctx, t, o)
	f.each(func(seq model.Seq) (extend, more bool) {
		l.GaveUp = len(l.Seqs) >= o.Limit
		if l.GaveUp { // line 28, before INVOKE
			return false, false
		}
		done, success := f.invoke(seq)
		if done {
			l.Seqs = append(l.Seqs, slices.Clone(seq))
		}
		return success, true
	})
	return l, f.err
}

// ListSeqsWith returns the seqs of a table's operations that call op, at most Options.Limit, in the order of
// Algorithm 3. The parameter most limits the number of seqs that it visits. GaveUp reports whether there were more
// seqs than one of the two limits allows. The error is that of ctx.
func ListSeqsWith(ctx context.Context, t *match.ValuesTable, o Options, op model.OpID, most int) (Listing, error) {
	o = o.filled()
	var l Listing
	n := 0
	for seq := range AllSeqs(ctx, t, o) {
		n++
		isWanted := slices.Contains(seq, op)
		if l.GaveUp = n > most || isWanted && len(l.Seqs) == o.Limit; l.GaveUp {
			break
		}
		if isWanted {
			l.Seqs = append(l.Seqs, slices.Clone(seq))
		}
	}
	return l, ctx.Err()
}

// CountSeqs counts the seqs of a table's operations up to most. more reports whether there are more than
// most. No seq is called: Options.Invoke has no effect. The error is that of ctx.
func CountSeqs(ctx context.Context, t *match.ValuesTable, o Options, most int) (n int, more bool, err error) {
	o = o.filled()
	o.Invoke = nil
	f := newFinder(ctx, t, o)
	for length := 1; length <= f.length && n <= most; length++ {
		n = f.count(length, n, most)
	}
	return min(n, most), n > most, ctx.Err()
}

// AllSeqs yields all seqs in the order of Algorithm 3, without a limit. It stores none of them, so its
// memory does not grow. The memory of a seq is reused for the next one; clone a seq to keep it. AllSeqs
// ends early when ctx ends or Invoke returns an error.
func AllSeqs(ctx context.Context, t *match.ValuesTable, o Options) iter.Seq[model.Seq] {
	o = o.filled()
	return func(yield func(model.Seq) bool) {
		f := newFinder(ctx, t, o)
		f.each(func(seq model.Seq) (extend, more bool) {
			done, success := f.invoke(seq)
			return success, !done || yield(seq)
		})
	}
}
