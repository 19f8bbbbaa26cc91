package gene

import (
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func pets() (pet, cat, dog *model.Schema) {
	text := &model.Schema{Type: "string"}
	cat = &model.Schema{Name: "Cat", Type: "object", Properties: []model.Property{field("kind", true, text)}}
	dog = &model.Schema{Name: "Dog", Type: "object", Properties: []model.Property{field("kind", false, text), field("bark", false, text)}}
	return &model.Schema{Name: "Pet", OneOf: []*model.Schema{cat, dog}, Discriminator: &model.Discriminator{Property: "kind"}}, cat, dog
}

// kinds returns the values of the property "kind" in many samples and mutants.
func kinds(t *testing.T, s *model.Schema) map[string]bool {
	seen, r := map[string]bool{}, source(1)
	for range 50 {
		g := sampled(s, r)
		for range 5 {
			kind, _ := decode(t, g).(map[string]any)["kind"].(string)
			seen[kind] = true
			Mutate(r, []Gene{g}, Pace{})
		}
	}
	return seen
}

func mustBe(t *testing.T, got map[string]bool, want ...string) {
	t.Helper()
	for _, w := range want {
		if !got[w] {
			t.Errorf("%q never came: %v", w, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDiscriminatorTellsTheAlternative(t *testing.T) {
	pet, cat, dog := pets()
	t.Run("by the component's name", func(t *testing.T) { mustBe(t, kinds(t, pet), "Cat", "Dog") })
	pet.Discriminator.Mapping = []model.DiscriminatorMapping{
		{Value: "c", Schema: cat},
		{Value: "tom", Schema: cat},
		{Value: "d", Schema: dog},
	}
	t.Run("by the mapping", func(t *testing.T) { mustBe(t, kinds(t, pet), "c", "tom", "d") })
	t.Run("together with what belongs to it", func(t *testing.T) {
		r := source(2)
		for range 100 {
			if v := decode(t, sampled(pet, r)).(map[string]any); v["bark"] != nil && v["kind"] != "d" {
				t.Fatalf("a %v that barks", v["kind"])
			}
		}
	})
}

func TestDiscriminatorOfABase(t *testing.T) {
	base := &model.Schema{
		Name: "Pet", Type: "object", Properties: []model.Property{field("kind", true, &model.Schema{Type: "string"})},
		Discriminator: &model.Discriminator{Property: "kind"},
	}
	dog := &model.Schema{Name: "Dog", AllOf: []*model.Schema{base, {Properties: []model.Property{field("of", true, base)}}}}
	mustBe(t, kinds(t, base), "Pet")
	mustBe(t, kinds(t, dog), "Dog")
	mustBe(t, kinds(t, &model.Schema{AllOf: []*model.Schema{dog}}), "Dog")
	base.Discriminator.Mapping = []model.DiscriminatorMapping{{Value: "dog", Schema: dog}, {Value: "pet", Schema: base}}
	mustBe(t, kinds(t, base), "dog")
}

// mustKeep fails the test if keeps rejects a sample of a schema, or a mutant of a sample.
func mustKeep(t *testing.T, s *model.Schema, keeps func(v any) bool) {
	t.Helper()
	r := source(3)
	for range 100 {
		g := sampled(s, r)
		for range 10 {
			if !keeps(decode(t, g)) {
				t.Fatalf("got %s", JSON(g))
			}
			Mutate(r, []Gene{g}, Pace{})
		}
	}
}

func TestNot(t *testing.T) {
	flag := &model.Schema{Type: "boolean"}
	both := &model.Schema{
		Type: "object", Properties: []model.Property{field("a", false, flag), field("b", false, flag)},
		Not: &model.Schema{Required: []string{"a", "b"}},
	}
	cases := []struct {
		name   string
		schema *model.Schema
		keeps  func(v any) bool
	}{
		{
			"a value", &model.Schema{Type: "integer", Min: new(0.0), Max: new(3.0), Not: &model.Schema{Enum: []any{2.0}}},
			func(v any) bool { return v != 2.0 },
		},
		{
			"a pattern", &model.Schema{Type: "string", MinLength: 1, Not: &model.Schema{Pattern: "^[a-m]"}},
			func(v any) bool { return v.(string)[0] < 'a' || v.(string)[0] > 'm' },
		},
		{"two together", both, func(v any) bool { return len(v.(map[string]any)) < 2 }},
		{"in allOf, twice", &model.Schema{Type: "boolean", AllOf: []*model.Schema{
			{Not: &model.Schema{Const: true}}, {Not: &model.Schema{Type: "string"}},
		}}, func(v any) bool { return v == false }},
		{
			"everything, given up", &model.Schema{Type: "boolean", Not: &model.Schema{}},
			func(v any) bool { _, ok := v.(bool); return ok },
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { mustKeep(t, c.schema, c.keeps) })
	}
}

func TestForbiddenValueIsNotTaken(t *testing.T) {
	g := New(&model.Schema{Type: "string", Not: &model.Schema{Enum: []any{"root"}}})
	if !g.SetValue("toor") || g.SetValue("root") || Text(g) != "toor" {
		t.Errorf("got %s", JSON(g))
	}
}

func TestOneOfKeepsOneAlternativeOnly(t *testing.T) {
	s := &model.Schema{OneOf: []*model.Schema{
		{Type: "integer", Min: new(0.0), Max: new(9.0), MultipleOf: new(2.0)},
		{Type: "integer", Min: new(0.0), Max: new(9.0), MultipleOf: new(3.0)},
	}}
	for v := range values(s, 300) {
		if v == "0" || v == "6" {
			t.Errorf("%s keeps both", v)
		}
	}
}

// Objects whose properties are all optional match several alternatives, but are sampled anyway.
func TestAmbiguousAlternatives(t *testing.T) {
	flag := &model.Schema{Type: "boolean"}
	loose := func(name string) *model.Schema {
		return &model.Schema{Type: "object", Properties: []model.Property{field(name, false, flag)}}
	}
	if got := values(&model.Schema{OneOf: []*model.Schema{loose("a"), loose("b")}}, 100); len(got) != 5 {
		t.Errorf("got %v", got)
	}
}

func TestRequiredElsewhere(t *testing.T) {
	flag := &model.Schema{Type: "boolean"}
	s := &model.Schema{
		Type:       "object",
		Properties: []model.Property{field("mail", false, flag), field("phone", false, flag)},
		AnyOf:      []*model.Schema{{Required: []string{"mail"}}, {Required: []string{"phone"}}},
	}
	mustKeep(t, s, func(v any) bool { return len(v.(map[string]any)) > 0 })
	unknown := &model.Schema{Type: "object", Required: []string{"id"}}
	mustKeep(t, unknown, func(v any) bool { return v.(map[string]any)["id"] != nil })
}

func TestNumberOfProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &model.Schema{Type: "object", MinProps: rapid.IntRange(0, 4).Draw(t, "min")}
		most := s.MinProps + rapid.IntRange(0, 3).Draw(t, "more")
		s.MaxProps = &most
		required := 0
		for i := range rapid.IntRange(0, 5).Draw(t, "properties") {
			must := required < most && rapid.IntRange(0, 3).Draw(t, "required") == 0
			s.Properties = append(s.Properties, field(string(rune('a'+i)), must, &model.Schema{Type: "boolean"}))
			if must {
				required++
			}
		}
		if rapid.Bool().Draw(t, "free") {
			s.Additional = &model.Schema{Type: "boolean"}
		}
		r := source(rapid.Uint64().Draw(t, "seed"))
		g := sampled(s, r)
		for range 10 {
			if n := len(decode(t, g).(map[string]any)); n < s.MinProps || n > most {
				t.Fatalf("%d properties in %s, want %d to %d", n, JSON(g), s.MinProps, most)
			}
			Mutate(r, []Gene{g}, Pace{})
		}
	})
}

func TestImpossibleNumberOfProperties(t *testing.T) {
	flag := &model.Schema{Type: "boolean"}
	s := &model.Schema{
		Type: "object", MinProps: 9, MaxProps: new(0),
		Properties: []model.Property{field("a", true, flag), field("b", false, flag)},
	}
	mustKeep(t, s, func(v any) bool { _, ok := v.(map[string]any)["a"]; return ok })
	if !New(s).SetValue(map[string]any{"a": true}) {
		t.Error("one property is within 0 and 9")
	}
}

func TestNamesTellWhatAStringIs(t *testing.T) {
	is := func(re string) func(string) bool { return regexp.MustCompile(re).MatchString }
	for _, c := range []struct {
		name string
		is   func(v string) bool
	}{
		{"contactEmail", func(v string) bool { _, err := mail.ParseAddress(v); return err == nil && strings.Contains(v, "@") }},
		{"MAIL", is("^[a-z]+@[a-z]+[.]example$")},
		{"callback_url", func(v string) bool { u, err := url.Parse(v); return err == nil && u.Host != "" }},
		{"phone-numbers", is(`^\+1202555[01]{2}\d\d$`)},
		{"birthDate", is(`^\d{4}-\d\d-\d\d$`)},
		{"createdAt", is(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)},
		{"ipAddress", is(`^\d+[.]\d+[.]\d+[.]\d+$`)},
		{"countryCode", is(`^[A-Z]{2}$`)},
		{"backgroundColor", is(`^#[0-9a-f]{6}$`)},
		{"postal_code", is(`^\d{5}$`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, g, n := source(1), NewNamed(c.name, &model.Schema{Type: "string"}, model.Sizes{}), 0
			for range 400 {
				g.Sample(r)
				if c.is(Text(g)) {
					n++
				}
			}
			if n < 240 || n > 360 {
				t.Errorf("%d of 400 samples are what the name says, want about 300", n)
			}
		})
	}
}

func TestNameGivesWayToTheSchema(t *testing.T) {
	for _, s := range []*model.Schema{
		{Type: "string", Pattern: "^x+$"},
		{Type: "string", Format: "uuid"},
		{Type: "string", MaxLength: new(3)},
		{Type: "string", Enum: []any{"x"}},
	} {
		r, g := source(1), NewNamed("email", s, model.Sizes{})
		for range 50 {
			g.Sample(r)
			if strings.Contains(Text(g), "@") && strings.Contains(Text(g), "example") {
				t.Errorf("%+v gave %s", s, Text(g))
			}
		}
	}
	o := New(&model.Schema{
		Type:       "object",
		Properties: []model.Property{field("mails", true, &model.Schema{Type: "array", MinItems: 5, Items: &model.Schema{}})},
	})
	o.Sample(source(1))
	if !strings.Contains(string(JSON(o)), "@") {
		t.Errorf("the name of a list tells nothing of its items: %s", JSON(o))
	}
}
