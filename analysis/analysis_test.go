package analysis_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

func shop(t *testing.T) *model.Spec {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "shop.json", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// Each result equals the result of the package that computes it.
func TestAnalyze(t *testing.T) {
	spec := shop(t)
	for name, way := range map[string]match.Mode{"usual": match.DefaultMode, "paper": match.PaperMode} {
		a := analysis.Analyze(spec, analysis.Options{Mode: way})
		table := match.NewValuesTable(spec.Operations, way)
		for _, result := range []struct {
			name      string
			got, want any
		}{
			{"table", a.ValuesTable().Names, table.Names},
			{"groups", a.ValueGroups(), valuegroup.FindGroups(table)},
			{"graph", a.DependencyGraph().Operations, depend.NewGraph(table).Operations},
			{"templates", a.Templates(), depend.NewPlanner(match.New(spec.Operations, match.DefaultMode), spec.Operations).Templates()},
		} {
			if !reflect.DeepEqual(result.got, result.want) {
				t.Errorf("%s: %s: got %v, want %v", name, result.name, result.got, result.want)
			}
		}
	}
}

// The dependency graph has the edges of the exchange graph that have a value of a linking kind. Edges with attributes
// only are missing. If values are matched by name, both graphs are equal.
func TestGraphsOfLinksAndExchanges(t *testing.T) {
	spec := shop(t)
	kinds := map[string]map[match.Kind]bool{}
	a := analysis.Analyze(spec, analysis.Options{})
	for _, op := range spec.Operations {
		for _, u := range a.Matcher().UsesOf(op) {
			if kinds[u.ID] == nil {
				kinds[u.ID] = map[match.Kind]bool{}
			}
			kinds[u.ID][u.Kind] = true
		}
	}
	values := func(g *depend.Graph) map[[3]string]bool {
		all := map[[3]string]bool{}
		for e := range g.AllEdges() {
			for _, v := range e.Values {
				all[[3]string{string(e.From), string(e.To), v}] = true
			}
		}
		return all
	}
	links, exchanges := values(a.DependencyGraph()), values(a.ExchangeGraph())
	for e := range links {
		onlyAttribute := len(kinds[e[2]]) == 1 && kinds[e[2]][match.KindAttribute]
		if !exchanges[e] || onlyAttribute {
			t.Errorf("%v: exchanged %t, only an attribute %t", e, exchanges[e], onlyAttribute)
		}
	}
	name := [3]string{"POST /products", "GET /products", "product.category"}
	if len(links) == 0 || links[name] || !exchanges[name] {
		t.Errorf("%d links; %v links %t and is exchanged %t, want only the latter", len(links), name, links[name], exchanges[name])
	}
	byName := analysis.Analyze(spec, analysis.Options{Mode: match.PaperMode})
	if !reflect.DeepEqual(values(byName.DependencyGraph()), values(byName.ExchangeGraph())) {
		t.Error("by name, the graphs differ")
	}
}

func TestAnalyzeMatchesTheUsualWayUnlessToldOtherwise(t *testing.T) {
	if got := analysis.Analyze(shop(t), analysis.Options{}).Mode; got != match.DefaultMode {
		t.Errorf("got %v, want %v", got, match.DefaultMode)
	}
}

// Each result is computed once, even if several goroutines need it.
func TestAnalyzeOnce(t *testing.T) {
	a := analysis.Analyze(shop(t), analysis.Options{})
	var all sync.WaitGroup
	matchers, tables := make([]*match.Matcher, 4), make([]*match.ValuesTable, 4)
	for i := range matchers {
		all.Go(func() { matchers[i], tables[i] = a.Matcher(), a.ValuesTable() })
	}
	all.Wait()
	for i := range matchers {
		if matchers[i] != matchers[0] || tables[i] != tables[0] {
			t.Errorf("caller %d got results of its own", i)
		}
	}
	if part := a.Subset(a.Operations[:1]); part.Matcher() != a.Matcher() {
		t.Error("a part has a matcher of its own")
	}
}

func TestGroupOf(t *testing.T) {
	a := analysis.Analyze(shop(t), analysis.Options{})
	of := a.GroupOf()
	if len(of) != len(a.Operations) {
		t.Errorf("%d of %d operations are in a group", len(of), len(a.Operations))
	}
	for i, g := range a.ValueGroups() {
		for _, op := range g.Operations {
			if of[op] != i {
				t.Errorf("%s: in group %d, want %d", op, of[op], i)
			}
		}
	}
}

// A subset has the results of its own operations, but the identities of values are those of the whole spec.
func TestSubset(t *testing.T) {
	spec := shop(t)
	a := analysis.Analyze(spec, analysis.Options{})
	var carts []*model.Operation
	for _, op := range spec.Operations {
		if _, ok := a.GroupOf()[op.ID]; ok && a.GroupOf()[op.ID] == a.GroupOf()["POST /carts"] {
			carts = append(carts, op)
		}
	}
	part := a.Subset(carts)
	if got := len(part.DependencyGraph().Operations); got != len(carts) {
		t.Errorf("the graph has %d operations, want %d", got, len(carts))
	}
	direct := analysis.Analyze(spec, analysis.Options{Operations: carts})
	if !reflect.DeepEqual(part.ValueGroups(), direct.ValueGroups()) {
		t.Errorf("a part has the groups %v, an analysis of the same operations %v", part.ValueGroups(), direct.ValueGroups())
	}
	if len(part.Templates()) != len(a.Templates()) {
		t.Errorf("a part has %d templates, the whole %d", len(part.Templates()), len(a.Templates()))
	}
}

func TestDistil(t *testing.T) {
	a, ctx := analysis.Analyze(shop(t), analysis.Options{}), context.Background()
	for _, rule := range []distil.Rule{distil.RuleDC, distil.RuleSC} {
		got, err := a.DistilSeqs(ctx, rule)
		want, _ := distil.ListSeqs(ctx, a.ValuesTable(), distil.Options{Rule: rule})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %d seqs and %v, want %d", rule, len(got.Seqs), err, len(want.Seqs))
		}
	}
}

