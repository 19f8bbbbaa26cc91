package send

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// The bar in a text is the cursor.
func TestFindJSONPlace(t *testing.T) {
	for text, want := range map[string]struct {
		pointer, token string
		inName, named  bool
		names          []string
	}{
		`|`:                                  {},
		`{|}`:                                {inName: true},
		`{"a|": 1}`:                          {token: `"a"`, inName: true, named: true},
		`{"a": |}`:                           {pointer: "/a"},
		`{"a": 1|2}`:                         {pointer: "/a", token: "12"},
		`{"a": "x|y", "b": 2}`:               {pointer: "/a", token: `"xy"`},
		`{"a": 1, |"b": 2}`:                  {token: `"b"`, inName: true, named: true, names: []string{"a"}},
		`{"a": 1, | }`:                       {inName: true, names: []string{"a"}},
		"{\"a\": 1, \"c|\n, \"b\": 2}":       {token: `"c`, inName: true, names: []string{"a", "b"}},
		`{| "a": {"x": 1}, "b": 2}`:          {inName: true, named: false, names: []string{"a", "b"}},
		`{"a": {"b": [{"c/d": |}]}}`:         {pointer: "/a/b/0/c~1d"},
		`{"a": {"b": [{"c": 1}, {|}]}, "e":`: {pointer: "/a/b/0", inName: true},
		`[1, |, 3]`:                          {pointer: "/0"},
		`{"a": tr|}`:                         {pointer: "/a", token: "tr"},
		`{"a": "x\"|y"}`:                     {pointer: "/a", token: `"x\"y"`},
		`{"é": "x"|}`:                        {pointer: "/é", token: `"x"`},
		`}}]|`:                               {},
	} {
		at := strings.IndexByte(text, '|')
		text = strings.Replace(text, "|", "", 1)
		p := findJSONPlace(text, at)
		if p.pointer() != want.pointer || text[p.start:p.end] != want.token || p.inName != want.inName || p.named != want.named ||
			!slices.Equal(p.names, want.names) {
			t.Errorf("%s at %d: got %q, token %q, %+v, want %+v", text, at, p.pointer(), text[p.start:p.end], p, want)
		}
	}
}

// The schema of a place is found through lists, allOf and additional properties.
func TestSchemaOfAPlace(t *testing.T) {
	id, other := &model.Schema{Type: "integer"}, &model.Schema{Type: "boolean"}
	item := &model.Schema{AllOf: []*model.Schema{{Properties: []model.Property{{Name: "id", Required: true, Schema: id}}}}}
	order := &model.Schema{Additional: other, Required: []string{"more"}, Properties: []model.Property{
		{Name: "items", Schema: &model.Schema{Items: item}},
	}}
	for text, want := range map[string]struct {
		schema   *model.Schema
		required bool
	}{
		`{"items": [{"id": |`:     {id, true},
		`{"items": [|`:            {item, false},
		`{"more": |`:              {other, true},
		`{"items": [{"x": {"y":|`: {nil, false},
	} {
		got, required := findJSONPlace(text[:len(text)-1], len(text)-1).schema(order)
		if got != want.schema || required != want.required {
			t.Errorf("%s: got %+v, required %t, want %+v", text, got, required, want)
		}
	}
}

func TestJSONProblem(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1}`:         "",
		"{\n  \"é\": x\n}": "line 2, column 8: invalid character 'x'",
		"{\"a\": 1":        "line 1, column 8: unexpected end",
		"":                 "line 1, column 1: unexpected end",
		"{}\n]":            "line 2, column 1: invalid character ']'",
		"{\"a\": \"\n\"}":  "line 1, column 8: invalid character",
	} {
		if got := jsonProblem(text); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// The place is within the text for every text and every cursor.
func FuzzFindJSONPlace(f *testing.F) {
	f.Add(`{"a": [1, {"b": "c"}]}`, 9)
	f.Add(`{"a`, 3)
	f.Add(`]}{:,"\`, 2)
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		if len(text) > 1<<12 {
			return
		}
		cursor = min(max(cursor, 0), len(text))
		p := findJSONPlace(text, cursor)
		if p.start < 0 || p.start > cursor || p.end < cursor || p.end > len(text) {
			t.Errorf("%q at %d: got %d to %d", text, cursor, p.start, p.end)
		}
		jsonProblem(text)
	})
}
