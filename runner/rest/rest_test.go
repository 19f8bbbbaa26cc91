package rest

import (
	"math/rand/v2"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func param(in model.Place, name string, required bool, s model.Schema) model.Param {
	p := model.Param{Name: name, In: in, Required: required, Schema: &s}
	if in == model.InQuery {
		p.Style, p.Explode = "form", true
	}
	return p
}

func shop() *model.Spec {
	text := model.Schema{Type: "string"}
	id := param(model.InPath, "id", true, text)
	body := func(media string) *model.Body {
		return &model.Body{Required: true, Contents: []model.Content{{Media: media, Schema: &model.Schema{Type: "object",
			Properties: []model.Property{{Name: "name", Required: true, Schema: &text}, {Name: "n", Schema: &model.Schema{Type: "integer"}}}}}}}
	}
	return &model.Spec{Operations: []*model.Operation{
		{ID: "POST /things", Method: "POST", Path: "/things", Body: body("application/json"), Secured: true},
		{ID: "GET /things", Method: "GET", Path: "/things", Params: []model.Param{param(model.InQuery, "q", false, text)}},
		{ID: "GET /things/{id}", Method: "GET", Path: "/things/{id}", Params: []model.Param{id}, Secured: true},
		{ID: "PATCH /things/{id}", Method: "PATCH", Path: "/things/{id}", Params: []model.Param{id}, Body: body("application/x-www-form-urlencoded")},
	}}
}

var templates = []model.Template{
	{Weight: 1, Steps: []model.Step{{Op: "POST /things", Min: 1, Max: 3}, {Op: "GET /things", Min: 1, Max: 1}}},
	{Weight: 1, Steps: []model.Step{{Op: "POST /things", Min: 1, Max: 1}, {Op: "PATCH /things/{id}", Min: 1, Max: 2}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}}},
	{Weight: 1, Steps: []model.Step{{Op: "POST /nowhere", Min: 1, Max: 1}}},
}

func problem() *Problem {
	return New(shop(), templates, []model.User{{Name: "ann"}, {Name: "bob"}})
}

func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// fits says what is wrong with a test as a whole, or "".
func fits(p *Problem, t model.Test) string {
	if len(t.Calls) == 0 || len(t.Calls) > maxCalls {
		return "its length"
	}
	for _, l := range t.Links {
		if l.From < 0 || l.From >= l.To || l.To >= len(t.Calls) {
			return "a link"
		}
		if t.Calls[l.From].Op != "POST /things" || !strings.HasSuffix(string(t.Calls[l.To].Op), "{id}") {
			return "what a link ties"
		}
	}
	for _, c := range t.Calls {
		if c.User != "" && !p.byOp[c.Op].op.Secured {
			return "a user where none is asked for"
		}
	}
	return ""
}

func TestSamplesAndMutantsFitTogether(t *testing.T) {
	p := problem()
	rapid.Check(t, func(t *rapid.T) {
		r := chance(rapid.Uint64().Draw(t, "seed"))
		ind := p.Sample(r, rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "smart"))
		for range rapid.IntRange(0, 30).Draw(t, "mutations") {
			before := ind.Test()
			next := p.Mutate(r, ind, r.Float64())
			if d := cmp.Diff(before, ind.Test()); d != "" {
				t.Fatalf("Mutate changed the individual it was given:\n%s", d)
			}
			ind = next
		}
		if wrong := fits(p, ind.Test()); wrong != "" {
			t.Fatalf("%s: %+v", wrong, ind.Test())
		}
	})
}

func TestTemplatesKeepTheirStructure(t *testing.T) {
	p := problem()
	for seed := range uint64(200) {
		r := chance(seed)
		ind := p.Follow(r, templates[1])
		for range 20 {
			ind = p.Mutate(r, ind, 0.5)
		}
		got := ind.Test()
		seq := got.Seq()
		want := []model.Seq{{"POST /things", "PATCH /things/{id}"}, {"POST /things", "PATCH /things/{id}", "PATCH /things/{id}"}}
		if !slices.ContainsFunc(want, func(s model.Seq) bool { return slices.Equal(s, seq) }) {
			t.Fatalf("seed %d: structure became %v", seed, seq)
		}
		if len(got.Links) != len(seq)-1 {
			t.Fatalf("seed %d: %d links for %v", seed, len(got.Links), seq)
		}
	}
}

// A parameter that a link gives is locked; other values do mutate.
func TestLinkedParametersAreLocked(t *testing.T) {
	p, r := problem(), chance(1)
	first := p.Follow(r, model.Template{Steps: []model.Step{{Op: "POST /things", Min: 1, Max: 1}, {Op: "GET /things/{id}", Min: 1, Max: 1}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}}})
	ind, bodies := first, map[string]bool{}
	for range 50 {
		ind = p.Mutate(r, ind, 0.5)
		bodies[ind.Test().Calls[0].Body.Data] = true
	}
	if d := cmp.Diff(first.Test().Calls[1].Args, ind.Test().Calls[1].Args); d != "" {
		t.Errorf("the linked parameter changed:\n%s", d)
	}
	if len(bodies) < 20 {
		t.Errorf("the body took only %d values in 50 mutations", len(bodies))
	}
}

