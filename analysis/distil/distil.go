// Package distil lists call seqs by Algorithm 3 of the paper "Call Sequence List Distiller". The algorithm lists the
// seqs in which each operation may follow those before it, up to a length and a number of seqs. The package uses the
// values that operations take and emit. It calls a service only through Options.Invoke.
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
	// RuleDC requires both conditions of the paper's section 2.3. Condition I: the seq emits or takes every value that
	// the next operation requires, except for values that no operation emits. Condition II: the next operation takes
	// at least one value that the seq exchanges.
	RuleDC Rule = "dc"
	// RuleSC requires only condition I, like the work before the paper.
	RuleSC Rule = "sc"
)

// ParseRule returns the rule called name, or an error that lists the rules.
func ParseRule(name string) (Rule, error) {
	switch r := Rule(name); r {
	case RuleDC, RuleSC:
		return r, nil
	default:
		return "", fmt.Errorf("%q is not a rule; give %s or %s", name, RuleDC, RuleSC)
	}
}

// The limits of a listing in the paper's section 3.
const (
	DefaultLength = 3 // N_seq
	// DefaultLimit is one more than the paper's N_list, 2,000: line 28 of Algorithm 3 compares the number of seqs with
	// N_list before it adds one, so that at most N_list + 1 are listed.
	DefaultLimit = 2000 + 1
)

// AsPrinted selects lines of Algorithm 3 that a listing follows as they are printed. The zero value follows the text
// and the example of the paper where the pseudo-code deviates from them.
type AsPrinted struct {
	// Repeats lets an operation be in a seq more than once. Line 40 tries every operation of the spec as the next
	// one, but the example of section 2.3 has no seq with an operation twice.
	Repeats bool
	// FedOnly follows line 50: of the values that an operation takes, it adds only the feedable ones to ref, the
	// values of the seq. It leaves out an optional value that no answer gives. According to the text of the paper, ref
	// has all values "emitted or taken by at least one" operation of the seq.
	FedOnly bool
}

// Options configure and limit a listing.
type Options struct {
	AsPrinted
	Rule   Rule // "" means RuleDC
	Length int  // N_seq, the maximum number of operations in a seq; 0 means DefaultLength
	// RequiredOnly restricts condition II to shared values that the next operation requires. Section 5 of the paper
	// calls this the degree of necessity. It has no effect on RuleSC.
	RequiredOnly bool
	// Shared, if not nil, restricts condition II to the values that this table has: the seq exchanges the value by a use
	// in Shared, and the next operation takes the value by a use in Shared. Operations and values must have the same
	// numbers as in the table of the listing; see [match.Matcher.WeightedTable]. With FedOnly, the seq exchanges only what
	// it emits. It has no effect on RuleSC.
	Shared *match.ValuesTable
	// Invoke calls a seq on the real service; it is INVOKE in Algorithm 3. If done is false, the seq is not listed.
	// If success is false, the seq is not extended. An error ends the listing. If Invoke is nil, done and success are
	// true for each seq, as in the paper's evaluation. Invoke must not keep the seq, because its memory is reused.
	Invoke func(context.Context, model.Seq) (done, success bool, err error)
	// Limit is the maximum number of seqs that are listed, N_list + 1. 0 means DefaultLimit.
	Limit int
}

// filled returns the options with zero values replaced by the defaults.
func (o Options) filled() Options {
	if o.Rule == "" {
		o.Rule = RuleDC
	}
	if o.Length == 0 {
		o.Length = DefaultLength
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	return o
}

// Listing is the result of the paper's ListAPISeqs.
type Listing struct {
	Seqs []model.Seq
	// GaveUp reports whether there were more seqs than the limit.
	GaveUp bool
}

// ListSeqs returns the seqs of a table's operations, at most Options.Limit, in the order of Algorithm 3. The error is
// from ctx or from Invoke. In case of an error, the listing has the seqs that were found before.
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

// ListSeqsWith returns the seqs of a table's operations that call op, in the order of Algorithm 3. It returns no more
// than Options.Limit seqs, and visits no more seqs than most. GaveUp reports whether one of these two limits was
// exceeded. The error is the context's.
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

// CountSeqs returns the number of seqs of a table's operations, but no more than most. more reports whether there are
// more. CountSeqs ignores Options.Invoke. The error is the context's.
func CountSeqs(ctx context.Context, t *match.ValuesTable, o Options, most int) (n int, more bool, err error) {
	o = o.filled()
	o.Invoke = nil
	f := newFinder(ctx, t, o)
	for length, shorter := 1, -1; length <= f.length && n <= most && n > shorter; length++ {
		shorter = n
		f.grow(length)
		n = f.count(length, n, most)
	}
	return min(n, most), n > most, ctx.Err()
}

// AllSeqs returns an iterator over all seqs for which Invoke returns done, in the order of Algorithm 3, without a
// limit. It stores no seqs, so its memory does not grow. It reuses the memory of a seq for the next one: the caller
// must clone a seq to keep it. The iterator ends early when ctx is done or Invoke returns an error.
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
