package screen

import (
	"context"

	"sonde/analysis/depend"
	"sonde/analysis/distil"
	"sonde/analysis/share"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/ui/chain"
	"sonde/ui/tui/filter"

	"github.com/sourcegraph/conc"
)

// NewStudy analyses a spec, its values read and matched in one way. It is slow
// for large specs and belongs into a Cmd. Its error is the context's.
func NewStudy(ctx context.Context, spec *model.Spec, way match.Way) (*Study, error) {
	s := &Study{Spec: spec, GroupOf: map[model.OpID]int{}}
	var beside conc.WaitGroup
	beside.Go(func() { s.Index, s.Names = filter.NewIndex(spec), chain.NewNames(spec.Operations) })
	s.Matcher = match.New(spec.Operations, way)
	table := s.Matcher.Table(spec.Operations)
	s.Groups, s.Graph = share.Groups(table), depend.Dependencies(table)
	s.Grants = s.Matcher.Grants(spec)
	for i, g := range s.Groups {
		for _, op := range g.Operations {
			s.GroupOf[op] = i
		}
	}
	beside.Wait()
	beside.Go(func() { s.Wires = wires(spec, s.Matcher) })
	beside.Go(func() { s.Index.Know(spec, s.Matcher, s.GroupOf) })
	err := s.list(ctx, table)
	beside.Wait()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// list lists the seqs.
func (s *Study) list(ctx context.Context, table *match.Table) error {
	listed, err := distil.List(ctx, table, distil.Options{Rule: distil.DC})
	if err == nil {
		s.Seqs, s.GaveUp = listed.Seqs, listed.GaveUp
		s.Longer, err = beyond(ctx, table, listed)
	}
	return err
}

// beyond returns few longer seqs that have the operations which no listed seq
// has, as far as there are any.
func beyond(ctx context.Context, t *match.Table, listed distil.Listing) ([]model.Seq, error) {
	if listed.GaveUp {
		return nil, nil
	}
	rest, err := share.NewMeter(t).Rest(listed.Seqs, func(length int) ([]model.Seq, bool, error) {
		longer, err := distil.List(ctx, t, distil.Options{Rule: distil.DC, Length: length, Limit: 20_000})
		return longer.Seqs, longer.GaveUp, err
	})
	return rest.Seqs, err
}

// Wire tells that tests take the id that one operation needs from the answer of
// another, because that one creates or lists such things. The graph can't
// replace it: it doesn't tell who makes an id from who only repeats it, and it
// has no edge where the document doesn't say that the answer holds the id.
type Wire struct {
	From, To model.OpID
	Value    string // the id's identity, as the graph has it
}

// wires collects the open links of all templates, each once.
func wires(spec *model.Spec, m *match.Matcher) []Wire {
	var out []Wire
	seen := map[Wire]bool{}
	ops := make(map[model.OpID]*model.Operation, len(spec.Operations))
	for _, op := range spec.Operations {
		ops[op.ID] = op
	}
	usual := m
	if m.Way != match.Usual {
		usual = match.New(spec.Operations, match.Usual)
	}
	for _, t := range depend.TemplatesOf(usual, spec.Operations) {
		for _, l := range t.Links {
			from, to := t.Steps[l.From].Op, t.Steps[l.To].Op
			w := Wire{From: from, To: to, Value: identity(m.Uses(ops[to]), l)}
			if l.Open() && from != to && !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}

// identity returns under which identity an operation takes what a link brings;
// where the matcher does not read so deep, the name.
func identity(uses []match.Use, l model.Link) string {
	for _, u := range uses {
		if !u.Out && u.In == l.In && (u.Name == l.Name || u.Pointer == l.Name) {
			return u.ID
		}
	}
	return pointer.Last(l.Name)
}
