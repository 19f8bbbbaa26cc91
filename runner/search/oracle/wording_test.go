package oracle

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// sayings is a service whose messages are examined one after the other.
type sayings struct {
	rules *Rules
	op    *model.Operation
}

// sayer returns a service with an operation whose messages repeat the requests.
func sayer(t testing.TB) sayings {
	t.Helper()
	fields := []model.Property{{Name: "name"}, {Name: "date"}, {Name: "price"}}
	op := &model.Operation{
		ID: "POST /things/{id}", Method: "POST", Path: "/things/{id}",
		Params: []model.Parameter{
			{In: model.InPath, Name: "id"},
			{In: model.InQuery, Name: "allowEmpty"},
			{In: model.InQuery, Name: "skip_all"},
		},
		Body: &model.RequestBody{Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{Properties: fields}}}},
	}
	j, err := NewRules(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}})
	if err != nil {
		t.Fatal(err)
	}
	return sayings{rules: j, op: op}
}

// reply is a message and the request that it answers.
type reply struct {
	message string
	id      string
	query   map[string]string
	body    map[string]any
}

// exchange returns the test and the exchange of a message.
func (s sayings) exchange(a reply) (model.Test, model.Exchange) {
	id := a.id
	if id == "" {
		id = "0"
	}
	call := model.Call{Op: s.op.ID, Args: []model.Arg{{In: model.InPath, Name: "id", Value: id}}}
	query := url.Values{}
	for name, value := range a.query {
		// The call has another value than was sent, because a link replaced it.
		call.Args = append(call.Args, model.Arg{In: model.InQuery, Name: name, Value: "replaced"})
		query.Set(name, value)
	}
	x := model.Exchange{
		Request: model.Request{URL: "/things/0?" + query.Encode()},
		Reply:   model.Reply{Status: 500, Header: map[string][]string{}, Body: []byte(a.message)},
	}
	if a.body != nil {
		data, err := json.Marshal(a.body)
		if err != nil {
			panic(err)
		}
		call.Body, x.Request.Body = &model.Payload{Media: "application/json", Data: string(data)}, data
	}
	return model.Test{Calls: []model.Call{call}}, x
}

// signature returns the signature of a message's fault.
func (s sayings) signature(t testing.TB, a reply) string {
	t.Helper()
	test, x := s.exchange(a)
	for _, f := range s.rules.Findings(test, []model.Exchange{x}) {
		if f.Oracle == serverError {
			return f.Signature
		}
	}
	t.Fatalf("%q is no fault", a.message)
	return ""
}

// withName returns a body with a value in the field name.
func withName(value any) map[string]any { return map[string]any{"name": value} }

