package explore

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/theme"
)

// category returns a schema that refers to itself in a property, in a list and in allOf.
func category() *model.Schema {
	c := &model.Schema{Name: "Category", Type: "object"}
	c.Properties = []model.Property{
		{Name: "id", Required: true, Schema: &model.Schema{Type: "integer"}},
		{Name: "parent", Schema: c},
		{Name: "children", Schema: &model.Schema{Type: "array", Items: c}},
	}
	c.AllOf = []*model.Schema{c, {Properties: []model.Property{{Name: "name", Schema: &model.Schema{Type: "string"}}, c.Properties[0]}}}
	return c
}

func TestPartsMergeAllOf(t *testing.T) {
	var got []string
	for _, p := range parts(category()) {
		got = append(got, p.name)
	}
	if want := []string{"name", "id", "parent", "children"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A schema that is reachable in many ways is visited once. Otherwise there would be 2^30 visits.
func TestPartsOfADiamond(t *testing.T) {
	s := &model.Schema{Properties: []model.Property{{Name: "id"}}}
	for range 30 {
		s = &model.Schema{AllOf: []*model.Schema{s, s}}
	}
	if got := parts(s); len(got) != 1 || got[0].name != "id" {
		t.Errorf("got %v, want the one property", got)
	}
}

func TestPartsOfAlternatives(t *testing.T) {
	s := &model.Schema{OneOf: []*model.Schema{{Type: "string"}, category()}, Additional: &model.Schema{Type: "integer"}}
	if got := parts(&model.Schema{Items: &model.Schema{Items: s}}); len(got) != 3 || got[0].name != "or" || got[2].name != "*" {
		t.Errorf("got %v, want two alternatives and further properties", got)
	}
}

// A schema inside itself is marked and cannot be unfolded, so that every page is finite.
func TestSchemaCycleEnds(t *testing.T) {
	c := category()
	b := &pageWriter{width: 60, folds: map[string]bool{"body0/wrapped": true}}
	wrapper := &model.Schema{Properties: []model.Property{{Name: "wrapped", Schema: c}}}
	b.body(&model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: wrapper}}})
	text := written(b.rows)
	for _, want := range []string{
		"▾ ○ wrapped  Category", "● id        integer", "○ parent    Category ↺", "○ children  list of Category ↺",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, r := range b.rows {
		if strings.Contains(r.line.Text(), "↺") && r.fold != "" {
			t.Errorf("%q can be unfolded", r.line.Text())
		}
	}
}

