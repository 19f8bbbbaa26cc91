package match_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/model/match"
)

// hidden is an object with two properties: only the service writes the first, only the client writes the second.
var hidden = object(
	model.Property{Name: "made", Schema: &model.Schema{Type: "string", ReadOnly: true}},
	model.Property{Name: "secret", Schema: &model.Schema{Type: "string", WriteOnly: true}},
)

// nested is an object with objects and lists of objects, some of them required.
var nested = object(
	must("order", object(must("id", whole), may("note", text), must("lines", list(object(must("sku", text)))))),
	may("buyer", object(must("name", text))),
	may("free", &model.Schema{Type: "object"}),
	may("tags", list(text)),
)

func TestDeep(t *testing.T) {
	tests := []struct {
		name    string
		op      *model.Operation
		in, out []named
	}{
		{
			name: "objects inside objects and lists, required where all around them is",
			op:   operation(body("application/json", true, nested)),
			in: []named{
				{name: "id", required: true, in: model.InBody, pointer: "/order/id"},
				{name: "note", required: false, in: model.InBody, pointer: "/order/note"},
				{name: "sku", required: true, in: model.InBody, pointer: "/order/lines/0/sku"},
				{name: "name", required: false, in: model.InBody, pointer: "/buyer/name"},
				{name: "free", required: false, in: model.InBody, pointer: "/free"},
				{name: "tags", required: false, in: model.InBody, pointer: "/tags"},
			},
		},
		{
			name: "all of what it may be, none of it required",
			op: operation(body("application/json", true, &model.Schema{
				OneOf: []*model.Schema{object(must("card", text)), object(must("voucher", text))},
				AnyOf: []*model.Schema{object(must("iban", text))},
			})),
			in: []named{
				{name: "card", required: false, in: model.InBody, pointer: "/card"},
				{name: "voucher", required: false, in: model.InBody, pointer: "/voucher"},
				{name: "iban", required: false, in: model.InBody, pointer: "/iban"},
			},
		},
		{
			name: "a cycle",
			op:   operation(nil, answer("200", looped())),
			out:  []named{{name: "own", required: false, in: model.InResponse, pointer: "/own"}},
		},
		{
			name: "what only the service writes is not taken, what only the client writes not emitted",
			op:   operation(body("application/json", true, hidden), answer("200", hidden)),
			in:   []named{{name: "secret", required: false, in: model.InBody, pointer: "/secret"}},
			out:  []named{{name: "made", required: false, in: model.InResponse, pointer: "/made"}},
		},
		{
			name: "headers and callbacks",
			op: &model.Operation{
				Responses: []model.Response{{Status: "200", Headers: []model.Parameter{{Name: "ETag", In: model.InHeader, Schema: text}}}},
				Callbacks: []model.Callback{{Name: "paid", Body: body("application/json", true, object(must("amount", whole)))}},
			},
			out: []named{
				{name: "ETag", required: false, in: model.InHeader, pointer: ""},
				{name: "amount", required: true, in: model.InCallback, pointer: "/amount"},
			},
		},
		{
			name: "an object as a parameter",
			op:   &model.Operation{Params: []model.Parameter{{Name: "filter", In: model.InQuery, Schema: object(may("size", whole))}}},
			in:   []named{{name: "size", required: false, in: model.InQuery, pointer: "/size"}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, end := range []struct {
				out  bool
				want []named
			}{{false, test.in}, {true, test.out}} {
				if diff := cmp.Diff(end.want, uses(test.op, match.DeepReading, end.out), cmp.AllowUnexported(named{})); diff != "" {
					t.Errorf("emitted %v: want and got (-+):\n%s", end.out, diff)
				}
			}
		})
	}
}

// A schema with 1000 levels is read down to the maximum depth.
func TestDeepIsBounded(t *testing.T) {
	s := object(must("id", whole))
	for range 1000 {
		s = object(must("inner", s), must("id", whole))
	}
	if n := len(uses(operation(nil, answer("200", s)), match.DeepReading, true)); n == 0 || n > 30 {
		t.Errorf("got %d values", n)
	}
	wide := object()
	for range 30_000 {
		wide.Properties = append(wide.Properties, may("a", text))
	}
	if n := len(uses(operation(nil, answer("200", wide)), match.DeepReading, true)); n != 20_000 {
		t.Errorf("got %d values, want 20000", n)
	}
}

// If an answer has very many values, the deepest values are left out. All values of the higher levels are read.
func TestDeepestValuesAreLeftOut(t *testing.T) {
	const wide, levels = 50, 12
	var level *model.Schema
	for depth := levels; depth > 0; depth-- {
		var properties []model.Property
		if level != nil { // the first property, so that a depth-first walk reaches the deepest values first
			properties = append(properties, may("inner", level))
		}
		for i := range wide {
			properties = append(properties, may(fmt.Sprintf("v%d_%d", depth, i), text))
		}
		level = object(properties...)
	}
	count := map[string]int{}
	for _, u := range uses(operation(nil, answer("200", level)), match.DeepReading, true) {
		depth, _, _ := strings.Cut(u.name, "_")
		count[depth]++
	}
	for depth := 1; depth <= levels; depth++ {
		got, want := count[fmt.Sprint("v", depth)], wide
		if depth > 5 {
			want = 0
		}
		if got != want {
			t.Errorf("%d values at depth %d, want %d", got, depth, want)
		}
	}
}