// Messages that differ only in what they repeat of their requests are one fault, in every order.
func TestOneFaultWhateverItRepeats(t *testing.T) {
	for _, c := range []struct {
		name string
		all  []reply
	}{
		{"a letter", []reply{
			{message: "error reading file I: not found", id: "I"},
			{message: "error reading file g: not found", id: "g"},
			{message: "error reading file wOyE: not found", id: "wOyE"},
			{message: "error reading file 17: not found", id: "17"},
			{message: "error reading file 8iDWWñ: not found", id: "8iDWWñ"},
			{message: "error reading file a longer name: not found", id: "a longer name"},
		}},
		{"a sign", []reply{
			{message: "no file 5 with batch ; found", body: withName(";")},
			{message: "no file 5 with batch x7-99f found", body: withName("x7-99f")},
			{message: "no file 5 with batch - found", body: withName("-")},
		}},
		{"a value and its begin", []reply{
			{message: "kind xx is not upper case: x", body: withName("xx")},
			{message: "kind [ is not upper case: [", body: withName("[")},
			{message: "kind tent is not upper case: t", body: withName("tent")},
			{message: "kind 文a is not upper case: 文", body: withName("文a")},
		}},
		{"signs that quote and open", []reply{
			{message: "kind xx is not upper case: xx", body: withName("xx")},
			{message: "kind [ is not upper case: [", body: withName("[")},
			{message: `kind " is not upper case: "`, body: withName(`"`)},
			{message: "kind { is not upper case: {", body: withName("{")},
			{message: "kind ' is not upper case: '", body: withName("'")},
			{message: "kind x is not upper case: x", body: withName("x")},
		}},
		{"a word of the message", []reply{
			{message: "name is mandatory and has a default", body: withName("is")},
			{message: "name is mandatory and has a default", body: withName("tent")},
			{message: "name is mandatory and has a default", body: withName("a")},
			{message: "name is mandatory and has a default", body: withName("default")},
		}},
		{"a word of the message that is repeated, too", []reply{
			{message: "unknown kind go in Go struct", body: withName("go")},
			{message: "unknown kind tent in Go struct", body: withName("tent")},
			{message: "unknown kind in in Go struct", body: withName("in")},
		}},
		{"nothing", []reply{
			{message: "file not found: tent", body: withName("tent")},
			{message: "file not found: ", body: withName("")},
			{message: "file not found:  ", body: withName("  ")},
		}},
		{"lists", []reply{
			{message: "unknown kinds: x", body: withName([]string{"x"})},
			{message: "unknown kinds: x y z", body: withName([]string{"x", "y", "z"})},
			{message: "unknown kinds: tent 17", body: withName([]any{"tent", 17})},
		}},
		{"a parameter with its value", []reply{
			{message: `allowEmpty is no boolean: parsing "x"`, query: map[string]string{"allowEmpty": "x"}},
			{message: `skip_all is no boolean: parsing "tent"`, query: map[string]string{"skip_all": "tent"}},
			{
				message: `allowEmpty is no boolean: parsing "a long text, with signs"`,
				query:   map[string]string{"allowEmpty": "a long text, with signs"},
			},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.all {
				service := sayer(t)
				want := service.signature(t, c.all[i])
				for k := range c.all {
					if got := service.signature(t, c.all[k]); got != want {
						t.Errorf("%q is %q after %q, which is %q", c.all[k].message, got, c.all[i].message, want)
					}
				}
			}
		})
	}
}

// Messages that differ in other words are two faults.
func TestSimilarMessagesAreTwoFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b reply
	}{
		{"fields", reply{message: "missing name"}, reply{message: "missing date"}},
		{
			"fields with values",
			reply{message: "name is no number: x", body: withName("x")},
			reply{message: "date is no number: x", body: map[string]any{"date": "x"}},
		},
		{
			"parameters without a value",
			reply{message: "allowEmpty is missing", query: map[string]string{"skip_all": "1"}},
			reply{message: "skip_all is missing", query: map[string]string{"allowEmpty": "1"}},
		},
		{
			"a parameter whose value is not said",
			reply{message: "allowEmpty is no boolean", query: map[string]string{"allowEmpty": "xy"}},
			reply{message: "skip_all is no boolean", query: map[string]string{"skip_all": "xy"}},
		},
		{
			"a letter that was not sent",
			reply{message: "stage A failed", body: withName("x")},
			reply{message: "stage B failed", body: withName("x")},
		},
		{
			"a letter that only one was sent",
			reply{message: "stage A failed", body: withName("A")},
			reply{message: "stage B failed", body: withName("x")},
		},
		{"a sign that was not sent", reply{message: "expected [ here"}, reply{message: "expected { here"}},
		{"one word less", reply{message: "no stock left", body: withName("left")}, reply{message: "no stock", body: withName("left")}},
		{"one word less, without a body", reply{message: "no stock 17"}, reply{message: "no stock"}},
		{
			"one word more, and a value that is empty",
			reply{message: "no stock", body: withName("")},
			reply{message: "no stock left", body: withName("")},
		},
		{"another order", reply{message: "x before y", body: withName("z")}, reply{message: "y before x", body: withName("z")}},
		{"a word and its plural", reply{message: "no cart", body: withName("x")}, reply{message: "no carts", body: withName("x")}},
		{
			"words around the same value",
			reply{message: "cannot price x", body: withName("x")},
			reply{message: "cannot store x", body: withName("x")},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, pair := range [][2]reply{{c.a, c.b}, {c.b, c.a}} {
				service := sayer(t)
				if a, b := service.signature(t, pair[0]), service.signature(t, pair[1]); a == b {
					t.Errorf("%q and %q are both %q", pair[0].message, pair[1].message, a)
				}
			}
		})
	}
}

