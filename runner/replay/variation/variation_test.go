package variation_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/runner/replay/variation"
)

// testOf returns a test in which the call under test makes two outward calls to each stub.
func testOf(stubs ...model.Stub) model.Test {
	t := model.Test{ID: "r1", Calls: []model.Call{{}}, Stubs: stubs, Mock: &model.MockTest{About: "GET /a"}}
	for i := range stubs {
		t.Mock.ExpectedCalls = append(t.Mock.ExpectedCalls, model.ExpectedCall{Stub: i}, model.ExpectedCall{Stub: i})
	}
	return t
}

func stub(p model.Protocol, answers ...model.Answer) model.Stub {
	return model.Stub{Host: "pay.example:80", Protocol: p, Answers: answers}
}

// bodies returns the content of the first answer in each test.
func bodies(all []model.Test) (texts []string) {
	for _, t := range all {
		texts = append(texts, string(t.Stubs[0].Answers[0].Content()))
	}
	return texts
}

// Each value of a document is changed once before any is changed twice, and constants of the source come first.
func TestDocuments(t *testing.T) {
	test := testOf(stub(model.HTTP, model.Answer{Status: 200, Body: `{"price":12.30,"ok":true,"tags":["a"],"note":null}`}))
	all := variation.Tests(test, []string{"100", "vip"}, 100)
	if n := len(all); n < 12 {
		t.Fatalf("%d tests", n)
	}
	want := []string{
		`{"price":12.30,"ok":true,"tags":["a"],"note":null}`, // with the status 500
		`{"note":null,"ok":false,"price":12.30,"tags":["a"]}`,
		`{"note":null,"ok":true,"price":100,"tags":["a"]}`,
		`{"note":null,"ok":true,"price":12.30,"tags":[]}`,
		`{"note":null,"ok":true,"price":12.30,"tags":["vip"]}`,
	}
	got := bodies(all)
	if diff := cmp.Diff(want, got[:5]); diff != "" {
		t.Error(diff)
	}
	for _, body := range got {
		if !json.Valid([]byte(body)) {
			t.Errorf("%s is not JSON", body)
		}
	}
	for _, number := range []string{"101", "99", "13.3", "0", "-12.3", "12.305", "12.304"} {
		if !slices.Contains(got, `{"note":null,"ok":true,"price":`+number+`,"tags":["a"]}`) {
			t.Errorf("no test has the price %s", number)
		}
	}
	if all[0].Stubs[0].Answers[0].Status != 500 || all[0].ID != "r1.1" || all[1].ID != "r1.2" {
		t.Errorf("the first tests are %s with %+v and %s", all[0].ID, all[0].Stubs[0].Answers[0], all[1].ID)
	}
	if about := all[2].Mock.About; about != "GET /a, if pay.example:80 answers /price 100" {
		t.Errorf("about %q", about)
	}
	if test.Mock.About != "GET /a" || test.Stubs[0].Answers[0].Status != 200 || !strings.Contains(test.Stubs[0].Answers[0].Body, "12.30") {
		t.Error("the given test was changed")
	}
	if few := variation.Tests(test, nil, 3); len(few) != 3 {
		t.Errorf("%d tests, want 3", len(few))
	}
}

// In the result of a query, only the rows are changed. The columns, with their number and types, stay, and whole
// numbers stay whole.
func TestRows(t *testing.T) {
	result := `{"columns":[{"name":"n","type":23}],"rows":[["17"]]}`
	got := bodies(variation.Tests(testOf(stub(model.Postgres, model.Answer{Body: result})), []string{"0.5", "20"}, 100))
	want := []string{
		`{"columns":[{"name":"n","type":23}],"rows":[]}`,
		`{"columns":[{"name":"n","type":23}],"rows":[["20"]]}`,
		`{"columns":[{"name":"n","type":23}],"rows":[["17"],["17"]]}`,
	}
	if diff := cmp.Diff(want, got[:3]); diff != "" {
		t.Error(diff)
	}
	for _, body := range got {
		if strings.Contains(body, ".") || !strings.HasPrefix(body, `{"columns":[{"name":"n","type":23}],"rows":`) {
			t.Errorf("got %s", body)
		}
	}
}

// The body of the call under test is changed, too, except for values that come from earlier answers.
func TestBodies(t *testing.T) {
	test := testOf()
	body := &model.Payload{Media: "application/json", Data: `{"id":"x","n":1}`}
	test.Calls = []model.Call{{Body: &model.Payload{Data: `{"n":1}`}}, {Body: body}}
	test.Mock.Call = 1
	test.Links = []model.Link{{From: 0, To: 1, In: model.InBody, Name: "/id"}}
	var got []string
	for _, v := range variation.Tests(test, []string{"5"}, 100) {
		got = append(got, v.Calls[1].Body.Data)
		if v.Calls[0].Body.Data != `{"n":1}` || v.Calls[1].Body.Media != "application/json" {
			t.Errorf("got %+v", v.Calls)
		}
	}
	var want []string
	for _, n := range []string{"5", "6", "4", "2", "0", "-1"} {
		want = append(want, `{"id":"x","n":`+n+`}`)
	}
	if !slices.Equal(got, want) || test.Calls[1].Body.Data != `{"id":"x","n":1}` {
		t.Errorf("got %q, want %q", got, want)
	}
}

// In answers that are not JSON, the numbers are changed. Answers with a fault, and answers of a stub with a prologue,
// do not change.
func TestTexts(t *testing.T) {
	got := bodies(variation.Tests(testOf(stub(model.TCP, model.Answer{Body: "OK 17 left\n"})), nil, 100))
	if want := []string{"OK 18 left\n", "", "OK 16 left\n", "OK 0 left\n", "OK -17 left\n"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	opening := stub(model.TCP, model.Answer{Body: "1"})
	opening.Prologue = []model.PrologueStep{{}}
	for name, s := range map[string]model.Stub{
		"a fault": stub(model.TCP, model.Answer{Fault: model.NetReset, Body: "1"}), "a prologue": opening,
	} {
		if all := variation.Tests(testOf(s), nil, 100); len(all) != 0 {
			t.Errorf("%s: %q", name, bodies(all))
		}
	}
}

func TestInterleave(t *testing.T) {
	lists := [][]int{{1, 2, 3}, nil, {4}, {5, 6}}
	for max, want := range map[int][]int{0: nil, 4: {1, 4, 5, 2}, 9: {1, 4, 5, 2, 6, 3}} {
		if got := variation.Interleave(lists, max); !slices.Equal(got, want) {
			t.Errorf("at most %d: got %v, want %v", max, got, want)
		}
	}
}
