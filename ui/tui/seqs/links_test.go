package seqs

import (
	"slices"
	"testing"

	"sonde/analysis"
	"sonde/model"
)

func TestLinkerNeeds(t *testing.T) {
	analyzed := shop()
	analyzed.IDSources = []analysis.IDSource{{From: "POST /carts", To: "GET /carts/{cartId}", Value: valueOf(t, "GET /carts/{cartId}")}}
	l := linker{analyzed: analyzed}
	if got := l.needs(model.Seq{"GET /carts/{cartId}"}); l.ready() || len(got[0]) != 0 {
		t.Errorf("before it is ready: %+v", got)
	}
	l.connect = func(seq model.Seq) model.Template {
		t, _ := prepare(seq)
		return model.Template{Links: t.Links}
	}
	alone := l.needs(model.Seq{"GET /carts/{cartId}"})[0]
	if len(alone) != 1 || alone[0].from != -1 || !slices.Equal(alone[0].providers, []model.OpID{"POST /carts"}) {
		t.Errorf("alone it needs %+v, want an unbound cartId that POST /carts provides", alone)
	}
	linked := l.needs(model.Seq{"POST /carts", "GET /carts/{cartId}"})[1]
	if len(linked) != 1 || linked[0].from != 0 {
		t.Errorf("after POST /carts it needs %+v, want a cartId from call 0", linked)
	}
	built := row{steps: []step{{op: "GET /carts/{cartId}", typed: []string{"query cartId"}}}}
	built.Seq = model.Seq{"GET /carts/{cartId}"}
	if open := l.openNeeds(&built)[0]; len(open) != 0 {
		t.Errorf("with a typed cartId it needs %+v", open)
	}
	if got := l.followers(model.Seq{"POST /carts", "POST /carts"}); !slices.Equal(got, []model.OpID{"GET /carts/{cartId}"}) {
		t.Errorf("followers %q", got)
	}
}

// valueOf returns the ID of the value that an operation of the shop takes.
func valueOf(t *testing.T, op model.OpID) string {
	analyzed := shop()
	for _, u := range analyzed.Matcher.UsesOf(analyzed.Spec.Operation(op)) {
		if !u.Out {
			return u.ID
		}
	}
	t.Fatalf("%s takes no value", op)
	return ""
}
