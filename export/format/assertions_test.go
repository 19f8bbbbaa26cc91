package format

import (
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
)

// Each format has an expression for each assertion and for its negation.
func TestAssertions(t *testing.T) {
	earlier := &export.Capture{Words: []string{"product", "price"}}
	python := pythonic(export.Script{})
	for name, c := range map[string]struct {
		want                         export.Assertion
		hurl, broken, shell, program string
		postman                      string
	}{
		"status": {
			want:    export.Assertion{Kind: export.AssertStatus, Values: []string{"401", "403"}},
			hurl:    `status toString matches "^(401|403)$"`,
			broken:  `status toString matches "^(401|403)$"`,
			shell:   "statusIn 401 403",
			program: `statusIn("401", "403")`,
			postman: "/^(401|403)$/.test(pm.response.code)",
		},
		"type": {
			want:    export.Assertion{Kind: export.AssertType, Pointer: "/price", Values: []string{"integer"}},
			hurl:    `jsonpath "$.price" isInteger`,
			broken:  `jsonpath "$.price" not isInteger`,
			shell:   "expect typed /price integer",
			program: `expect(typed("/price", "integer"))`,
			postman: `((v) => v === undefined || Number.isInteger(v))(at("/price"))`,
		},
		"present": {
			want:    export.Assertion{Kind: export.AssertPresent, Pointer: "/id"},
			hurl:    `jsonpath "$.id" exists`,
			broken:  `jsonpath "$.id" not exists`,
			shell:   "expect given /id",
			program: `expect(given("/id"))`,
			postman: `((v) => v !== undefined)(at("/id"))`,
		},
		"absent": {
			want:    export.Assertion{Kind: export.AssertAbsent, Pointer: "/x"},
			hurl:    `jsonpath "$.x" not exists`,
			broken:  `jsonpath "$.x" exists`,
			shell:   "expect absent /x",
			program: `expect(absent("/x"))`,
			postman: `((v) => v === undefined)(at("/x"))`,
		},
		"one of": {
			want:    export.Assertion{Kind: export.AssertOneOf, Pointer: "/state", Values: []string{`"paid"`}},
			hurl:    `jsonpath "$.state" == "paid"`,
			broken:  `jsonpath "$.state" not == "paid"`,
			shell:   `expect among /state '"paid"'`,
			program: `expect(among("/state", '"paid"'))`,
			postman: `((v) => v === undefined || ["paid"].some((w) => JSON.stringify(w) === JSON.stringify(v)))(at("/state"))`,
		},
		"pattern": {
			want:    export.Assertion{Kind: export.AssertPattern, Pointer: "/mail", Values: []string{"@"}},
			hurl:    `jsonpath "$.mail" matches "@"`,
			broken:  `jsonpath "$.mail" not matches "@"`,
			shell:   "expect matching /mail @",
			program: `expect(matching("/mail", "@"))`,
			postman: `((v) => typeof v !== "string" || new RegExp("@").test(v))(at("/mail"))`,
		},
		"header": {
			want:    export.Assertion{Kind: export.AssertHeader, Header: "Location", Values: []string{"^/"}},
			hurl:    `header "Location" matches "^/"`,
			broken:  `header "Location" not matches "^/"`,
			shell:   "expect headed Location '^/'",
			program: `expect(headed("Location", "^/"))`,
			postman: `new RegExp("^/").test(pm.response.headers.get("Location") || "")`,
		},
		"no match": {
			want:    export.Assertion{Kind: export.AssertNoMatch, Values: []string{"panic"}},
			hurl:    `body not matches "panic"`,
			broken:  `body matches "panic"`,
			shell:   "expect without panic",
			program: `expect(without("panic"))`,
			postman: `!new RegExp("panic").test(pm.response.text())`,
		},
		"unchanged": {
			want:    export.Assertion{Kind: export.AssertUnchanged, Pointer: "/price", Capture: earlier},
			hurl:    `jsonpath "$.price" == {{product_price}}`,
			broken:  `jsonpath "$.price" not == {{product_price}}`,
			shell:   `expect unchanged /price "$product_price"`,
			program: `expect(unchanged("/price", product_price))`,
			postman: `((v) => JSON.stringify(v) === pm.collectionVariables.get("product_price_json"))(at("/price"))`,
		},
		"listed": {
			want:    export.Assertion{Kind: export.AssertListed, Pointer: "/items/*/price", Capture: earlier},
			shell:   `expect listed '/items/*/price' "$product_price"`,
			program: `expect(listed("/items/*/price", product_price))`,
		},
		"covers": {
			want:    export.Assertion{Kind: export.AssertCovers, Pointer: "/*/price", Capture: earlier},
			shell:   `expect covering '/*/price' "$product_price"`,
			program: `expect(covering("/*/price", product_price))`,
		},
		"disjoint": {
			want:    export.Assertion{Kind: export.AssertDisjoint, Pointer: "/*/price", Capture: earlier},
			shell:   `expect disjoint '/*/price' "$product_price"`,
			program: `expect(disjoint("/*/price", product_price))`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for what, pair := range map[string][2]string{
				"hurl":         {hurlAssertion(c.want, false), c.hurl},
				"broken hurl":  {hurlAssertion(c.want, true), c.broken},
				"shell":        {shAssertion(c.want, false), c.shell},
				"broken shell": {shAssertion(c.want, true), strings.Replace(c.shell, "expect ", "broken ", 1)},
				"python":       {python.assertionCall(c.want, false), c.program},
				"broken":       {python.assertionCall(c.want, true), strings.Replace(c.program, "expect(", "broken(", 1)},
				"postman":      {newAnswerProgram(postmanAnswers).assertion(c.want), c.postman},
			} {
				lacks := pair[1] == "" && whyNoHurlAssertion(c.want) != "" && whyNoScriptAssertion(c.want) != ""
				if pair[0] != pair[1] && !lacks {
					t.Errorf("%s: got %s, want %s", what, pair[0], pair[1])
				}
			}
		})
	}
}

