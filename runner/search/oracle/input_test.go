package oracle_test

import (
	"strconv"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// orders returns an API whose operations constrain their inputs in many ways.
func orders() model.Plan {
	number := func(low, high float64) *model.Schema { return &model.Schema{Type: "integer", Min: &low, Max: &high} }
	three, ten := 3, 10
	text := &model.Schema{Type: "string"}
	half := 0.5
	order := &model.Schema{Type: "object", Closed: true, Properties: []model.Property{
		{Name: "item", Required: true, Schema: &model.Schema{Type: "string", MinLength: 1, MaxLength: &ten, Pattern: "^[a-z]+$"}},
		{Name: "count", Schema: number(1, 9)},
		{Name: "price", Schema: &model.Schema{Type: "number", MultipleOf: &half}},
		{Name: "day", Schema: &model.Schema{Type: "string", Format: "date"}},
		{Name: "state", Schema: &model.Schema{Type: "string", Enum: []any{"open", "closed"}}},
		{Name: "tags", Schema: &model.Schema{Type: "array", Items: text, MaxItems: &three, Unique: true}},
		{Name: "id", Required: true, Schema: &model.Schema{Type: "string", ReadOnly: true}},
		{Name: "note", Schema: &model.Schema{Type: "string", Nullable: true}},
		{Name: "size", Schema: &model.Schema{OneOf: []*model.Schema{number(1, 2), {Type: "string", Enum: []any{"small"}}}}},
		{Name: "colour", Schema: &model.Schema{Type: "string", Not: &model.Schema{Enum: []any{"red"}}}},
	}}
	asJSON := &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: order}}}
	id := model.Parameter{Name: "id", In: model.InPath, Required: true, Style: "simple", Schema: number(1, 999)}
	query := func(name string, s *model.Schema) model.Parameter {
		return model.Parameter{Name: name, In: model.InQuery, Schema: s, Style: "form", Explode: true}
	}
	must := query("page", number(1, 5))
	must.Required = true
	list := &model.Schema{Type: "array", Items: number(0, 9), MinItems: 2}
	joined := query("joined", list)
	joined.Explode = false
	return model.Plan{Spec: &model.Spec{
		SecuritySchemes: []model.SecurityScheme{{Name: "key", Kind: "http"}},
		Operations: []*model.Operation{
			{ID: "POST /orders", Method: "POST", Path: "/orders", Body: asJSON},
			{ID: "PATCH /orders/{id}", Method: "PATCH", Path: "/orders/{id}", Params: []model.Parameter{id}, Body: asJSON},
			{ID: "PUT /orders/{id}", Method: "PUT", Path: "/orders/{id}", Params: []model.Parameter{id}, Body: asJSON},
			{ID: "GET /orders/{id}", Method: "GET", Path: "/orders/{id}", Params: []model.Parameter{id}},
			{ID: "DELETE /orders/{id}", Method: "DELETE", Path: "/orders/{id}", Params: []model.Parameter{id}},
			{
				ID: "GET /orders", Method: "GET", Path: "/orders",
				Params: []model.Parameter{must, query("list", list), joined, query("on", &model.Schema{Type: "boolean"})},
			},
			{ID: "GET /secret", Method: "GET", Path: "/secret", Secured: true, Schemes: []string{"key"}},
			{ID: "GET /by/{kind}", Method: "GET", Path: "/by/{kind}", Params: []model.Parameter{
				{Name: "kind", In: model.InPath, Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"day", "week"}}},
			}},
			{ID: "GET /power/{base}/{id}", Method: "GET", Path: "/power/{base}/{id}", Params: []model.Parameter{
				{Name: "base", In: model.InPath, Required: true, Schema: number(0, 9)}, id,
			}},
		},
	}}
}