func TestSmartIsAProbability(t *testing.T) {
	p, r := problem(), chance(1)
	smart := 0
	for range 2000 {
		if !p.Sample(r, 0.6).free {
			smart++
		}
	}
	if smart < 1120 || smart > 1280 {
		t.Errorf("%d of 2000 individuals follow a template, want about 1200", smart)
	}
}

func TestSameSeedSameIndividuals(t *testing.T) {
	sample := func() (out []model.Test) {
		p, r := problem(), chance(9)
		for range 50 {
			out = append(out, p.Mutate(r, p.Sample(r, 0.5), 0.3).Test())
		}
		return out
	}
	if d := cmp.Diff(sample(), sample()); d != "" {
		t.Error(d)
	}
}

func TestUsers(t *testing.T) {
	p, r := problem(), chance(2)
	count := map[string]int{}
	for range 2000 {
		calls := p.Follow(r, model.Template{Steps: []model.Step{{Op: "GET /things/{id}", Min: 1, Max: 1}}}).Test().Calls
		count[calls[0].User]++
	}
	if count["ann"] < 800 || count["bob"] < 800 || count[""] < 50 || count[""] > 200 {
		t.Errorf("users %v; want both about equally, and nobody now and then", count)
	}
}

// Tests of random calls have a user, too, and nobody now and then.
func TestUsersOfRandomCalls(t *testing.T) {
	p, r := problem(), chance(3)
	count := map[string]int{}
	for range 4000 {
		calls := p.Sample(r, 0).Test().Calls
		if last := calls[len(calls)-1]; p.asks(p.byOp[last.Op].op) {
			count[last.User]++
		}
	}
	if count["ann"] < 700 || count["bob"] < 700 || count[""] < 50 || count[""] > 250 {
		t.Errorf("users %v; want both about equally, and nobody now and then", count)
	}
}

// Where the spec does not say who must prove it, everybody does.
func TestUsersOfASpecThatDoesNotAsk(t *testing.T) {
	spec := shop()
	for _, op := range spec.Operations {
		op.Secured = false
	}
	for _, users := range [][]model.User{{{Name: "ann"}}, nil} {
		p, r := New(spec, templates, users), chance(4)
		count := map[string]int{}
		for range 500 {
			for _, c := range p.Sample(r, 0.5).Test().Calls {
				count[c.User]++
			}
		}
		if users == nil && len(count) != 1 || users != nil && count["ann"] < 10*count[""] {
			t.Errorf("with users %v: got %v", users, count)
		}
	}
}