// If all details of a schema fit into its line, the line has no fold. Otherwise the line has a fold.
func TestDetailsUnfold(t *testing.T) {
	colours := &model.Schema{
		Type: "string", Enum: []any{"red", "green", "blue", "black", "white"}, Default: "red", Examples: []any{"blue"},
		Description: "The colour of it. It can't be changed later.",
	}
	plain := &model.Schema{Type: "string", Description: "Short."}
	params := []model.Parameter{{Name: "colour", In: model.InQuery, Schema: colours}, {Name: "name", In: model.InQuery, Schema: plain}}
	b := &pageWriter{width: 80, folds: map[string]bool{}}
	b.params(params)
	folded := b.rows
	if len(folded) != 4 || folded[2].fold == "" || folded[3].fold != "" {
		t.Fatalf("want a fold on the first of two parameters:\n%s", written(folded))
	}
	if text := written(folded); !strings.Contains(text, "… 1 more") || !strings.Contains(text, "Short.") {
		t.Errorf("folded:\n%s", text)
	}
	b = &pageWriter{width: 80, folds: map[string]bool{folded[2].fold: true}}
	b.params(params)
	for _, want := range []string{"It can't be changed later.", "blue | black | white", "default: red", "for example: blue"} {
		if text := written(b.rows); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A description that repeats the summary is left out.
func TestDescriptionLikeTheSummaryIsLeftOut(t *testing.T) {
	for description, want := range map[string]int{"Get **one** pet.": 1, "Get one pet": 1, "Get one pet, or none.": 2, "": 1} {
		op := &model.Operation{ID: "GET /pet", Summary: "Get one pet", Description: description}
		b := &pageWriter{width: 80}
		operationPage(op, facts{}, observation{}, &changes{}, b)
		text := written(b.rows)
		if got := strings.Count(text, "Get one pet"); got != want {
			t.Errorf("%q: said %d times, want %d, in\n%s", description, got, want, text)
		}
	}
}

func written(rows []row) string {
	var lines []string
	for _, r := range rows {
		lines = append(lines, r.line.Text())
	}
	return strings.Join(lines, "\n")
}

func TestBodiesOfTheSameSchemaAreOne(t *testing.T) {
	c := category()
	got := alike([]model.Content{
		{Media: "application/json", Schema: c},
		{Media: "text/plain"},
		{Media: "application/xml", Schema: c},
		{Media: "image/png"},
	})
	if len(got) != 3 || len(got[0]) != 2 || got[0][1].Media != "application/xml" {
		t.Errorf("got %v, want JSON and XML together and the others alone", got)
	}
}

func TestProseFolds(t *testing.T) {
	text := strings.Repeat("a line of it  \n", 6)
	b := &pageWriter{width: 40, folds: map[string]bool{}}
	b.prose(text, 1, 3, theme.Plain, "about")
	if got := len(b.rows); got != 4 || b.rows[3].fold != "about" || !strings.Contains(b.rows[3].line.Text(), "3 more lines") {
		t.Errorf("folded: got %d rows:\n%s", got, written(b.rows))
	}
	b = &pageWriter{width: 40, folds: map[string]bool{"about": true}}
	b.prose(text, 1, 3, theme.Plain, "about")
	if got := len(b.rows); got != 7 || !strings.Contains(b.rows[6].line.Text(), "less") {
		t.Errorf("unfolded: got %d rows:\n%s", got, written(b.rows))
	}
}

// The columns of a flow never overlap, and peers have rows of their own on a narrow page.
func TestColumns(t *testing.T) {
	long := []flow{{label: strings.Repeat("n", 80), kind: strings.Repeat("k", 80)}}
	for width, peers := range map[int]bool{36: false, 58: false, 60: true, 80: true, 160: true} {
		c := columnsFor(width, long)
		if !(c.name < c.place && c.place+7 <= c.kind && (c.peer == 0 || c.kind < c.peer && c.peer < width-10)) {
			t.Errorf("width %d: got %+v", width, c)
		}
		if got := c.peer > 0; got != peers {
			t.Errorf("width %d: peers beside values: got %v, want %v", width, got, peers)
		}
	}
}

func TestSchemaAtPointer(t *testing.T) {
	id := &model.Schema{Type: "integer"}
	list := &model.Schema{Items: &model.Schema{AllOf: []*model.Schema{{Properties: []model.Property{{Name: "a/b", Schema: id}}}}}}
	for pointer, want := range map[string]*model.Schema{"": list, "/0/a~1b": id, "/0/c": nil, "/0/a~1b/x": nil} {
		if got := at(list, pointer); got != want {
			t.Errorf("%q: got %v, want %v", pointer, got, want)
		}
	}
}

// Entering a page moves the cursor to the first stop that is visible without scrolling.
func TestEnterAPage(t *testing.T) {
	for _, c := range []struct{ first, height, want int }{{0, 20, 0}, {3, 20, 3}, {9, 20, 9}, {9, 8, 0}, {5, 3, 5}} {
		p := pagePane{rows: make([]row, c.first, 30)}
		for len(p.rows) < 30 {
			p.rows = append(p.rows, row{to: "GET /a"})
		}
		p.stops.Fit(len(p.rows), c.height)
		p.enter()
		if p.stops.At != c.want {
			t.Errorf("first stop in row %d, height %d: the cursor is in row %d, want %d", c.first, c.height, p.stops.At, c.want)
		}
	}
}