// inputOf returns the class of the last request in calls. A call has the form "METHOD URL STATUS BODY -> ANSWER",
// where BODY and ANSWER may be missing. ANSWER is the body of the answer.
func inputOf(t *testing.T, rules *oracle.Rules, calls ...string) string {
	t.Helper()
	var test model.Test
	var exchanges []model.Exchange
	for _, c := range calls {
		c, answer, _ := strings.Cut(c, "->")
		parts := strings.SplitN(strings.TrimSpace(c), " ", 4)
		path, _, _ := strings.Cut(parts[1], "?")
		x := model.Exchange{Request: model.Request{Method: parts[0], URL: parts[1]}}
		status, err := strconv.Atoi(parts[2])
		if err != nil {
			t.Fatal(err)
		}
		x.Reply = model.Reply{Status: status, Body: []byte(answer)}
		if len(parts) > 3 {
			x.Request.Body = []byte(parts[3])
			x.Request.Header = map[string][]string{"Content-Type": {"application/json"}}
		}
		switch {
		case strings.HasPrefix(path, "/orders/"):
			path = "/orders/{id}"
		case strings.HasPrefix(path, "/by/"):
			path = "/by/{kind}"
		case strings.HasPrefix(path, "/power/"):
			path = "/power/{base}/{id}"
		}
		test.Calls = append(test.Calls, model.Call{Op: model.OpID(parts[0] + " " + path), Status: x.Reply.Status})
		exchanges = append(exchanges, x)
	}
	rules.Findings(test, exchanges)
	return rules.InputOf(test, exchanges, len(exchanges)-1).String()
}

// The class of a request names the first constraint that the request violates, or the resource that does not exist.
func TestInputs(t *testing.T) {
	for _, c := range []struct{ want, call string }{
		{"valid", `POST /orders 500 {"item":"tent","count":9,"price":1.5,"day":"2026-02-28","state":"open","tags":["a"]}`},
		{"valid", `POST /orders 500 {"item":"tent","note":null,"size":2}`},
		{"valid", `POST /orders 500 {"item":"tent","size":"small","colour":"blue"}`},
		{"invalid: required of body /item", `POST /orders 500 {}`},
		{"invalid: type of body /item", `POST /orders 500 {"item":null}`},
		{"invalid: type of body", `POST /orders 500 []`},
		{"invalid: syntax of body", `POST /orders 500 {"item"`},
		{"invalid: syntax of body", "POST /orders 500 {\"item\":\"a\xff\"}"},
		{"invalid: required of body", `POST /orders 500`},
		{"invalid: minLength of body /item", `POST /orders 500 {"item":""}`},
		{"invalid: maxLength of body /item", `POST /orders 500 {"item":"abcdefghijk"}`},
		{"invalid: pattern of body /item", `POST /orders 500 {"item":"A"}`},
		{"invalid: minimum of body /count", `POST /orders 500 {"item":"a","count":0}`},
		{"invalid: maximum of body /count", `POST /orders 500 {"item":"a","count":1e400}`},
		{"invalid: type of body /count", `POST /orders 500 {"item":"a","count":1.5}`},
		{"invalid: multipleOf of body /price", `POST /orders 500 {"item":"a","price":0.7}`},
		{"invalid: format of body /day", `POST /orders 500 {"item":"a","day":"2026-02-30"}`},
		{"invalid: enum of body /state", `POST /orders 500 {"item":"a","state":"odd"}`},
		{"invalid: maxItems of body /tags", `POST /orders 500 {"item":"a","tags":["a","b","c","d"]}`},
		{"invalid: uniqueItems of body /tags", `POST /orders 500 {"item":"a","tags":["a","a"]}`},
		{"invalid: type of body /tags/*", `POST /orders 500 {"item":"a","tags":[1]}`},
		{"invalid: additionalProperties of body /more", `POST /orders 500 {"item":"a","more":1}`},
		{"invalid: oneOf of body /size", `POST /orders 500 {"item":"a","size":7}`},
		{"valid", `POST /orders 500 {"item":"a","colour":"red"}`}, // not is accepted: the check cannot always judge what it forbids
		{"valid", `GET /orders?page=5&list=1&list=2&joined=1,2&on=true 500`},
		{"invalid: required of query page", `GET /orders 500`},
		{"invalid: maximum of query page", `GET /orders?page=6 500`},
		{"invalid: type of query page", `GET /orders?page=x 500`},
		{"invalid: repeated of query page", `GET /orders?page=1&page=2 500`},
		{"invalid: minItems of query list", `GET /orders?page=1&list=1 500`},
		{"invalid: maximum of query joined/*", `GET /orders?page=1&joined=1,10 500`},
		{"invalid: type of query on", `GET /orders?page=1&on=yes 500`},
		{"invalid: undeclared of query extra", `GET /orders?page=1&extra=1 500`},
		{"invalid: syntax of the query", `GET /orders?page=%zz 500`},
		{"invalid: undeclared of body", `GET /orders?page=1 500 {}`},
		{"invalid: type of path id", `GET /orders/x 500`},
		{"invalid: maximum of path id", `GET /orders/1000 500`},
		{"invalid: syntax of the path", `GET /orders/%2F 500`},
		{"invalid: credentials", `GET /secret 500`},
		{"valid", `GET /by/day 500`},
		{"invalid: enum of path kind", `GET /by/year 500`},
		{"valid", `GET /power/2/8 500`},             // its parameters are values: nothing lists, creates or deletes them
		{"valid", `PUT /orders/7 500 {"item":"a"}`}, // it may create the order
	} {
		rules, err := oracle.NewRules(orders())
		if err != nil {
			t.Fatal(err)
		}
		got := inputOf(t, rules, c.call)
		if want := strings.ReplaceAll(c.want, "joined/*", "joined /*"); got != want {
			t.Errorf("%s: got %q, want %q", c.call, got, want)
		}
	}
}

