package analysis

import (
	"context"
	"sync"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

// listing caches the seqs by one rule. It does not cache a listing that was cancelled.
type listing struct {
	mu     sync.Mutex
	listed *distil.Listing
}

func (l *listing) list(ctx context.Context, t *match.ValuesTable, rule distil.Rule) (distil.Listing, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listed == nil {
		listed, err := distil.ListSeqs(ctx, t, distil.Options{Rule: rule})
		if err != nil {
			return distil.Listing{}, err
		}
		l.listed = &listed
	}
	return *l.listed, nil
}

// longerLimit is the maximum number of candidates of each length for the longer seqs.
const longerLimit = 20_000

// longerSeqs caches the longer seqs. It does not cache a result that was cancelled.
type longerSeqs struct {
	mu   sync.Mutex
	done bool
	seqs []model.Seq
}

func (l *longerSeqs) list(ctx context.Context, m *valuegroup.Meter, covered []model.Seq) ([]model.Seq, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return l.seqs, nil
	}
	rest, err := m.Supplement(covered, func(length int) ([]model.Seq, bool, error) {
		longer, err := distil.ListSeqs(ctx, m.Table, distil.Options{Rule: distil.RuleDC, Length: length, Limit: longerLimit})
		return longer.Seqs, longer.GaveUp, err
	})
	if err != nil {
		return nil, err
	}
	l.seqs, l.done = rest.Seqs, true
	return l.seqs, nil
}