// If a format cannot express an assertion, the omissions of a file have the reason.
func TestAssertionsThatFormatsLack(t *testing.T) {
	each := export.Assertion{Kind: export.AssertPresent, Pointer: "/items/*/id"}
	either := export.Assertion{Kind: export.AssertType, Pointer: "/id", Values: []string{"string", "null"}}
	status := export.Assertion{Kind: export.AssertStatus, Values: []string{"404", "410"}}
	for name, c := range map[string]struct {
		whyNo                 func(export.Assertion) string
		each, either, allowed bool
	}{
		"hurl":    {whyNo: whyNoHurlAssertion, each: true, either: true},
		"postman": {whyNo: whyNoScriptAssertion, each: true},
		"arazzo":  {whyNo: whyNoArazzoAssertion, each: true, either: true},
	} {
		for what, want := range map[string]struct {
			assertion export.Assertion
			refused   bool
		}{
			"each item":      {each, c.each},
			"several types":  {either, c.either},
			"several states": {status, false},
		} {
			if why := c.whyNo(want.assertion); (why != "") != want.refused {
				t.Errorf("%s, %s: got the reason %q, want one: %t", name, what, why, want.refused)
			}
		}
	}
}

func TestChecksOfHurlAreDeep(t *testing.T) {
	got := asserts("$.order", model.Check{Equals: []byte(`{"id":1e2,"tags":["a",true,null]}`)})
	want := []string{
		`jsonpath "$.order" isObject`,
		`jsonpath "$.order['id']" == 100`,
		`jsonpath "$.order['tags']" count == 3`,
		`jsonpath "$.order['tags'][0]" == "a"`,
		`jsonpath "$.order['tags'][1]" == true`,
		`jsonpath "$.order['tags'][2]" == null`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLiteralsOfArazzo(t *testing.T) {
	for value, want := range map[string]string{
		`"it's"`: "'it''s'",
		"1.50":   "1.50",
		"true":   "true",
		"null":   "null",
		"":       "",
		"{}":     "",
		"[1]":    "",
	} {
		got, ok := arazzoLiteral([]byte(value))
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t, want %q", value, got, ok, want)
		}
	}
}
