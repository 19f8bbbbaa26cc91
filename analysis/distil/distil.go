// Package distil lists call seqs: few of them, without losing operations.
package distil

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// Rule says which operations may follow a seq.
type Rule string

// The rules.
const (
	// RuleDC asks for both conditions of the paper's section 2.3: what the next
	// operation needs is there (I), and it takes something of what the seq
	// exchanges (II).
	RuleDC Rule = "dc"
	// RuleSC asks for condition I alone, as the work before the paper did.
	RuleSC Rule = "sc"
)

// ParseRule returns the rule called name.
func ParseRule(name string) (Rule, error) {
	switch r := Rule(name); r {
	case RuleDC, RuleSC:
		return r, nil
	default:
		return "", fmt.Errorf("%q is no rule; give %s or %s", name, RuleDC, RuleSC)
	}
}

// Options bound a listing.
type Options struct {
	Rule   Rule // "" stands for DC
	Length int  // N_seq, the most operations in a seq; 0 stands for 3
	// RequiredOnly lets condition II count only those shared values that the next
	// operation requires: the degree of necessity of the paper's section 5. It
	// means nothing to SC.
	RequiredOnly bool
	// Invoke calls a seq on the real service: it is Algorithm 3's INVOKE. What
	// is not done whole is not listed, and what did not succeed is not
	// extended. An error ends the listing. Where Invoke is nil all goes well,
	// as in the paper's evaluation. It is called with a seq that is used again
	// afterwards.
	Invoke func(context.Context, model.Seq) (done, success bool, err error)
	// Limit is the most seqs that are listed. 0 stands for 2,001: Algorithm 3 asks
	// before each seq whether there are more than N_list, the paper's 2,000, so
	// that it lists one more.
	Limit int
}

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

// Listing is what ListAPISeqs found.
type Listing struct {
	Seqs []model.Seq
	// GaveUp tells that there were more seqs than the limit.
	GaveUp bool
}

// ListSeqs returns the seqs of a table's operations up to the limit, in the order
// of Algorithm 3. The error is the context's or Invoke's; with it comes what was
// listed until then.
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

// AllSeqs yields every seq, without regard to the limit, in the order of
// Algorithm 3. It keeps none of them, so that its memory does not grow: each is
// valid until the next one is asked for, and what is kept must be cloned. It
// ends early where ctx does, or where Invoke returned an error.
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
