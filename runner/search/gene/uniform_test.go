package gene

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"sonde/model"
)

// Uniform values depend on constraints only: no example, default, null, format or small number is more likely.
func TestUniform(t *testing.T) {
	low, high, long := -1000.0, 999.0, 12
	schema := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "email", Required: true, Schema: &model.Schema{
			Type: "string", MinLength: 2, MaxLength: &long, Examples: []any{"a@b.example"},
		}},
		{Name: "id", Required: true, Schema: &model.Schema{Type: "string", Format: "uuid"}},
		{Name: "key", Required: true, Schema: &model.Schema{Type: "string", Pattern: "^[A-Z]{2,4}$"}},
		{Name: "n", Required: true, Schema: &model.Schema{Type: "integer", Min: &low, Max: &high, Nullable: true, Default: 7.0}},
		{Name: "x", Required: true, Schema: &model.Schema{Type: "number"}},
		{Name: "day", Required: true, Schema: &model.Schema{Type: "string", Format: "date"}},
		{Name: "at", Required: true, Schema: &model.Schema{Type: "string", Format: "date-time"}},
	}}
	plain := map[string]*regexp.Regexp{
		"email": regexp.MustCompile(`^[A-Za-z0-9]{2,12}$`),
		"id":    regexp.MustCompile(`^[A-Za-z0-9]{0,16}$`),
		"key":   regexp.MustCompile(`^[A-Z]{2,4}$`),
	}
	r, proto := source(1), NewUniform(schema, model.Sizes{})
	const draws = 4000
	near, small, oldDays, invalidTimes := 0, 0, 0, 0
	for range draws {
		g := proto.Clone()
		g.Sample(r)
		for _, f := range PresentFields(g) {
			text := Text(f.Gene)
			if form := plain[f.Name]; form != nil && !form.MatchString(text) {
				t.Fatalf("%s is %q, want a text that matches %s", f.Name, text, form)
			}
			n, err := strconv.ParseFloat(text, 64)
			switch {
			case err != nil && (f.Name == "n" || f.Name == "x"):
				t.Fatalf("%s is %s", f.Name, text)
			case f.Name == "n" && n >= -10 && n <= 100:
				near++
			case f.Name == "x" && n > -1e6 && n < 1e6:
				small++
			case f.Name == "day" && text < "2000":
				oldDays++
			case f.Name == "at" && strings.Contains(text, "T24:") || strings.Contains(text, "T25:"):
				invalidTimes++
			}
		}
	}
	for what, c := range map[string]struct {
		got   int
		share float64
	}{
		"numbers from -10 to 100": {near, 111.0 / 2000},
		"real numbers under 1e6":  {small, 2e6 / (2 * (1 << 31))},
		"days before 2000":        {oldDays, 100.0 / 201},
		"hours that do not exist": {invalidTimes, 2.0 / 26},
	} {
		if want := c.share * draws; float64(c.got) < want/1.5-5 || float64(c.got) > want*1.5+5 {
			t.Errorf("%s: got %d of %d, want about %.0f", what, c.got, draws, want)
		}
	}
}

// The sizes limit sampled texts, arrays and maps, also for genes that are not uniform, unless the schema requires
// more.
func TestSizes(t *testing.T) {
	sizes := model.DefaultSizes()
	sizes.Text, sizes.Items = 4, 2
	text, list := &model.Schema{Type: "string"}, &model.Schema{Type: "array", Items: &model.Schema{Type: "integer"}}
	long, many := 12, 8
	schema := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "text", Required: true, Schema: text},
		{Name: "bounded", Required: true, Schema: &model.Schema{Type: "string", MaxLength: &long}},
		{Name: "long", Required: true, Schema: &model.Schema{Type: "string", MinLength: 6}},
		{Name: "pattern", Required: true, Schema: &model.Schema{Type: "string", Pattern: "^[a-z]*$"}},
		{Name: "list", Required: true, Schema: list},
		{Name: "many", Required: true, Schema: &model.Schema{Type: "array", MaxItems: &many, Items: text}},
		{Name: "map", Required: true, Schema: &model.Schema{Type: "object", Additional: text}},
	}}
	want := map[string]int{"text": 4, "bounded": 4, "long": 6, "pattern": 3, "list": 2, "many": 2, "map": 2}
	for name, proto := range map[string]Gene{"usual": NewNamed("", schema, sizes), "uniform": NewUniform(schema, sizes)} {
		r, longest := source(1), map[string]int{}
		for range 500 {
			g := proto.Clone()
			g.Sample(r)
			for _, f := range PresentFields(g) {
				n := utf8.RuneCountInString(Text(f.Gene))
				switch inner := core(f.Gene).(type) {
				case *Array:
					n = len(inner.elems)
				case *Map:
					n = len(inner.names)
				}
				longest[f.Name] = max(longest[f.Name], n)
			}
		}
		if !maps.Equal(longest, want) {
			t.Errorf("%s: the longest values are %v, want %v", name, longest, want)
		}
	}
}

// UnitExponent is the percentage of mutations of real numbers with the factor 2^0. Such a mutation seldom changes the
// number by more than 3. Mutations with other factors may be as small.
func TestUnitExponent(t *testing.T) {
	for percent, want := range map[int][2]int{0: {0, 200}, 33: {300, 500}, 100: {950, 1000}} {
		sizes := model.DefaultSizes()
		sizes.UnitExponent = percent
		r, near := source(1), 0
		g := New(&model.Schema{Type: "number"})
		for range 1000 {
			g.SetValue(0.0)
			g.MutateValue(r, NewPace(0, sizes))
			if v := g.(*Double).v; v > -3 && v < 3 {
				near++
			}
		}
		if near < want[0] || near > want[1] {
			t.Errorf("%d%%: %d of 1000 mutations are small, want %v", percent, near, want)
		}
	}
}
