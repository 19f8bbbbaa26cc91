package individual

import (
	"encoding/json"
	"strings"
	"testing"

	"sonde/model"
)

// accounts returns an operation for which the spec says nothing about the values of its inputs.
func accounts() *model.Operation {
	text := model.Schema{Type: "string"}
	return &model.Operation{
		ID: "POST /accounts", Method: "POST", Path: "/accounts",
		Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
			Type: "object",
			Properties: []model.Property{
				{Name: "plan", Schema: &text}, {Name: "key", Schema: &text}, {Name: "mail", Schema: &text}, {Name: "old", Schema: &text},
			},
		}}}},
	}
}

// Calls follow the rules that refusals stated: always if the probability is 1, and a quarter as often
// after a success.
func TestCallsFollowRefusals(t *testing.T) {
	op := accounts()
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, Sampling: model.Sampling{Refusals: 1}})
	refuse := func(status int, body string) { p.ObserveReply(op.ID, model.Reply{Status: status, Body: []byte(body)}) }
	refuse(422, `{"detail": [{"loc": ["body", "plan"], "msg": "Input should be 'free' or 'paid'"}]}`)
	refuse(500, `{"message": "key has invalid prefix: expected prefix \"ak-\""}`)
	refuse(400, `{"errors": {"mail": ["is required"]}, "message": "unknown field \"old\""}`)
	refuse(404, `{"message": "plan must be one of x, y"}`) // a message about a resource, not about the input
	r := chance(1)
	follows := func() bool {
		c := p.calls.random(r, "")
		var body map[string]string
		if err := json.Unmarshal([]byte(c.message().Data), &body); err != nil {
			t.Fatal(err)
		}
		_, old := body["old"]
		_, mail := body["mail"]
		plan := body["plan"] == "free" || body["plan"] == "paid"
		return plan && strings.HasPrefix(body["key"], "ak-") && len(body["key"]) == len("ak-")+24 && mail && !old
	}
	for i := range 20 {
		if !follows() {
			t.Fatalf("call %d does not follow the refusals", i)
		}
	}
	refuse(201, `{}`)
	n := 0
	for range 200 {
		if follows() {
			n++
		}
	}
	if n > 20 {
		t.Errorf("after a success %d of 200 calls follow all four rules", n)
	}
}

// A plan that uses neither refusals nor attempts does not read refusals.
func TestRefusalsAreNotRead(t *testing.T) {
	op := accounts()
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}})
	p.ObserveReply(op.ID, model.Reply{Status: 400, Body: []byte(`plan is required`)})
	if len(p.calls.refusals.byOp) > 0 {
		t.Error("a refusal was read")
	}
}
