// Package analysis computes the results of a spec that the commands, the screens and the search use: which values are
// the same, the value-sharing groups, the dependency graph, the distilled seqs and the templates of tests.
//
// The algorithms are in the packages match, valuegroup, depend, distil and cluster. This package calls them in the
// right order, and keeps the results that are used often. It calls no service.
package analysis

import (
	"context"
	"sync"

	"sonde/analysis/cluster"
	"sonde/analysis/depend"
	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
)

// Options select what is analysed, and how.
type Options struct {
	// Mode selects how values are read and matched. The zero value means [match.DefaultMode].
	Mode match.Mode
	// Operations are the operations to analyse, such as those of a tag. nil means all operations of the spec. Values
	// are always matched for the whole spec.
	Operations []*model.Operation
}

// Analysis has the results of analysing a spec. Most results are computed when they are first requested, and then
// kept. An Analysis may be used by several goroutines at once. The kept results are shared and must not be changed.
type Analysis struct {
	Spec *model.Spec
	// Operations are the analysed operations, in the order of the spec.
	Operations []*model.Operation
	Mode       match.Mode

	matcher   func() *match.Matcher
	usual     func() *match.Matcher
	table     func() *match.ValuesTable
	groups    func() []model.ValueGroup
	groupOf   func() map[model.OpID]int
	graph     func() *depend.Graph
	exchanges func() *depend.Graph
	grants    func() []match.LoginGrant
	clusters  func() []*cluster.Cluster
	inventory func() *depend.Inventory
	meter     func() *valuegroup.Meter
	planner   func() *depend.Planner
	templates func() []model.Template
	sources   func() []IDSource

	listings map[distil.Rule]*listing
	longer   longerSeqs
}

// Analyze returns the analysis of a spec. Analyze computes no result itself. The methods of the Analysis do.
func Analyze(spec *model.Spec, o Options) *Analysis {
	if o.Mode == (match.Mode{}) {
		o.Mode = match.DefaultMode
	}
	if o.Operations == nil {
		o.Operations = spec.Operations
	}
	a := &Analysis{Spec: spec, Mode: o.Mode}
	a.matcher = sync.OnceValue(func() *match.Matcher { return match.New(spec.Operations, o.Mode, spec.Corrections...) })
	a.usual = a.matcher
	if o.Mode != match.DefaultMode {
		a.usual = sync.OnceValue(func() *match.Matcher { return match.New(spec.Operations, match.DefaultMode, spec.Corrections...) })
	}
	a.planner = sync.OnceValue(func() *depend.Planner { return depend.NewPlanner(a.usual(), spec.Operations) })
	a.templates = sync.OnceValue(func() []model.Template { return a.planner().Templates() })
	a.grants = sync.OnceValue(func() []match.LoginGrant { return a.Matcher().LoginGrants(spec) })
	a.sources = sync.OnceValue(a.findSources)
	a.limitTo(o.Operations)
	return a
}

// limitTo sets the analysed operations and resets all results that depend on them.
func (a *Analysis) limitTo(ops []*model.Operation) {
	a.Operations = ops
	a.table = sync.OnceValue(func() *match.ValuesTable { return a.Matcher().ValuesTable(ops) })
	a.groups = sync.OnceValue(func() []model.ValueGroup { return valuegroup.FindGroups(a.ValuesTable()) })
	a.groupOf = sync.OnceValue(a.indexGroups)
	a.graph = sync.OnceValue(func() *depend.Graph { return depend.NewGraph(a.Matcher().LinkTable(ops)) })
	a.exchanges = sync.OnceValue(func() *depend.Graph { return depend.NewGraph(a.ValuesTable()) })
	a.clusters = sync.OnceValue(func() []*cluster.Cluster { return cluster.Divide(a.usual(), ops) })
	a.inventory = sync.OnceValue(func() *depend.Inventory { return depend.NewInventory(a.Matcher(), ops) })
	a.meter = sync.OnceValue(func() *valuegroup.Meter { return valuegroup.NewMeter(a.ValuesTable()) })
	a.listings = map[distil.Rule]*listing{distil.RuleDC: {}, distil.RuleSC: {}}
	a.longer = longerSeqs{}
}

// Subset returns the analysis of some of the operations. Both analyses share the results that do not depend on the
// selection, such as the matched values.
func (a *Analysis) Subset(ops []*model.Operation) *Analysis {
	part := &Analysis{
		Spec:      a.Spec,
		Mode:      a.Mode,
		matcher:   a.matcher,
		usual:     a.usual,
		planner:   a.planner,
		templates: a.templates,
		grants:    a.grants,
		sources:   a.sources,
	}
	part.limitTo(ops)
	return part
}

// Matcher returns the matcher with the values of the whole spec.
func (a *Analysis) Matcher() *match.Matcher { return a.matcher() }

// ValuesTable returns which values each analysed operation takes and emits.
func (a *Analysis) ValuesTable() *match.ValuesTable { return a.table() }

// ValueGroups returns the value-sharing groups of the analysed operations.
func (a *Analysis) ValueGroups() []model.ValueGroup { return a.groups() }

// GroupOf returns the group of each analysed operation, as an index into [Analysis.ValueGroups].
func (a *Analysis) GroupOf() map[model.OpID]int { return a.groupOf() }

