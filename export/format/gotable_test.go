package format

import (
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
)

// Each kind of assertion has a field in the row of a table. Unused fields are left out.
func TestAnswersOfTables(t *testing.T) {
	price := &export.Capture{Words: []string{"product", "price"}}
	unchanged := export.Assertion{Kind: export.AssertUnchanged, Pointer: "/price", Capture: price}
	listed := export.Assertion{Kind: export.AssertListed, Pointer: "/*/price", Capture: price}
	absent := export.Assertion{Kind: export.AssertAbsent, Pointer: "/x"}
	for name, c := range map[string]struct {
		step export.TestStep
		want string
	}{
		"a status": {export.TestStep{Status: 201}, "status: 201,\n"},
		"statuses": {
			export.TestStep{Assertions: []export.Assertion{{Kind: export.AssertStatus, Values: []string{"200-299", "409"}}}},
			"status: 0,\nstatuses: []string{\"200-299\", \"409\"},\n",
		},
		"checks": {
			export.TestStep{Status: 200, Checks: []model.Check{{Pointer: "/id"}, {Pointer: "/n", Equals: []byte("7")}}},
			"status: 200,\nwants: []wanted{\n{\"/id\", \"\"},\n{\"/n\", \"7\"},\n},\n",
		},
		"a value that stays": {
			export.TestStep{Status: 200, Assertions: []export.Assertion{unchanged}},
			"status: 200,\nsame: []kept{\n{name: \"productPrice\", pointer: \"/price\"},\n},\n",
		},
		"a list without a value today": {
			export.TestStep{Status: 200, Broken: true, Assertions: []export.Assertion{listed}},
			"status: 200,\nlisted: []kept{\n{name: \"productPrice\", pointer: \"/*/price\"},\n},\nbroken: true,\n",
		},
		"what does not hold today": {
			export.TestStep{Status: 500, Broken: true, Assertions: []export.Assertion{absent}},
			"status: 500,\nexpects: []expectation{\n" + absent.GoExpression() + ",\n},\nbroken: true,\n",
		},
		"kept values": {
			export.TestStep{Status: 200, Captures: []*export.Capture{
				price, {Kind: export.CaptureHeader, Words: []string{"ann", "token"}, Header: "X-Token"},
			}},
			"status: 200,\nkeeps: []kept{\n{name: \"productPrice\", pointer: \"\", header: \"\"},\n" +
				"{name: \"annToken\", pointer: \"\", header: \"X-Token\", kind: \"header\"},\n},\n",
		},
	} {
		if got := (table{newWriter()}).answer(c.step); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Variables that are not secret have their values in the settings. Secret variables do not.
func TestSettingsOfTables(t *testing.T) {
	w := table{newWriter()}
	w.settings(export.Script{
		BaseURL: "http://127.0.0.1:1",
		Reset:   &export.Request{Method: "POST", Path: literal("/reset?to=$1")},
		Secrets: []export.Secret{{Name: "MODE", Default: "test"}, {Name: "KEY"}},
	})
	for _, want := range []string{
		"const defaultURL = \"http://127.0.0.1:1\"\n", "var defaultValues = map[string]string{\n\"MODE\": \"test\",\n}\n",
		"var first = exchange{method: \"POST\", path: \"/reset?to=$$1\",\n}\n",
	} {
		if !strings.Contains(w.String(), want) {
			t.Errorf("no %s in\n%s", want, w.String())
		}
	}
	if strings.Contains(w.String(), "KEY") {
		t.Errorf("a secret has a value in\n%s", w.String())
	}
}
