package depend

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestConnect(t *testing.T) {
	tests := []struct {
		name string
		ops  []*model.Operation
		seq  string
		want string
	}{
		{"nothing", nil, "", ""},
		{"creation", ops("POST /p", "GET /p/{id}"), "POST /p, GET /p/{id}", "POST /p; GET /p/{id} [id<0]"},
		{
			"the latest creation", ops("POST /p", "GET /p/{id}"), "POST /p, POST /p, GET /p/{id}",
			"POST /p; POST /p; GET /p/{id} [id<1]",
		},
		{"too late", ops("POST /p", "GET /p/{id}"), "GET /p/{id}, POST /p", "GET /p/{id}; POST /p"},
		{"a listing", ops("GET /p", "GET /p/{id}"), "GET /p, GET /p/{id}", "GET /p; GET /p/{id} [id<0]"},
		{
			"creation before a listing", ops("GET /p", "POST /p", "GET /p/{id}"), "POST /p, GET /p, GET /p/{id}",
			"POST /p; GET /p; GET /p/{id} [id<0]",
		},
		{
			"creation after a listing", ops("GET /p", "POST /p", "GET /p/{id}"), "GET /p, POST /p, GET /p/{id}",
			"GET /p; POST /p; GET /p/{id} [id<1]",
		},
		{
			"the same element", ops("GET /p/{id}", "DELETE /p/{pid}"), "GET /p/{id}, DELETE /p/{pid}",
			"GET /p/{id}; DELETE /p/{pid} [pid=0.id]",
		},
		{
			"a client's id", ops("PUT /p/{id}", "GET /p", "GET /p/{id}"), "PUT /p/{id}, GET /p, GET /p/{id}",
			"PUT /p/{id}; GET /p; GET /p/{id} [id=0.id]",
		},
		{
			"a listing after a guess", ops("GET /p", "GET /p/{id}"), "GET /p/{id}, GET /p, GET /p/{id}",
			"GET /p/{id}; GET /p; GET /p/{id} [id<1]",
		},
		{
			"fields", shop(), "POST /products, POST /carts, POST /carts/{cartId}/items, DELETE /carts/{cartId}/items/{itemId}",
			"POST /products; POST /carts; POST /carts/{cartId}/items [cartId<1] [/productId<0]; " +
				"DELETE /carts/{cartId}/items/{itemId} [cartId<1] [itemId<2]",
		},
		{
			"an id of another path", shop(), "POST /products, GET /stock/{productId}",
			"POST /products; GET /stock/{productId} [productId<0]",
		},
		{"unknown operation", ops("GET /p/{id}"), "GET /x, GET /p/{id}", "GET /x; GET /p/{id}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			connect := plannerOf(&model.Spec{Operations: tt.ops}).ConnectSeq
			if got := show(connect(seq(tt.seq))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func seq(ids string) model.Seq {
	var s model.Seq
	for id := range strings.SplitSeq(ids, ", ") {
		if id != "" {
			s = append(s, model.OpID(id))
		}
	}
	return s
}

func TestConnectSeqIsValid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := &model.Spec{Operations: anyOps(rt)}
		if len(spec.Operations) == 0 {
			return
		}
		var s model.Seq
		for _, op := range rapid.SliceOfNDistinct(rapid.SampledFrom(spec.Operations), 0, 5,
			func(op *model.Operation) model.OpID { return op.ID }).Draw(rt, "seq") {
			s = append(s, op.ID)
		}
		template := plannerOf(spec).ConnectSeq(s)
		if len(template.Steps) != len(s) {
			rt.Fatalf("%d steps, want %d", len(template.Steps), len(s))
		}
		checkTemplate(rt, spec, template)
	})
}
