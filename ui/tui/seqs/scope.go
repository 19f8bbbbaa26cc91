package seqs

import (
	"context"
	"slices"
	"strings"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// scope is the part of the API whose seqs are listed. The zero value is the whole API.
type scope struct {
	name string // name in the form of sonde seqs --only: "cluster:orders", "group:2", "GET /orders"
	ops  map[model.OpID]bool
}

// newScope returns the scope of a message. It leaves out operations that are not in the spec. If no operation is
// left, the scope is the whole API.
func newScope(msg screen.ScopeSeqs, unknown func(model.OpID) bool) scope {
	s := scope{name: msg.Name, ops: map[model.OpID]bool{}}
	for _, op := range msg.Operations {
		if !unknown(op) {
			s.ops[op] = true
		}
	}
	if len(s.ops) == 0 {
		return scope{}
	}
	return s
}

// title returns the name of the scope for a title, in at most width cells. A long path loses segments.
func (s scope) title(width int) string {
	if area, ok := strings.CutPrefix(s.name, "cluster:"); ok {
		return draw.CutMiddle(draw.Clean("area "+area), width)
	}
	if group, ok := strings.CutPrefix(s.name, "group:"); ok {
		return draw.CutMiddle(draw.Clean("group "+group), width)
	}
	return draw.OperationLine(s.name, width).Text()
}

// whole reports whether the scope is the whole API.
func (s scope) whole() bool { return s.ops == nil }

// has reports whether a seq calls an operation in the scope.
func (s scope) has(seq model.Seq) bool {
	return s.whole() || slices.ContainsFunc(seq, func(op model.OpID) bool { return s.ops[op] })
}

// listings are the distilled seqs of a scope by each rule.
type listings struct {
	dc     distil.Listing
	longer []model.Seq     // seqs by DC that are longer than the limit of dc, or paths to a single operation
	sc     *distil.Listing // nil until the seqs by SC are computed
	meter  *valuegroup.Meter
}

// scoped is sent when scope.list has its result.
type scoped struct {
	analyzed *screen.AnalyzedSpec
	scope    string
	listings listings
}

// list computes the seqs of the scope, which must not be the whole API.
func (s scope) list(analyzed *screen.AnalyzedSpec) tea.Cmd {
	return func() tea.Msg {
		part := s.part(analyzed)
		l := s.ofSeveral(part)
		if op, one := s.single(); one {
			l = s.ofOne(analyzed.Analysis, op)
		}
		l.meter = part.AdequacyMeter()
		return scoped{analyzed: analyzed, scope: s.name, listings: l}
	}
}

// part returns the analysis of the operations in the scope.
func (s scope) part(analyzed *screen.AnalyzedSpec) *analysis.Analysis {
	var kept []*model.Operation
	for _, op := range analyzed.Spec.Operations {
		if s.ops[op.ID] {
			kept = append(kept, op)
		}
	}
	return analyzed.Analysis.Subset(kept)
}

// single returns the operation of a scope that is named after its only operation.
func (s scope) single() (op model.OpID, ok bool) {
	op = model.OpID(s.name)
	return op, len(s.ops) == 1 && s.ops[op]
}

// ofSeveral returns the seqs that have only operations of the scope.
func (s scope) ofSeveral(part *analysis.Analysis) listings {
	// The listings below fail only if their context ends, and this context never ends.
	dc, _ := part.DistilSeqs(context.Background(), distil.RuleDC)
	longer, _ := part.LongerSeqs(context.Background())
	sc, _ := part.DistilSeqs(context.Background(), distil.RuleSC)
	return listings{dc: dc, longer: longer, sc: &sc}
}

// maxPaths is the maximum number of paths to an operation that are listed.
const maxPaths = 5

// ofOne returns the seqs of the whole API that contain an operation, and the shortest paths to the operation.
func (s scope) ofOne(whole *analysis.Analysis, op model.OpID) listings {
	dc, _ := whole.SeqsWith(context.Background(), distil.RuleDC, op)
	sc, _ := whole.SeqsWith(context.Background(), distil.RuleSC, op)
	l := listings{dc: dc, sc: &sc}
	for _, p := range whole.Planner().Paths(op, maxPaths) {
		if !slices.ContainsFunc(l.dc.Seqs, func(seq model.Seq) bool { return slices.Equal(seq, p.Seq) }) {
			l.longer = append(l.longer, p.Seq)
		}
	}
	return l
}

// limitTo limits the list to the seqs of a scope and the tests that have a call in it. The picks stay.
func (s *Screen) limitTo(to scope) tea.Cmd {
	if s.catalog.analyzed == nil {
		return nil
	}
	s.details.close()
	s.details.focused, s.list.pinned = false, false
	s.list.find.SetText("")
	s.list.origin = allOrigins
	s.catalog.scope = to
	if to.whole() {
		return s.listScope(s.catalog.whole)
	}
	return tea.Batch(s.listScope(listings{}), to.list(s.catalog.analyzed))
}

// scoped lists the seqs that were computed, if the scope is still the current one.
func (s *Screen) scoped(msg scoped) tea.Cmd {
	if msg.analyzed != s.catalog.analyzed || msg.scope != s.catalog.scope.name {
		return nil
	}
	return s.listScope(msg.listings)
}

// listScope lists the seqs of the current scope.
func (s *Screen) listScope(l listings) tea.Cmd {
	s.catalog.list(l)
	s.list.refresh()
	return s.picks.changed()
}
