package seqs

import (
	"slices"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/ui/tui/screen"
)

// cartAPI returns an API with carts. Its paths contain the ids of carts.
func cartAPI() *screen.AnalyzedSpec {
	id := []model.Parameter{{Name: "cartId", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}}
	cart := &model.Schema{Type: "object", Properties: []model.Property{{Name: "id", Schema: &model.Schema{Type: "string"}}}}
	answer := []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: cart}}}}
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "POST /carts", Method: "POST", Path: "/carts", Responses: answer},
		{ID: "GET /carts/{cartId}", Method: "GET", Path: "/carts/{cartId}", Params: id, Responses: answer},
	}}
	a := analysis.Analyze(spec, analysis.Options{})
	return &screen.AnalyzedSpec{Spec: spec, Analysis: a, Matcher: a.Matcher(), IDSources: a.IDSources()}
}

func TestLinkerNeeds(t *testing.T) {
	l := linker{analyzed: cartAPI()}
	if got := l.needs(model.Seq{"GET /carts/{cartId}"}); l.ready() || len(got[0]) != 0 {
		t.Errorf("before it is ready: %+v", got)
	}
	l.connect = l.analyzed.Analysis.SeqConnector()
	alone := l.needs(model.Seq{"GET /carts/{cartId}"})[0]
	if len(alone) != 1 || alone[0].from != -1 || !slices.Equal(alone[0].providers, []model.OpID{"POST /carts"}) {
		t.Errorf("alone it needs %+v, want an unbound cartId that POST /carts provides", alone)
	}
	linked := l.needs(model.Seq{"POST /carts", "GET /carts/{cartId}"})[1]
	if len(linked) != 1 || linked[0].from != 0 {
		t.Errorf("after POST /carts it needs %+v, want a cartId from call 0", linked)
	}
	built := row{steps: []step{{op: "GET /carts/{cartId}", typed: []string{"path cartId"}}}}
	built.Seq = model.Seq{"GET /carts/{cartId}"}
	if open := l.openNeeds(&built)[0]; len(open) != 0 {
		t.Errorf("with a typed cartId it needs %+v", open)
	}
	if got := l.followers(model.Seq{"POST /carts", "POST /carts"}); !slices.Equal(got, []model.OpID{"GET /carts/{cartId}"}) {
		t.Errorf("followers %q", got)
	}
}
