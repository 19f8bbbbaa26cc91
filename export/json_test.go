package export

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

func TestLayout(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"short":  {`{"a":1,"b":[true,null],"c":{}}`, `{"a": 1, "b": [true, null], "c": {}}`},
		"scalar": {` 12.50 `, `12.50`},
		"hidden": {"{\"`\":\"\u202e\U000e0001\x7f\"}", `{"\u0060": "\u202e\udb40\udc01\u007f"}`},
		"twice":  {`{"a":1,"a":2}`, `{"a": 1, "a": 2}`},
		"spaces": {"[ \"a , b\" ,\r\n 1 ]", `["a , b", 1]`},
		"long": {
			`{"name":"` + strings.Repeat("x", 60) + `","tags":["a","b"],"none":[]}`,
			"{\n\t\t\"name\": \"" + strings.Repeat("x", 60) + "\",\n\t\t\"tags\": [\"a\", \"b\"],\n\t\t\"none\": []\n\t}",
		},
	}
	for name, tt := range tests {
		n, ok := parseJSON(tt.in)
		if !ok {
			t.Errorf("%s: %q is not read", name, tt.in)
			continue
		}
		if got := n.layout(1); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

func TestNotJSON(t *testing.T) {
	for _, text := range []string{"", "{", `{"a":1} x`, "\"\xff\"", "nul"} {
		if _, ok := parseJSON(text); ok {
			t.Errorf("%q is read as JSON", text)
		}
	}
}

func TestPut(t *testing.T) {
	tests := map[string]struct {
		body, pointer, want string
		refused             bool
	}{
		"replaced":       {body: `{"a":1,"b":2}`, pointer: "/a", want: `{"a": 9, "b": 2}`},
		"added":          {body: `{"a":1}`, pointer: "/b~1c", want: `{"a": 1, "b/c": 9}`},
		"within":         {body: `{"a":[{"b":{}}]}`, pointer: "/a/0/b/c", want: `{"a": [{"b": {"c": 9}}]}`},
		"the last wins":  {body: `{"a":1,"a":2}`, pointer: "/a", want: `{"a": 1, "a": 9}`},
		"spelled":        {body: `{"\u0061":1}`, pointer: "/a", want: `{"\u0061": 9}`},
		"no parent":      {body: `{"a":1}`, pointer: "/b/c", refused: true},
		"in an array":    {body: `[1]`, pointer: "/0", refused: true},
		"in a scalar":    {body: `1`, pointer: "/a", refused: true},
		"past the array": {body: `[{}]`, pointer: "/1/a", refused: true},
		"before it":      {body: `[{}]`, pointer: "/-1/a", refused: true},
	}
	for name, tt := range tests {
		n, _ := parseJSON(tt.body)
		if ok := n.put(tt.pointer, "9"); ok == tt.refused {
			t.Errorf("%s: put gives %v", name, ok)
		} else if got := n.layout(0); ok && got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

func TestDeepJSONStaysSmall(t *testing.T) {
	deep := strings.Repeat(`[{"a":`, 2000) + "1" + strings.Repeat("}]", 2000)
	n, ok := parseJSON(deep)
	if got := n.layout(1); !ok || len(got) > 3*len(deep) {
		t.Errorf("%d bytes become %d", len(deep), len(got))
	}
}

// The layout of JSON does not change its meaning, and is valid in Go code.
func TestLayoutKeepsTheMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.Marshal(anyJSON(3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		n, ok := parseJSON(string(data))
		if !ok {
			t.Fatalf("%s is not read", data)
		}
		text := n.layout(1)
		if !allVisible(text) {
			t.Fatalf("%q has something in it that cannot be seen", text)
		}
		var got, want any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		json.Unmarshal(data, &want)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %s, want %s", text, data)
		}
	})
}

func anyJSON(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Float64().AsAny(), rapid.Int().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
	}
	if depth > 0 {
		inner := anyJSON(depth - 1)
		scalars = append(scalars, rapid.SliceOfN(inner, 0, 4).AsAny(), rapid.MapOfN(rapid.String(), inner, 0, 4).AsAny())
	}
	return rapid.OneOf(scalars...)
}

// A value that replaces a number becomes a number if it can, as in Sonde's client.
func TestPayloadTakesValues(t *testing.T) {
	located := part{from: &source{name: "productID"}}
	tests := map[string]struct {
		body  string
		value part
		want  string
	}{
		"for a number":        {`{"a":1}`, located, "`{\"a\": ` + productID.number() + `}`"},
		"for a text":          {`{"a":"1"}`, located, "`{\"a\": ` + productID.json() + `}`"},
		"for nothing":         {`{}`, located, "`{\"a\": ` + productID.json() + `}`"},
		"number for a number": {`{"a":1}`, part{text: "12"}, "`{\"a\": 12}`"},
		"text for a number":   {`{"a":1}`, part{text: "0x1"}, "`{\"a\": \"0x1\"}`"},
		"number for a text":   {`{"a":"1"}`, part{text: "12"}, "`{\"a\": \"12\"}`"},
		"no place":            {`[1]`, located, "`[1]`"},
		"no JSON":             {`a=1`, located, "`a=1`"},
	}
	for name, tt := range tests {
		p := newPayload(*jsonBody(tt.body), []field{{"/a", tt.value}})
		if got := expr(p.parts(1), rawJSON); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
	twice := newPayload(*jsonBody(`{"a":1}`), []field{{"/a", located}, {"/a", part{from: &source{name: "itemID"}}}})
	if got, want := expr(twice.parts(1), rawJSON), "`{\"a\": ` + itemID.number() + `}`"; got != want {
		t.Errorf("twice: got %s, want %s", got, want)
	}
}

// Values are inserted into a form in the same way as in Sonde's client.
func TestFormTakesValues(t *testing.T) {
	body := model.Payload{Media: "application/x-www-form-urlencoded", Data: "n=1&a=0&m=x+y"}
	p := newPayload(body, []field{{"/a", part{from: &source{name: "productID"}}}})
	want := `withBody("application/x-www-form-urlencoded", "a=" + productID.form() + "&m=x+y&n=1")`
	if got := p.option(1); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
