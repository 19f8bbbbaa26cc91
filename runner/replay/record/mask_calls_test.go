package record

import (
	"strings"
	"testing"

	"sonde/model"
)

// The secrets of calls and of their exchange get the same pseudonyms. Everything else stays.
func TestSentRequestsAreMasked(t *testing.T) {
	const key, token, password = "k3y-of-ann-4711", "tok3n-of-ann-0815", "hush-hush-2026"
	calls := []model.Call{{Op: "POST /carts", Args: []model.Arg{
		{In: model.InHeader, Name: "x-api-key", Value: key},
		{In: model.InHeader, Name: "authorization", Value: "Bearer " + token},
		{In: model.InCookie, Name: "theme", Value: "c00kie-of-ann-1"},
		{In: model.InQuery, Name: "access_token", Value: token},
		{In: model.InQuery, Name: "page", Value: "2"},
		{In: model.InPath, Name: "id", Value: "7"},
	}, Body: &model.Payload{Media: "application/json", Data: `{"password":"` + password + `","n":1}`}}, {Op: "GET /carts"}}
	x := model.Exchange{
		Request: model.Request{URL: "/carts?access_token=" + token, Header: map[string][]string{"X-Api-Key": {key}}},
		Reply:   model.Reply{Status: 201, Body: []byte(`{"echo":"` + key + `","n":1}`)},
	}
	own, exchange, masked := Masks{}.Sent(calls, x)
	if !masked || len(own) != 2 || calls[0].Args[0].Value != key {
		t.Errorf("masked %t, %d calls, the first one is now %+v", masked, len(own), calls[0])
	}
	all := own[0].Body.Data + exchange.Request.URL + string(exchange.Reply.Body)
	for _, a := range own[0].Args {
		all += "\n" + a.Value
	}
	for _, secret := range []string{key, token, password, "c00kie-of-ann-1"} {
		if strings.Contains(all, secret) {
			t.Errorf("%q is in %q", secret, all)
		}
	}
	pseudonym := own[0].Args[0].Value
	want := `{"echo":"` + pseudonym + `","n":1}`
	if string(exchange.Reply.Body) != want || exchange.Request.Header["X-Api-Key"][0] != pseudonym {
		t.Errorf("the answer is %s, want %s", exchange.Reply.Body, want)
	}
	if own[0].Args[4].Value != "2" || own[0].Args[5].Value != "7" {
		t.Errorf("got %+v, want that other values stay", own[0].Args)
	}
	if _, _, masked := (Masks{}).Sent(calls[1:], model.Exchange{}); masked {
		t.Error("a call without secrets is masked")
	}
}
