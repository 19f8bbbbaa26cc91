package model_test

import (
	"testing"

	"sonde/model"
)

func TestStubInWords(t *testing.T) {
	reset := model.Answer{Fault: model.NetReset}
	for _, c := range []struct {
		stub     model.Stub
		does, to string
	}{
		{model.Stub{Protocol: model.HTTP}, "nothing of its own", ""},
		{
			model.Stub{Protocol: model.HTTP, Answers: []model.Answer{{}}, Match: model.StubMatch{Method: "POST", Path: "/charge"}},
			"200", "POST /charge",
		},
		{
			model.Stub{
				Protocol: model.TCP,
				Answers:  []model.Answer{reset},
				Else:     &model.Answer{},
				Match:    model.StubMatch{Prefix: "GET\r\n", Nth: 2},
			},
			"reset …", `"GET\r\n"… number 2`,
		},
		{
			model.Stub{Protocol: model.UDP, Else: &model.Answer{Body: "x"}, Match: model.StubMatch{Equals: "a", Regexp: "^b"}},
			"answer", `"a" /^b/`,
		},
		{
			model.Stub{
				Protocol: model.HTTP,
				Answers:  []model.Answer{{Status: 404}},
				Match:    model.StubMatch{JSON: `{"a":1}`, Query: map[string]string{"q": "1"}, Header: map[string]string{"A": "b"}},
			},
			"404", `with 1 of the query with 1 of the headers with {"a":1}`,
		},
	} {
		if does, to := c.stub.Summary(), c.stub.Match.String(); does != c.does || to != c.to {
			t.Errorf("%+v: got %q to %q, want %q to %q", c.stub, does, to, c.does, c.to)
		}
	}
}