// A resource is known in three cases: an answer of the test has its id, a call of the test on its path was answered
// 2xx, or such a call of an earlier test was, other than PUT and DELETE, and this test has not changed anything yet.
// After its DELETE a resource is unknown. Without a reset, only a DELETE of this test makes a resource unknown.
func TestUnknownResources(t *testing.T) {
	const unknown = "unknown resource: path id"
	for name, c := range map[string]struct {
		before, calls []string
		keeps         bool
		want          string
	}{
		"never heard of":         {calls: []string{"GET /orders/7 500"}, want: unknown},
		"named by an answer":     {calls: []string{`POST /orders 201 {"item":"a"} -> {"id":7}`, "GET /orders/7 500"}, want: "valid"},
		"another id":             {calls: []string{`POST /orders 201 {"item":"a"} -> {"id":7,"n":8}`, "GET /orders/8 500"}, want: unknown},
		"refused before":         {calls: []string{"GET /orders/7 404", "DELETE /orders/7 500"}, want: unknown},
		"read before":            {calls: []string{"GET /orders/7 200", "DELETE /orders/7 500"}, want: "valid"},
		"put before":             {calls: []string{`PUT /orders/7 201 {"item":"a"}`, "GET /orders/7 500"}, want: "valid"},
		"deleted":                {calls: []string{"GET /orders/7 200", "DELETE /orders/7 204", "GET /orders/7 500"}, want: unknown},
		"answered with a fault":  {calls: []string{"GET /orders/7 200"}, want: "valid"},
		"there at the beginning": {before: []string{"GET /orders/7 200"}, calls: []string{"GET /orders/7 500"}, want: "valid"},
		"made in another test": {
			before: []string{`PUT /orders/7 201 {"item":"a"}`}, calls: []string{"GET /orders/7 500"}, want: unknown,
		},
		"without a reset":          {calls: []string{"GET /orders/7 500"}, keeps: true, want: "valid"},
		"deleted, without a reset": {calls: []string{"DELETE /orders/7 204", "GET /orders/7 500"}, keeps: true, want: unknown},
	} {
		rules, err := oracle.NewRules(orders())
		if err != nil {
			t.Fatal(err)
		}
		if c.keeps {
			rules.KeepState()
		}
		if c.before != nil {
			inputOf(t, rules, c.before...)
		}
		if got := inputOf(t, rules, c.calls...); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Only an undeclared server error is less severe after a request that should be refused.
func TestSeverityFollowsTheInput(t *testing.T) {
	for _, c := range []struct {
		oracle string
		class  model.InputClass
		want   model.Severity
	}{
		{model.ServerErrorOracle, model.InputValid, model.SeverityError},
		{model.ServerErrorOracle, "", model.SeverityError},
		{model.ServerErrorOracle, model.InputUnknown, model.SeverityError},
		{model.ServerErrorOracle, model.InputInvalid, model.SeverityWarning},
		{model.DependencyErrorOracle, model.InputInvalid, model.SeverityError},
		{string(model.ServiceDied), model.InputInvalid, model.SeverityError},
		{"schema", model.InputInvalid, model.SeverityWarning},
		{oracle.AuthIgnored, model.InputInvalid, model.SeverityError},
	} {
		if got := oracle.SeverityWith(c.oracle, model.Input{Class: c.class}); got != c.want {
			t.Errorf("%s after %q: got %s, want %s", c.oracle, c.class, got, c.want)
		}
	}
}
