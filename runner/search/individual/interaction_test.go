package individual

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
)

// warehouse returns a problem with articles, and orders that refer to articles in their bodies.
func warehouse() *Problem {
	object := func(name string) *model.RequestBody {
		return &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
			Type:       "object",
			Properties: []model.Property{{Name: name, Required: true, Schema: &model.Schema{Type: "string"}}},
		}}}}
	}
	inPath := func(name string) []model.Parameter {
		return []model.Parameter{param(model.InPath, name, true, model.Schema{Type: "string"})}
	}
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "POST /articles", Method: "POST", Path: "/articles", Body: object("name")},
		{ID: "PATCH /articles/{code}", Method: "PATCH", Path: "/articles/{code}", Params: inPath("code"), Body: object("name")},
		{ID: "DELETE /articles/{code}", Method: "DELETE", Path: "/articles/{code}", Params: inPath("code")},
		{ID: "POST /orders", Method: "POST", Path: "/orders", Body: object("article")},
		{ID: "GET /orders/{id}", Method: "GET", Path: "/orders/{id}", Params: inPath("id")},
		{ID: "DELETE /orders/{id}", Method: "DELETE", Path: "/orders/{id}", Params: inPath("id")},
		{ID: "GET /total", Method: "GET", Path: "/total"},
		{ID: "PUT /settings", Method: "PUT", Path: "/settings", Body: object("unit")},
	}}
	link := func(from, to int, in model.Location, name string) model.Link {
		return model.Link{From: from, To: to, In: in, Name: name}
	}
	ofArticle := link(0, 1, model.InPath, "code")
	ofOrder := []model.Link{link(0, 1, model.InBody, "/article"), link(1, 2, model.InPath, "id")}
	template := func(links []model.Link, ops ...model.OpID) model.Template {
		t := model.Template{Weight: 1, Links: links}
		for _, op := range ops {
			t.Steps = append(t.Steps, model.TemplateStep{Op: op, Min: 1, Max: 1})
		}
		return t
	}
	return New(model.Plan{Spec: spec, Templates: []model.Template{
		template(nil, "POST /articles"),
		template([]model.Link{ofArticle}, "POST /articles", "PATCH /articles/{code}"),
		template([]model.Link{ofArticle}, "POST /articles", "DELETE /articles/{code}"),
		template(ofOrder[:1], "POST /articles", "POST /orders"),
		template(ofOrder, "POST /articles", "POST /orders", "GET /orders/{id}"),
		template(ofOrder, "POST /articles", "POST /orders", "DELETE /orders/{id}"),
		template(nil, "GET /total"),
		template(nil, "PUT /settings"),
	}})
}

// succeed records that operations have succeeded.
func (p *Problem) succeed(ops ...model.OpID) {
	for _, op := range ops {
		ind := p.FollowTemplate(chance(1), p.templates.mostLinked(op))
		p.RecordSuccess(ind, ind.Len()-1)
	}
}

// allInteractions returns all interaction tests of a problem.
func allInteractions(t *testing.T, p *Problem) []model.Test {
	t.Helper()
	var all []model.Test
	for r := chance(1); ; {
		ind := p.InteractionTest(r)
		if ind == nil {
			return all
		}
		if all = append(all, ind.Test()); len(all) > 100 {
			t.Fatal("the tests do not end")
		}
	}
}

// seqsTo returns the sequence of operations of each test that ends with the operation target.
func seqsTo(target model.OpID, tests []model.Test) (seqs []string) {
	for _, test := range tests {
		if seq := test.Seq(); seq[len(seq)-1] == target {
			seqs = append(seqs, fmt.Sprint(seq))
		}
	}
	return seqs
}

// The first test removes an article before it reads an order with the article. Then come tests with changes that keep
// the order. The last test removes the order itself.
func TestInteractionsOfRead(t *testing.T) {
	p := warehouse()
	for _, op := range p.operations.all {
		p.succeed(op.op.ID)
	}
	got := seqsTo("GET /orders/{id}", allInteractions(t, p))
	want := []string{
		"[POST /articles POST /orders DELETE /articles/{code} GET /orders/{id}]",
		"[POST /articles POST /orders POST /orders GET /orders/{id}]",
		"[POST /articles POST /orders PATCH /articles/{code} GET /orders/{id}]",
		"[POST /articles POST /orders DELETE /orders/{id} GET /orders/{id}]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// Before the call that removes an article, a test gets an order with this article. The order and the removal take the
// code of the article from the same call.
func TestInteractionsOfRemoval(t *testing.T) {
	p := warehouse()
	p.succeed("POST /articles", "POST /orders", "DELETE /articles/{code}")
	all := allInteractions(t, p)
	want := []string{"[POST /articles POST /orders DELETE /articles/{code}]"}
	if got := seqsTo("DELETE /articles/{code}", all); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for _, test := range all {
		if len(seqsTo("DELETE /articles/{code}", []model.Test{test})) == 0 {
			continue
		}
		from := map[int]int{}
		for _, l := range test.Links {
			from[l.To] = l.From
		}
		if from[1] != 0 || from[2] != 0 || len(from) != 2 {
			t.Errorf("links %+v", test.Links)
		}
	}
}

// The interaction test of DELETE and POST deletes an article and creates it again. It begins with another POST, because
// the DELETE needs an article.
func TestInteractionsOfCreation(t *testing.T) {
	p := warehouse()
	p.succeed("POST /articles", "DELETE /articles/{code}")
	got := seqsTo("POST /articles", allInteractions(t, p))
	if want := []string{"[POST /articles DELETE /articles/{code} POST /articles]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A read that needs no resource is called after each operation that writes. A write that needs no resource has no
// interaction test.
func TestInteractionsWithoutResource(t *testing.T) {
	p := warehouse()
	p.succeed("GET /total", "PUT /settings", "DELETE /orders/{id}")
	all := allInteractions(t, p)
	got := seqsTo("GET /total", all)
	want := []string{"[PUT /settings GET /total]", "[POST /articles POST /orders DELETE /orders/{id} GET /total]"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := seqsTo("PUT /settings", all); len(got) > 0 {
		t.Errorf("before PUT /settings: %q", got)
	}
}

// Operations that have not succeeded are neither targets nor changes.
func TestInteractionsOfUnsuccessful(t *testing.T) {
	p := warehouse()
	p.succeed("POST /orders", "GET /orders/{id}")
	all := allInteractions(t, p)
	if len(seqsTo("GET /orders/{id}", all)) != 1 || len(all) != 1 {
		t.Errorf("got %d tests, %q of these read an order", len(all), seqsTo("GET /orders/{id}", all))
	}
}
