package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

func TestChecks(t *testing.T) {
	for _, c := range []struct {
		name, body string
		reset      bool
		want       string
	}{
		{
			"stable and volatile", `{"name":"tent","price":12.50,"productId":7,"createdAt":"x","ok":true,"gone":null}`, true,
			`/createdAt /gone=null /name="tent" /ok=true /price=12.50 /productId`,
		},
		{
			"a volatile text under any name",
			`{"note":"made 2026-11-20","error":"no cart 0f8fad5b-d9cb-469f-a165-70867728950e"}`, true,
			`/error /note`,
		},
		{
			"a port that a system gave",
			`{"a":"read tcp 198.19.1.2:1058->198.18.0.7:80: EOF","b":"[fd00::1]:58876","c":"198.19.1.2:58876 left"}`,
			true, `/a /b /c`,
		},
		{"a port of a host", `{"a":"198.19.1.2:8125","b":"[fd00::1]:80"}`, true, `/a="198.19.1.2:8125" /b="[fd00::1]:80"`},
		{"names that only look volatile", `{"paid":1,"grid":"x","update":2,"valid":true}`, true, `/grid="x" /paid=1 /update=2 /valid=true`},
		{"lists speak by their first", `{"items":[{"sku":"a"},{"sku":"b"}],"none":[]}`, true, `/items/0/sku="a"`},
		{"keys are escaped", `{"a/b~c":1}`, true, `/a~1b~0c=1`},
		{"nothing is stable without a reset", `{"count":3,"items":[{"a":1}]}`, false, `/count`},
		{"a long value", `{"text":"` + strings.Repeat("x", 300) + `"}`, true, `/text`},
		{"a bare value", `42`, true, `=42`},
		{"what is masked", `{"echo":"bad ***","whole":"***","stars":"**","***":1,"a":{"x***y":{"b":1}}}`, true, `/echo /stars="**" /whole`},
		{"no JSON", `<html>`, true, ``},
		{"a stray bracket", `{"a":1}]`, true, ``},
		{"two values", `{} {}`, true, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, k := range oracle.Checks(0, model.Reply{Body: []byte(c.body)}, c.reset) {
				s := k.Pointer
				if len(k.Equals) > 0 {
					s += "=" + string(k.Equals)
				}
				got = append(got, s)
			}
			want := strings.Fields(c.want)
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestChecksAreBounded(t *testing.T) {
	var fields []string
	for i := range 100 {
		fields = append(fields, fmt.Sprintf(`"f%d":1`, i))
	}
	body := "{" + strings.Join(fields, ",") + "}"
	if got := len(oracle.Checks(0, model.Reply{Body: []byte(body)}, true)); got != 20 {
		t.Errorf("%d checks, want 20", got)
	}
	deep := strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 50)
	if got := oracle.Checks(0, model.Reply{Body: []byte(deep)}, true); len(got) != 0 {
		t.Errorf("%d checks of a deep body, want none", len(got))
	}
}