// DependencyGraph returns the dependency graph of the analysed operations. Its edges are values of the kinds that
// link operations, see [model.ValueKind.Links].
func (a *Analysis) DependencyGraph() *depend.Graph { return a.graph() }

// ExchangeGraph returns the graph whose edges are all values that operations can pass, attributes included. A client
// could copy an attribute from an answer into a request.
func (a *Analysis) ExchangeGraph() *depend.Graph { return a.exchanges() }

// Clusters returns the clusters of the analysed operations. Values are matched in the default mode.
func (a *Analysis) Clusters() []*cluster.Cluster { return a.clusters() }

// ClusterBorders returns the values that pass from one cluster of the analysed operations to another.
func (a *Analysis) ClusterBorders(all []*cluster.Cluster) []cluster.Border {
	return cluster.Borders(a.usual(), a.Operations, all)
}

// Profiler returns the profiler of the analysed operations. It finds the nouns and values that are typical of a set
// of operations.
func (a *Analysis) Profiler() *cluster.Profiler { return cluster.NewProfiler(a.usual(), a.Operations) }

// LoginGrants returns the credentials that log-ins of the spec return, each with the operations that require it. These
// credentials are not edges of the dependency graph.
func (a *Analysis) LoginGrants() []match.LoginGrant { return a.grants() }

// Inventory returns the resources of the analysed operations.
func (a *Analysis) Inventory() *depend.Inventory { return a.inventory() }

// WeightedTable returns the part of [Analysis.ValuesTable] that counts for condition II of the distiller paper if the
// condition has a weight. The result is for distil.Options.Shared. It is nil if the weight restricts nothing.
func (a *Analysis) WeightedTable(w match.Weight) *match.ValuesTable {
	if w.IsZero() {
		return nil
	}
	return a.Matcher().WeightedTable(a.Operations, w)
}

// AdequacyMeter returns the meter for the analysed operations, which measures how adequate seqs are.
func (a *Analysis) AdequacyMeter() *valuegroup.Meter { return a.meter() }

// Templates returns the templates of tests for all operations of the spec, see
// [depend.Planner.Templates]. Values are matched in the default mode.
func (a *Analysis) Templates() []model.Template { return a.templates() }

// PlainTemplates returns the templates of the EvoMaster paper for all operations of the spec, see
// [depend.PlainTemplates].
func (a *Analysis) PlainTemplates() []model.Template { return depend.PlainTemplates(a.Spec.Operations) }

// SeqConnector returns a function that links the calls of a seq, see [depend.Planner.ConnectSeq]. Values are matched
// in the default mode. The function may be called by several goroutines at once.
func (a *Analysis) SeqConnector() func(model.Seq) model.Template { return a.planner().ConnectSeq }

// Planner returns the planner of the spec. It finds paths to operations, and the impact of the resources that
// operations create. Values are matched in the default mode.
func (a *Analysis) Planner() *depend.Planner { return a.planner() }

// DistilSeqs lists the seqs of the analysed operations up to the default limits.
// The error is the context's.
func (a *Analysis) DistilSeqs(ctx context.Context, rule distil.Rule) (distil.Listing, error) {
	return a.listings[rule].list(ctx, a.ValuesTable(), rule)
}

// maxCounted is the maximum number of seqs that CountSeqs counts, or that SeqsWith visits. Visiting this many seqs
// takes about a second.
const maxCounted = 5_000_000

// CountSeqs returns the number of seqs of the analysed operations, including those that [Analysis.DistilSeqs] does
// not list. It stops counting after five million seqs; more reports whether there are more. The error is the
// context's.
func (a *Analysis) CountSeqs(ctx context.Context, rule distil.Rule) (n int, more bool, err error) {
	listed, err := a.DistilSeqs(ctx, rule)
	if err != nil || !listed.GaveUp {
		return len(listed.Seqs), false, err
	}
	return distil.CountSeqs(ctx, a.ValuesTable(), distil.Options{Rule: rule}, maxCounted)
}

// SeqsWith lists the seqs of the analysed operations that call op, up to the default limits. GaveUp reports
// whether there may be more. The error is the context's.
func (a *Analysis) SeqsWith(ctx context.Context, rule distil.Rule, op model.OpID) (distil.Listing, error) {
	return distil.ListSeqsWith(ctx, a.ValuesTable(), distil.Options{Rule: rule}, op, maxCounted)
}

// LongerSeqs returns a few seqs that are longer than the seqs of [Analysis.DistilSeqs] by rule DC. Together they
// contain the operations that only longer seqs contain, if these are short and few enough; see
// [valuegroup.Meter.Supplement]. If DistilSeqs gave up, LongerSeqs returns nil. The error is the context's.
func (a *Analysis) LongerSeqs(ctx context.Context) ([]model.Seq, error) {
	listed, err := a.DistilSeqs(ctx, distil.RuleDC)
	if err != nil || listed.GaveUp {
		return nil, err
	}
	return a.longer.list(ctx, a.AdequacyMeter(), listed.Seqs)
}

func (a *Analysis) indexGroups() map[model.OpID]int {
	of := map[model.OpID]int{}
	for i, g := range a.ValueGroups() {
		for _, op := range g.Operations {
			of[op] = i
		}
	}
	return of
}
