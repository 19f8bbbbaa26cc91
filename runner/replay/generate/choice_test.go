package generate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/replay/generate"
	"sonde/runner/replay/shape"

	"github.com/google/go-cmp/cmp"
)

// Each refusal with a new message becomes a test. Of refusals that differ only in ids and numbers, only the first
// becomes a test.
func TestChoiceByTraits(t *testing.T) {
	refused := func(says string) model.ServedRequest {
		return served("POST", "/orders", `{"n":1}`, 400, fmt.Sprintf(`{"error":%q}`, says))
	}
	rec := recording(
		refused("n: must be at most 17"),
		refused("n: must be at most 18"),
		refused("m: is required"),
		refused(`there is no cart "k-1"`),
		refused(`there is no cart "k-2"`),
		served("POST", "/orders", `{"n":1}`, 201, `{"lines":[],"paid":false}`),
		served("POST", "/orders", `{"n":1}`, 201, `{"lines":[],"paid":true}`),
		served("POST", "/orders", `{"n":2}`, 201, `{"lines":[],"paid":true}`),
	)
	suite := generate.Tests(rec, spec("POST /orders"), generate.Options{})
	var got []string
	for _, test := range suite.Tests {
		got = append(got, test.ID)
	}
	if diff := cmp.Diff([]string{"r1", "r3", "r4", "r6", "r7"}, got); diff != "" || len(suite.Skipped) != 0 {
		t.Errorf("skipped %v, -want +got\n%s", suite.Skipped, diff)
	}
	if o := suite.Operations[0]; o.Shapes != 2 || o.Chosen != 5 || o.Seen != 8 {
		t.Errorf("got %+v", o)
	}
}

// If all answers of a service differ, the number of tests is limited, and the other exchanges are listed as skipped.
// Each status has its own limit.
func TestChoiceIsBounded(t *testing.T) {
	var all []model.ServedRequest
	for i := range 500 {
		word := strings.Repeat(string(rune('a'+i%26)), 1+i/26)
		all = append(
			all, served("POST", "/orders", `{}`, 400, `{"error":"`+word+`"}`),
			served("POST", "/orders", `{}`, 422, `{"`+word+`":"no"}`),
		)
	}
	all = append(all, served("POST", "/orders", `{}`, 201, `{}`))
	suite := generate.Tests(recording(all...), spec("POST /orders"), generate.Options{})
	if n := len(suite.Tests); n < 2*shape.MaxDistinct || n > 4*shape.MaxDistinct+1 {
		t.Errorf("%d tests", n)
	}
	of(t, suite, "POST /orders", 201)
	if n := len(suite.Skipped); n == 0 || len(suite.Tests)+n != len(all) ||
		suite.Skipped[0].Why != "POST /orders 400 already has 50 distinct shapes or traits" {
		t.Errorf("%d skipped, such as %v", n, suite.Skipped[:1])
	}
}

// If two earlier answers have the same time by coincidence, the test takes the time from the later answer.
func TestLaterTime(t *testing.T) {
	at := startTime.Add(time.Second).Format(time.RFC3339)
	touched := served("POST", "/items/1/touches", ``, 200, `{"itemId":1,"touchedAt":"`+at+`"}`)
	made := served("POST", "/items", `{"n":1}`, 201, `{"itemId":1}`)
	made.Reply.Header["Location"] = []string{"/items/1"}
	rec := recording(made, touched, touched, served("GET", "/items/1", ``, 200, `{"itemId":1,"touchedAt":"`+at+`"}`))
	suite := generate.Tests(
		rec, spec("POST /items", "POST /items/{itemId}/touches", "GET /items/{itemId}"),
		generate.Options{Exchanges: []string{fmt.Sprintf("%032x", 4)}},
	)
	if len(suite.Tests) != 1 {
		t.Fatalf("%d tests, skipped %v", len(suite.Tests), suite.Skipped)
	}
	if diff := cmp.Diff(
		[]string{"status  equals", "body  equals", "body /itemId linked 0/itemId", "body /touchedAt linked 2/touchedAt"},
		lines(suite.Tests[0].Mock.Output),
	); diff != "" {
		t.Error(diff)
	}
}

// All values of a header and of a query are compared, joined as the exported tests join them.
func TestAllValues(t *testing.T) {
	sent := sentTo("pay.example:80", "GET", "/rates?day=mon&day=tue", "", 200, "{}")
	sent.Request.Header["X-Tenant"] = []string{"a", "b"}
	x := served("GET", "/orders", "", 200, "{}", sent)
	x.Reply.Header["Link"] = []string{"</orders?p=2>; rel=next", "</orders?p=9>; rel=last"}
	api := spec("GET /orders")
	link := model.Parameter{Name: "Link", Schema: &model.Schema{Type: "string"}}
	api.Operations[0].Responses = []model.Response{{Status: "200", Headers: []model.Parameter{link}}}
	test := of(t, generate.Tests(recording(x), api, generate.Options{}), "GET /orders", 200)
	all := append(slices.Clone(test.Mock.Output), test.Mock.ExpectedCalls[0].Params...)
	got := map[string]string{}
	for _, e := range all {
		got[string(e.In)+" "+e.Name] = string(e.Value)
	}
	for place, want := range map[string]string{
		"header Link":     `"</orders?p=2>; rel=next, </orders?p=9>; rel=last"`,
		"header X-Tenant": `"a, b"`,
		"query day":       `"mon, tue"`,
	} {
		if got[place] != want {
			t.Errorf("%s: got %s, want %s", place, got[place], want)
		}
	}
}
