package individual

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"sonde/model"
)

// bank is an API of orders, payments and loans. The list of orders has a parameter for the earliest time. A payment
// must have the price of an order. A loan has two dates and the number of days between them.
func bank() *model.Spec {
	number, text, day := model.Schema{Type: "integer"}, model.Schema{Type: "string"}, model.Schema{Type: "string", Format: "date"}
	body := func(p ...model.Property) *model.RequestBody {
		return &model.RequestBody{Required: true, Contents: []model.Content{
			{Media: "application/json", Schema: &model.Schema{Type: "object", Properties: p}},
		}}
	}
	limit := 60.0
	return &model.Spec{Operations: []*model.Operation{
		{ID: "POST /orders", Method: "POST", Path: "/orders"},
		{ID: "GET /orders", Method: "GET", Path: "/orders", Params: []model.Parameter{
			param(model.InQuery, "since", true, model.Schema{Type: "string", Format: "date-time"}),
		}},
		{
			ID: "POST /payments", Method: "POST", Path: "/payments", Params: []model.Parameter{param(model.InQuery, "tip", true, number)},
			Body: body(
				model.Property{Name: "a/b", Required: true, Schema: &number}, model.Property{Name: "note", Required: true, Schema: &text},
			),
		},
		{
			ID: "POST /loans", Method: "POST", Path: "/loans", Body: body(
				model.Property{Name: "from", Required: true, Schema: &day}, model.Property{Name: "to", Required: true, Schema: &day},
				model.Property{Name: "days", Required: true, Schema: &model.Schema{Type: "integer", Max: &limit, Min: new(1.0)}},
			),
		},
	}}
}

// A number, date or time of a call may be linked to a value of the same kind in an earlier answer of the same test,
// and to nothing else.
func TestInputsAreLinkedToAnswers(t *testing.T) {
	p := New(model.Plan{Spec: bank(), Sampling: model.DefaultSampling()})
	answered(t, p, [2]string{"POST /orders", `{
		"id": "x", "total": 4711, "lines": [{"price": "7"}], "due": "2026-03-02", "made_at": "2026-03-01T12:00:00Z"
	}`})
	r := chance(1)
	calls := map[model.OpID][]call{}
	for _, op := range []model.OpID{"POST /payments", "POST /loans", "GET /orders"} {
		for _, id := range []model.OpID{"POST /orders", op} {
			calls[op] = append(calls[op], p.calls.operations.byID[id].sample(r))
		}
		var got []string
		for range 200 {
			c := (&Individual{free: true, calls: calls[op]}).clone()
			if !p.attempts.linkAnswer(r, c) {
				t.Fatalf("%s: no input was linked", op)
			}
			l := c.Test().Links[0]
			if l.From != 0 || l.To != 1 || !l.Optional {
				t.Fatalf("link %+v", l)
			}
			got = append(got, fmt.Sprint(l.In, " ", l.Name, " from ", l.Pointer))
		}
		slices.Sort(got)
		want := map[model.OpID][]string{
			"POST /payments": {
				"body /a~1b from /lines/0/price", "body /a~1b from /total", "query tip from /lines/0/price", "query tip from /total",
			},
			"POST /loans": {
				"body /days from /lines/0/price", "body /days from /total", "body /from from /due", "body /to from /due",
			},
			"GET /orders": {"query since from /made_at"},
		}[op]
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: links %q, want %q", op, got, want)
		}
	}
	pay := calls["POST /payments"]
	if alone := (&Individual{free: true, calls: pay[:1]}); p.attempts.linkAnswer(r, alone) {
		t.Error("a test of one call was changed")
	}
	if swapped := (&Individual{free: true, calls: []call{pay[1], pay[0]}}); p.attempts.linkAnswer(r, swapped) {
		t.Error("an earlier call was linked to a later answer")
	}
}

// Some attempts of a loan have two dates and the right number of days between them.
func TestAttemptsRelateDays(t *testing.T) {
	p := New(model.Plan{Spec: bank(), Sampling: model.DefaultSampling()})
	agree := 0
	for _, test := range attempts(p, 120)["POST /loans"] {
		var in struct {
			From, To string
			Days     int
		}
		if c := test.Calls[len(test.Calls)-1]; c.Body == nil || json.Unmarshal([]byte(c.Body.Data), &in) != nil {
			continue
		}
		from, err := time.Parse(time.DateOnly, in.From)
		to, errTo := time.Parse(time.DateOnly, in.To)
		if err == nil && errTo == nil && from.AddDate(0, 0, in.Days).Equal(to) {
			agree++
		}
	}
	if agree == 0 {
		t.Error("no attempt has days that agree")
	}
}