// A weight leaves out uses of values. A weight that restricts nothing has no table.
func TestWeightedTable(t *testing.T) {
	a := analysis.Analyze(shop(t), analysis.Options{})
	if got := a.WeightedTable(match.Weight{}); got != nil {
		t.Errorf("no weight: got %v", got)
	}
	taken := func(table *match.ValuesTable) (n int) {
		for _, in := range table.In {
			n += len(in)
		}
		return n
	}
	links, place := a.WeightedTable(match.Weight{Links: true}), a.WeightedTable(match.Weight{Evidence: match.EvidencePlace})
	if all := taken(a.ValuesTable()); taken(links) == 0 || taken(links) >= all || taken(place) == 0 || taken(place) >= all {
		t.Errorf("%d, %d and %d values are taken", all, taken(links), taken(place))
	}
}

// If the listing gives up, CountSeqs still counts all seqs, and SeqsWith still finds seqs that are not in the
// listing.
func TestSeqsThatAreNotListed(t *testing.T) {
	spec, ctx := &model.Spec{}, context.Background()
	for i := range 20 {
		path := "/" + string(rune('a'+i))
		spec.Operations = append(spec.Operations, &model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path})
	}
	a, last := analysis.Analyze(spec, analysis.Options{}), spec.Operations[19].ID
	listed, err := a.DistilSeqs(ctx, distil.RuleSC)
	if err != nil || !listed.GaveUp {
		t.Fatalf("%d seqs are listed, error %v", len(listed.Seqs), err)
	}
	all, with := 0, 0
	for seq := range distil.AllSeqs(ctx, a.ValuesTable(), distil.Options{Rule: distil.RuleSC}) {
		all++
		if slices.Contains(seq, last) {
			with++
		}
	}
	if n, more, err := a.CountSeqs(ctx, distil.RuleSC); n != all || more || err != nil {
		t.Errorf("%d seqs, more %t, error %v; want %d", n, more, err, all)
	}
	if got, err := a.SeqsWith(ctx, distil.RuleSC, last); len(got.Seqs) != with || got.GaveUp || err != nil {
		t.Errorf("%d seqs with %s, more %t, error %v; want %d", len(got.Seqs), last, got.GaveUp, err, with)
	}
	if n, more, err := a.CountSeqs(ctx, distil.RuleDC); n != 20 || more || err != nil {
		t.Errorf("%d seqs by DC, more %t, error %v", n, more, err)
	}
}

