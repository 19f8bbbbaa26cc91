package individual

import (
	"slices"
	"testing"

	"sonde/model"
)

// transferAPI is an API in which POST /transfers takes the ids of two accounts.
func transferAPI() *model.Spec {
	id := &model.Schema{Type: "string", Format: "uuid"}
	fields := func(names ...string) *model.Schema {
		s := &model.Schema{Type: "object"}
		for _, name := range names {
			s.Properties = append(s.Properties, model.Property{Name: name, Required: true, Schema: id})
		}
		return s
	}
	transfer := fields("fromAccountId", "toAccountId")
	body := &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: transfer}}}
	answer := []model.Response{{Status: "201", Contents: []model.Content{{Media: "application/json", Schema: fields("id")}}}}
	path := func(name string) []model.Parameter { return []model.Parameter{param(model.InPath, name, true, *id)} }
	return &model.Spec{Operations: []*model.Operation{
		{ID: "POST /accounts", Method: "POST", Path: "/accounts", Responses: answer},
		{ID: "GET /accounts/{accountId}", Method: "GET", Path: "/accounts/{accountId}", Params: path("accountId"), Responses: answer},
		{ID: "POST /transfers", Method: "POST", Path: "/transfers", Body: body, Responses: answer},
		{ID: "GET /transfers/{transferId}", Method: "GET", Path: "/transfers/{transferId}", Params: path("transferId")},
	}}
}

const (
	firstUUID  = `{"id": "11111111-1111-4111-8111-111111111111"}`
	secondUUID = `{"id": "22222222-2222-4222-8222-222222222222"}`
)

func newTransfers() *Problem {
	return New(model.Plan{Spec: transferAPI(), Sampling: model.Sampling{Attempts: 1}})
}

// sourcesOf returns the indexes of the calls from which the last call of a test takes values.
func sourcesOf(test model.Test) (calls []int) {
	for _, l := range test.Links {
		if l.To == len(test.Calls)-1 {
			calls = append(calls, l.From)
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// If two inputs take the id of an account, they take it from the same call in some attempts, and from two calls
// in others. This is also so if the inputs take the id from a call that only reads the account.
func TestAttemptsTakeDistinctElements(t *testing.T) {
	p := newTransfers()
	answered(t, p, [2]string{"POST /accounts", firstUUID})
	read := p.FollowTemplate(chance(1), model.Template{
		Steps: []model.TemplateStep{{Op: "POST /accounts", Min: 1, Max: 1}, {Op: "GET /accounts/{accountId}", Min: 1, Max: 1}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "accountId", Pointer: "/id"}},
	})
	p.ObserveAnswer(read, 1, []int{201, 200}, model.Reply{Status: 200, Body: []byte(firstUUID)})
	one, two := 0, 0
	for _, test := range attempts(p, 60)["POST /transfers"] {
		created := 0
		for _, op := range test.Seq() {
			if op == "POST /accounts" {
				created++
			}
		}
		switch n := len(sourcesOf(test)); {
		case n == 2 && created == 2:
			two++
		case n > 0 && created == 1:
			one++
		}
	}
	if one == 0 || two == 0 {
		t.Errorf("%d attempts with one account, %d with two", one, two)
	}
}

// An attempt may take a value from the answer to a transfer between two accounts. It then repeats both calls that
// created the accounts.
func TestAttemptsRepeatEqualCalls(t *testing.T) {
	p := newTransfers()
	transfer := p.FollowTemplate(chance(1), model.Template{
		Steps: []model.TemplateStep{{Op: "POST /accounts", Min: 2, Max: 2}, {Op: "POST /transfers", Min: 1, Max: 1}},
	})
	transfer.link(model.Link{In: model.InBody, Name: "/fromAccountId", Pointer: "/id"}, 0, 2)
	transfer.link(model.Link{In: model.InBody, Name: "/toAccountId", Pointer: "/id"}, 1, 2)
	p.ObserveAnswer(transfer, 2, []int{201, 201, 201}, model.Reply{Status: 201, Body: []byte(secondUUID)})
	found := false
	for _, test := range attempts(p, 60)["GET /transfers/{transferId}"] {
		found = found || slices.Equal(test.Seq(), []model.OpID{
			"POST /accounts", "POST /accounts", "POST /transfers", "GET /transfers/{transferId}",
		})
	}
	if !found {
		t.Error("no attempt creates two accounts and the transfer")
	}
}

// An operation whose attempts have ended is attempted again after another operation has succeeded.
func TestAttemptsGoOnAfterSuccessOfOthers(t *testing.T) {
	p := newTransfers()
	for p.Attempt(chance(1)) != nil {
	}
	answered(t, p, [2]string{"POST /accounts", firstUUID})
	if n := len(attempts(p, 1000)["POST /transfers"]); n != moreAttempts {
		t.Errorf("%d further attempts, want %d", n, moreAttempts)
	}
	answered(t, p, [2]string{"POST /accounts", secondUUID})
	if n := len(attempts(p, 1000)["POST /transfers"]); n != 0 {
		t.Errorf("%d further attempts after the second success", n)
	}
}
