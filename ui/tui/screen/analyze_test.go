package screen_test

import (
	"context"
	"errors"
	"testing"

	"sonde/analysis"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/tui/screen"
)

func shop(t *testing.T) *model.Spec {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "shop.json", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestStudy(t *testing.T) {
	s, err := screen.AnalyzeSpec(context.Background(), shop(t), match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.GroupOf) != len(s.Spec.Operations) {
		t.Errorf("%d of %d operations are in a group", len(s.GroupOf), len(s.Spec.Operations))
	}
	for i, g := range s.Groups {
		for _, op := range g.Operations {
			if s.GroupOf[op] != i {
				t.Errorf("%s: in group %d, want %d", op, s.GroupOf[op], i)
			}
		}
	}
	if len(s.Seqs) == 0 || len(s.Graph.Operations) != len(s.Spec.Operations) {
		t.Errorf("%d seqs, graph of %d operations", len(s.Seqs), len(s.Graph.Operations))
	}
}

// An id source leads from the operation that creates an id to an operation that needs it, in the
// path or in the body. There is one source for each id.
func TestIDSources(t *testing.T) {
	s, err := screen.AnalyzeSpec(context.Background(), shop(t), match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	times := map[analysis.IDSource]int{}
	for _, w := range s.IDSources {
		times[w]++
	}
	for _, want := range []analysis.IDSource{
		{From: "POST /carts", To: "GET /carts/{cartId}", Value: "cart.id"},
		{From: "POST /products", To: "POST /carts/{cartId}/items", Value: "product.id"},
	} {
		if times[want] != 1 {
			t.Errorf("%v appears %d times in %v", want, times[want], s.IDSources)
		}
	}
}

func TestStudyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := screen.AnalyzeSpec(ctx, shop(t), match.DefaultMode); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