// Messages with different statuses are two faults.
func TestTwoFaultsOfTwoStatuses(t *testing.T) {
	service := sayer(t)
	first := service.signature(t, reply{message: "file I: not found", id: "I"})
	test, x := service.exchange(reply{message: "file g: not found", id: "g"})
	x.Reply.Status = 507
	if second := service.rules.Findings(test, []model.Exchange{x})[0].Signature; second == first || !strings.HasPrefix(second, "507 ") {
		t.Errorf("%q and %q", first, second)
	}
}

// Rules recognize the faults that were passed to RememberFault.
func TestRememberedFaults(t *testing.T) {
	service := sayer(t)
	first := reply{message: "kind [ is not upper case: [", body: withName("[")}
	test, x := service.exchange(first)
	f := model.Fault{
		Op: service.op.ID, Oracle: serverError, Status: 500, Signature: service.signature(t, first), Test: &test,
		Exchanges: []model.ExchangeExcerpt{{URL: x.Request.URL, Status: 500, Body: string(x.Reply.Body)}},
	}
	again := sayer(t)
	again.rules.RememberFault(f)
	if got := again.signature(t, reply{message: "kind x is not upper case: x", body: withName("x")}); got != f.Signature {
		t.Errorf("%q, want %q", got, f.Signature)
	}
}

// Two messages are compared in few steps, even if many of their words may be values.
func TestComparisonsAreBounded(t *testing.T) {
	open := wording{blank: true}
	for range maxWords {
		open.words = append(open.words, word{text: "x", open: true})
	}
	a, b := open, open
	a.words = append(slices.Clone(open.words), word{text: "end"})
	b.words = append(slices.Clone(open.words), word{text: "other"})
	l := alignment{left: a, right: b, failed: map[position]bool{}}
	if l.from(position{}) {
		t.Error("they are alike")
	}
	if most := 2 * len(a.words) * len(b.words); len(l.failed) > most+2*len(a.words)+2 {
		t.Errorf("%d places were compared, want at most about %d", len(l.failed), most)
	}
}

func BenchmarkSettle(b *testing.B) {
	service := sayer(b)
	test, x := service.exchange(reply{message: "kind x is not upper case: x", body: withName("x")})
	for b.Loop() {
		service.rules.Findings(test, []model.Exchange{x})
	}
}

// Values without a name are ignored, and only the first arguments of a long query are used.
func TestArgumentsWithoutNames(t *testing.T) {
	s := sayer(t)
	test, x := s.exchange(reply{message: "cannot read tent of =x"})
	test.Calls[0].Args = append(
		test.Calls[0].Args, model.Arg{In: model.InCookie, Value: "tent"},
		model.Arg{In: model.InCookie, Name: "kind", Value: "tent"},
	)
	x.Request.URL = "/things/0?=x&" + strings.Repeat("a=b&", 2*maxValues)
	v := playedTest{ops: s.rules.ops, test: test, exchanges: []model.Exchange{x}}
	got := v.namedArgs(0)
	if len(got) != maxValues || slices.ContainsFunc(got, func(a model.Arg) bool { return a.Name == "" }) {
		t.Errorf("%d arguments, want %d with a name: %+v", len(got), maxValues, got[:2])
	}
	s.rules.Findings(test, []model.Exchange{x}) // must end soon
}