func TestArgsInOpenAPIsStyles(t *testing.T) {
	list := model.Schema{Type: "array", MinItems: 2, MaxItems: new(int), Items: &model.Schema{Type: "string", Enum: []any{"a"}}}
	*list.MaxItems = 2
	object := model.Schema{Type: "object", Properties: []model.Property{
		{Name: "x", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"1"}}},
		{Name: "y", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"2"}}},
	}}
	one := model.Schema{Type: "string", Enum: []any{"1"}}
	none := model.Schema{Type: "string", Enum: []any{""}}
	empty := model.Schema{Type: "array", MaxItems: new(int), Items: &one}
	outer := model.Schema{Type: "object", Properties: []model.Property{
		{Name: "o", Required: true, Schema: &object}, {Name: "l", Required: true, Schema: &list}}}
	for _, c := range []struct {
		name    string
		in      model.Place
		schema  model.Schema
		style   string
		explode bool
		want    string
	}{
		{"a list, exploded", model.InQuery, list, "form", true, "v=a&v=a"},
		{"a list", model.InQuery, list, "form", false, "v=a,a"},
		{"by pipes", model.InQuery, list, "pipeDelimited", false, "v=a|a"},
		{"by spaces", model.InQuery, list, "spaceDelimited", false, "v=a a"},
		{"in the path", model.InPath, list, "simple", false, "v=a,a"},
		{"an object, exploded", model.InQuery, object, "form", true, "x=1&y=2"},
		{"an object", model.InQuery, object, "form", false, "v=x,1,y,2"},
		{"a deep object", model.InQuery, object, "deepObject", true, "v[x]=1&v[y]=2"},
		{"an object in a header", model.InHeader, object, "simple", true, "v=x=1,y=2"},
		{"an object in a header, not exploded", model.InHeader, object, "simple", false, "v=x,1,y,2"},
		{"a list in a header", model.InHeader, list, "simple", true, "v=a,a"},
		{"by pipes, exploded", model.InQuery, list, "pipeDelimited", true, "v=a&v=a"},
		{"by spaces, exploded", model.InQuery, list, "spaceDelimited", true, "v=a&v=a"},
		{"an object by pipes", model.InQuery, object, "pipeDelimited", false, "v=x|1|y|2"},
		{"an object by spaces", model.InQuery, object, "spaceDelimited", false, "v=x 1 y 2"},
		{"a deeper object", model.InQuery, outer, "deepObject", true, "v[o][x]=1&v[o][y]=2&v[l]=a&v[l]=a"},
		{"one value", model.InQuery, one, "form", true, "v=1"},
		{"JSON", model.InQuery, object, "application/json", false, `v={"x":"1","y":"2"}`},
		{"a list in the path, exploded", model.InPath, list, "simple", true, "v=a,a"},
		{"an object in the path", model.InPath, object, "simple", false, "v=x,1,y,2"},
		{"an object in the path, exploded", model.InPath, object, "simple", true, "v=x=1,y=2"},
		{"JSON in the path", model.InPath, list, "application/json", false, `v=["a","a"]`},
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
			op := &model.Operation{ID: "GET /", Params: []model.Param{{Name: "v", In: c.in, Required: true, Schema: &c.schema, Style: c.style, Explode: c.explode}}}
			var got []string
			for _, a := range newChromosome(op).sample(chance(1)).args() {
				got = append(got, a.Name+"="+a.Value)
			}
			if s := strings.Join(got, "&"); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestBodies(t *testing.T) {
	schema := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "a b", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"1&2"}}},
		{Name: "n", Required: true, Schema: &model.Schema{Type: "integer", Enum: []any{3}}},
	}}
	for _, c := range []struct{ media, wantMedia, want string }{
		{"application/json", "application/json", `{"a b":"1&2","n":3}`},
		{"application/hal+json", "application/hal+json", `{"a b":"1&2","n":3}`},
		{"*/*", "application/json", `{"a b":"1&2","n":3}`},
		{"application/x-www-form-urlencoded", "application/x-www-form-urlencoded", url.Values{"a b": {"1&2"}, "n": {"3"}}.Encode()},
		{"multipart/form-data", "multipart/form-data; boundary=" + boundary, "--" + boundary + "\r\n" +
			"Content-Disposition: form-data; name=\"a b\"\r\n\r\n1&2\r\n--" + boundary + "\r\n" +
			"Content-Disposition: form-data; name=\"n\"\r\n\r\n3\r\n--" + boundary + "--\r\n"},
	} {
		t.Run(c.media, func(t *testing.T) {
			op := &model.Operation{Body: &model.Body{Required: true, Contents: []model.Content{{Media: c.media, Schema: schema}}}}
			got := newChromosome(op).sample(chance(1)).message()
			if d := cmp.Diff(&model.Payload{Media: c.wantMedia, Data: c.want}, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A service takes a part for a file only where it has a file's name.
func TestFilesHaveNames(t *testing.T) {
	binary := model.Schema{Type: "string", Format: "binary"}
	schema := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "image", Required: true, Schema: &binary},
		{Name: "title", Required: true, Schema: &model.Schema{Type: "string", Enum: []any{"x"}}},
	}}
	op := &model.Operation{Body: &model.Body{Required: true, Contents: []model.Content{{Media: "multipart/form-data", Schema: schema}}}}
	body := newChromosome(op).sample(chance(1)).message().Data
	reader := multipart.NewReader(strings.NewReader(body), boundary)
	form, err := reader.ReadForm(1 << 20)
	if err != nil || len(form.File["image"]) != 1 || form.Value["title"][0] != "x" {
		t.Errorf("form %+v, error %v", form, err)
	}
}

func TestPathValuesAreNeverEmpty(t *testing.T) {
	none := 0
	for _, schema := range []model.Schema{
		{Type: "string"}, {Type: "string", MaxLength: &none}, {Type: "string", Enum: []any{""}},
		{Type: "array", Items: &model.Schema{Type: "string"}}, {Type: "object"},
	} {
		r := chance(3)
		op := &model.Operation{ID: "DELETE /things/{id}", Params: []model.Param{param(model.InPath, "id", true, schema)}}
		for range 200 {
			if args := newChromosome(op).sample(r).args(); len(args) != 1 || args[0].Value == "" {
				t.Fatalf("%+v gave %+v: without a value this is another path", schema, args)
			}
		}
	}
}

func BenchmarkMutateAndPrint(b *testing.B) {
	p, r := problem(), chance(1)
	ind := p.Follow(r, templates[1])
	for b.Loop() {
		p.Mutate(r, ind, 0.5).Test()
	}
}
