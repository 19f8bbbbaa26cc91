package individual

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func always(v string) *model.Schema { return &model.Schema{Type: "string", Enum: []any{v}} }

func hinted(s *model.Schema, hint model.XML) *model.Schema {
	c := *s
	c.XML = &hint
	return &c
}

func object(name string, fields ...model.Property) *model.Schema {
	for i := range fields {
		fields[i].Required = true
	}
	s := &model.Schema{Name: name, Type: "object", Properties: fields}
	if len(fields) == 0 {
		s.MaxProps = new(0)
	}
	return s
}

func two(items *model.Schema) *model.Schema {
	return &model.Schema{Type: "array", MinItems: 2, MaxItems: new(2), Items: items}
}

// sent returns the body of a call whose body has the given schema and media type.
func sent(media string, s *model.Schema) *model.Payload {
	op := &model.Operation{Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: media, Schema: s}}}}
	return newChromosome(op, false, model.Sizes{}).sample(chance(1)).message()
}

func TestXML(t *testing.T) {
	animals := func(items, list model.XML) *model.Schema {
		return object("Zoo", model.Property{Name: "animals", Schema: hinted(two(hinted(always("a"), items)), list)})
	}
	ns := model.XML{Prefix: "p", Namespace: "urn:p"}
	for _, c := range []struct {
		name   string
		schema *model.Schema
		want   string
	}{
		{"a component", object("Pet", model.Property{Name: "name", Schema: always("a<b&")}), "<Pet><name>a&lt;b&amp;</name></Pet>"},
		{"without a name", object("", model.Property{Name: "7 up", Schema: always("x")}), "<root><_7_up>x</_7_up></root>"},
		{"named by hint", hinted(object("Pet"), model.XML{Name: "pet"}), "<pet></pet>"},
		{"an attribute", object("Pet", model.Property{Name: "id", Schema: hinted(always(`1"`), model.XML{Attribute: true, Name: "key"})},
			model.Property{Name: "x", Schema: always("y")}), `<Pet key="1&#34;"><x>y</x></Pet>`},
		{"a list", animals(model.XML{}, model.XML{}), "<Zoo><animals>a</animals><animals>a</animals></Zoo>"},
		{
			"a list of named items", animals(model.XML{Name: "animal"}, model.XML{Name: "aliens"}),
			"<Zoo><animal>a</animal><animal>a</animal></Zoo>",
		},
		{
			"a wrapped list", animals(model.XML{}, model.XML{Wrapped: true}),
			"<Zoo><animals><animals>a</animals><animals>a</animals></animals></Zoo>",
		},
		{
			"a wrapped list of named items", animals(model.XML{Name: "animal"}, model.XML{Name: "aliens", Wrapped: true}),
			"<Zoo><aliens><animal>a</animal><animal>a</animal></aliens></Zoo>",
		},
		{
			"a wrapped list with a name", animals(model.XML{}, model.XML{Name: "aliens", Wrapped: true}),
			"<Zoo><aliens><aliens>a</aliens><aliens>a</aliens></aliens></Zoo>",
		},
		{
			"a namespace", hinted(object("Pet", model.Property{Name: "a", Schema: hinted(always("x"), ns)}), ns),
			`<p:Pet xmlns:p="urn:p"><p:a>x</p:a></p:Pet>`,
		},
		{"a namespace without prefix", hinted(object("Pet"), model.XML{Namespace: "urn:p"}), `<Pet xmlns="urn:p"></Pet>`},
		{"a prefix of no namespace", hinted(object("Pet"), model.XML{Prefix: "p"}), `<Pet></Pet>`},
		{
			"an attribute of a namespace", object(
				"Pet",
				model.Property{Name: "a", Schema: hinted(always("x"), model.XML{Attribute: true, Prefix: "p", Namespace: "urn:p"})},
			),
			`<Pet xmlns:p="urn:p" p:a="x"></Pet>`,
		},
		{"hints in a part", &model.Schema{Name: "Dog", AllOf: []*model.Schema{hinted(object("Pet", model.Property{
			Name:   "id",
			Schema: hinted(always("1"), model.XML{Attribute: true}),
		}), model.XML{Name: "animal"})}}, `<animal id="1"></animal>`},
		{"null", object("Pet", model.Property{Name: "a", Schema: &model.Schema{Type: "null"}}), "<Pet><a></a></Pet>"},
		{"a scalar", &model.Schema{Name: "N", Type: "integer", Enum: []any{7}}, "<N>7</N>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sent("application/xml; charset=utf-8", c.schema)
			if want := xml.Header + c.want; got.Data != want || got.Media != "application/xml; charset=utf-8" {
				t.Errorf("got %s %s, want %s", got.Media, got.Data, want)
			}
		})
	}
}

// The XML is well-formed, even if names in the spec are not valid in XML.
func TestXMLIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z]{0,3}`))
		hint := func() model.XML {
			return model.XML{
				Name: text.Draw(t, "name"), Prefix: text.Draw(t, "prefix"), Namespace: text.Draw(t, "namespace"),
				Attribute: rapid.IntRange(0, 3).Draw(t, "attribute") == 0, Wrapped: rapid.Bool().Draw(t, "wrapped"),
			}
		}
		s := hinted(object(text.Draw(t, "schema"),
			model.Property{Name: text.Draw(t, "a"), Schema: hinted(&model.Schema{Type: "string"}, hint())},
			model.Property{Name: text.Draw(t, "b"), Schema: hinted(two(hinted(&model.Schema{Type: "string"}, hint())), hint())},
		), hint())
		body := sent("text/xml", s).Data
		d := xml.NewDecoder(strings.NewReader(body))
		for {
			if _, err := d.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("%s: %v", body, err)
			}
		}
	})
}
