package individual

import (
	"strings"
	"testing"

	"sonde/model"
)

func TestArgsInOpenAPIsStyles(t *testing.T) {
	list := model.Schema{Type: "array", MinItems: 2, MaxItems: new(int), Items: &model.Schema{Type: "string", Enum: []any{"a"}}}
	*list.MaxItems = 2
	object := model.Schema{Type: "object", Properties: []model.Property{
		{Name: "x", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"1"}}},
		{Name: "y", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"2"}}},
	}}
	odd := list
	odd.Items = &model.Schema{Type: "string", Enum: []any{"a,.= |;b"}}
	one := model.Schema{Type: "string", Enum: []any{"1"}}
	none := model.Schema{Type: "string", Enum: []any{""}}
	empty := model.Schema{Type: "array", MaxItems: new(int), Items: &one}
	outer := model.Schema{Type: "object", Properties: []model.Property{
		{Name: "o", Required: true, Schema: &object}, {Name: "l", Required: true, Schema: &list},
	}}
	for _, c := range []struct {
		name    string
		in      model.Location
		schema  model.Schema
		style   string
		explode bool
		want    string
	}{
		{"a list, exploded", model.InQuery, list, "form", true, "v=a&v=a"},
		{"a list", model.InQuery, list, "form", false, "v=a,a"},
		{"by pipes", model.InQuery, list, "pipeDelimited", false, "v=a%7Ca"},
		{"by spaces", model.InQuery, list, "spaceDelimited", false, "v=a%20a"},
		{"in the path", model.InPath, list, "simple", false, "v=a,a"},
		{"an object, exploded", model.InQuery, object, "form", true, "x=1&y=2"},
		{"an object", model.InQuery, object, "form", false, "v=x,1,y,2"},
		{"a deep object", model.InQuery, object, "deepObject", true, "v[x]=1&v[y]=2"},
		{"an object in a header", model.InHeader, object, "simple", true, "v=x=1,y=2"},
		{"an object in a header, not exploded", model.InHeader, object, "simple", false, "v=x,1,y,2"},
		{"a list in a header", model.InHeader, list, "simple", true, "v=a,a"},
		{"by pipes, exploded", model.InQuery, list, "pipeDelimited", true, "v=a&v=a"},
		{"by spaces, exploded", model.InQuery, list, "spaceDelimited", true, "v=a&v=a"},
		{"an object by pipes", model.InQuery, object, "pipeDelimited", false, "v=x%7C1%7Cy%7C2"},
		{"an object by spaces", model.InQuery, object, "spaceDelimited", false, "v=x%201%20y%202"},
		{"a deeper object", model.InQuery, outer, "deepObject", true, "v[o][x]=1&v[o][y]=2&v[l]=a&v[l]=a"},
		{"separators in items", model.InQuery, odd, "form", false, "v=a%2C.%3D%20%7C%3Bb,a%2C.%3D%20%7C%3Bb"},
		{"separators in items, by pipes", model.InQuery, odd, "pipeDelimited", false, "v=a%2C.%3D%20%7C%3Bb%7Ca%2C.%3D%20%7C%3Bb"},
		{"separators in items in the path", model.InPath, odd, "simple", false, "v=a%2C%2E%3D%20%7C%3Bb,a%2C%2E%3D%20%7C%3Bb"},
		{"separators in items, label", model.InPath, odd, "label", true, "v=.a%2C%2E%3D%20%7C%3Bb.a%2C%2E%3D%20%7C%3Bb"},
		{"separators in items, matrix", model.InPath, odd, "matrix", true, "v=;v=a%2C%2E%3D%20%7C%3Bb;v=a%2C%2E%3D%20%7C%3Bb"},
		{"separators in items in a header", model.InHeader, odd, "simple", false, "v=a,.= |;b,a,.= |;b"},
		{"one value", model.InQuery, one, "form", true, "v=1"},
		{"JSON", model.InQuery, object, "application/json", false, "v=%7B%22x%22%3A%221%22%2C%22y%22%3A%222%22%7D"},
		{"a list in the path, exploded", model.InPath, list, "simple", true, "v=a,a"},
		{"an object in the path", model.InPath, object, "simple", false, "v=x,1,y,2"},
		{"an object in the path, exploded", model.InPath, object, "simple", true, "v=x=1,y=2"},
		{"JSON in the path", model.InPath, list, "application/json", false, "v=%5B%22a%22%2C%22a%22%5D"},
		{"label", model.InPath, one, "label", false, "v=.1"},
		{"label, nothing", model.InPath, none, "label", false, "v=.-"},
		{"label, a list", model.InPath, list, "label", false, "v=.a,a"},
		{"label, a list, exploded", model.InPath, list, "label", true, "v=.a.a"},
		{"label, an object", model.InPath, object, "label", false, "v=.x,1,y,2"},
		{"label, an object, exploded", model.InPath, object, "label", true, "v=.x=1.y=2"},
		{"matrix", model.InPath, one, "matrix", false, "v=;v=1"},
		{"matrix, exploded", model.InPath, one, "matrix", true, "v=;v=1"},
		{"matrix, nothing", model.InPath, none, "matrix", false, "v=;v=-"},
		{"matrix, an empty list", model.InPath, empty, "matrix", true, "v=;v"},
		{"matrix, a list", model.InPath, list, "matrix", false, "v=;v=a,a"},
		{"matrix, a list, exploded", model.InPath, list, "matrix", true, "v=;v=a;v=a"},
		{"matrix, an object", model.InPath, object, "matrix", false, "v=;v=x,1,y,2"},
		{"matrix, an object, exploded", model.InPath, object, "matrix", true, "v=;x=1;y=2"},
		{"a cookie", model.InCookie, list, "form", false, "v=a,a"},
		{"cookies", model.InCookie, list, "form", true, "v=a&v=a"},
		{"an object of cookies", model.InCookie, object, "form", true, "x=1&y=2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := &model.Operation{
				ID:     "GET /",
				Params: []model.Parameter{{Name: "v", In: c.in, Required: true, Schema: &c.schema, Style: c.style, Explode: c.explode}},
			}
			var got []string
			for _, a := range newChromosome(op, false, model.Sizes{}).sample(chance(1)).args() {
				value := a.Encoded()
				if a.In == model.InHeader {
					value = a.Value
				}
				got = append(got, a.Name+"="+value)
			}
			if s := strings.Join(got, "&"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestPathValuesAreNeverEmpty(t *testing.T) {
	none := 0
	for _, schema := range []model.Schema{
		{Type: "string"},
		{Type: "string", MaxLength: &none},
		{Type: "string", Enum: []any{""}},
		{Type: "array", Items: &model.Schema{Type: "string"}},
		{Type: "object"},
	} {
		r := chance(3)
		op := &model.Operation{ID: "DELETE /things/{id}", Params: []model.Parameter{param(model.InPath, "id", true, schema)}}
		for range 200 {
			if args := newChromosome(op, false, model.Sizes{}).sample(r).args(); len(args) != 1 || args[0].Value == "" {
				t.Fatalf("%+v gave %+v: without a value this is another path", schema, args)
			}
		}
	}
}