// A cancelled listing is not cached: the next call computes the listing again.
func TestDistilEndsWithItsContext(t *testing.T) {
	a := analysis.Analyze(shop(t), analysis.Options{})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.DistilSeqs(ended, distil.RuleDC); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if _, err := a.LongerSeqs(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("longer seqs: got %v, want %v", err, context.Canceled)
	}
	listed, err := a.DistilSeqs(context.Background(), distil.RuleDC)
	if err != nil || len(listed.Seqs) == 0 {
		t.Errorf("afterwards: %d seqs, %v", len(listed.Seqs), err)
	}
}

// chain returns an API in which each operation needs a value from the answer of the previous one.
func chain(length int) *model.Spec {
	spec := &model.Spec{}
	for i := range length {
		name := string(rune('a' + i))
		answer := &model.Schema{Type: "object", Properties: []model.Property{
			{Name: name + "Token", Required: true, Schema: &model.Schema{Type: "string"}},
		}}
		op := &model.Operation{
			ID: model.OpID("POST /" + name), Method: "POST", Path: "/" + name,
			Responses: []model.Response{{Status: "200", Contents: []model.Content{{Schema: answer}}}},
		}
		if i > 0 {
			op.Params = []model.Parameter{{
				Name: string(rune('a'+i-1)) + "Token", In: model.InQuery, Required: true, Schema: &model.Schema{Type: "string"},
			}}
		}
		spec.Operations = append(spec.Operations, op)
	}
	return spec
}

func TestLongerSeqs(t *testing.T) {
	for length, want := range map[int]int{3: 0, 5: 1} {
		way := match.Mode{Values: match.ShallowReading, Match: match.MatchByName}
		a := analysis.Analyze(chain(length), analysis.Options{Mode: way})
		longer, err := a.LongerSeqs(context.Background())
		if err != nil || len(longer) != want {
			t.Errorf("%d operations in a chain: longer seqs %v (%v), want %d", length, longer, err, want)
		}
	}
}

func TestIDSources(t *testing.T) {
	a := analysis.Analyze(shop(t), analysis.Options{})
	times := map[analysis.IDSource]int{}
	for _, s := range a.IDSources() {
		times[s]++
	}
	for _, want := range []analysis.IDSource{
		{From: "POST /carts", To: "GET /carts/{cartId}", Value: "cart.id"},
		{From: "POST /products", To: "POST /carts/{cartId}/items", Value: "product.id"},
	} {
		if times[want] != 1 {
			t.Errorf("%v appears %d times in %v", want, times[want], a.IDSources())
		}
	}
}

// An id that the user has marked as an attribute has no source.
func TestIDSourcesOfAnAttribute(t *testing.T) {
	spec := *shop(t)
	spec.Corrections = []model.ValueCorrection{{Value: "cart.id", Kind: model.KindAttribute}}
	others := 0
	for _, s := range analysis.Analyze(&spec, analysis.Options{}).IDSources() {
		if s.Value == "cart.id" {
			t.Errorf("%s has its attribute %s from %s", s.To, s.Value, s.From)
		}
		others++
	}
	if others == 0 {
		t.Error("no id has a source")
	}
}

func TestConnectorLinksASeq(t *testing.T) {
	a := analysis.Analyze(shop(t), analysis.Options{})
	template := a.SeqConnector()(model.Seq{"POST /carts", "GET /carts/{cartId}"})
	want := []model.Link{{From: 0, To: 1, In: model.InPath, Name: "cartId"}}
	if len(template.Links) != 1 || template.Links[0].From != 0 || template.Links[0].To != 1 || template.Links[0].Name != "cartId" {
		t.Errorf("got %+v, want %+v", template.Links, want)
	}
}
