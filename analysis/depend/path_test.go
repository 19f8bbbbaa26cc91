package depend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
)

// answer adds a JSON answer to an operation.
func answer(status string, s *model.Schema) func(*model.Operation) {
	return func(o *model.Operation) {
		o.Responses = append(o.Responses, model.Response{
			Status: status, Contents: []model.Content{{Media: "application/json", Schema: s}},
		})
	}
}

// bodyRequired makes the body of an operation required.
func bodyRequired(o *model.Operation) { o.Body.Required = true }

// showPath returns a path as one line: its steps, each followed by the values that it takes. "repo<0" is a value from
// step 0. "repo<0?" is a value from step 0, which only finds an element. "org!" is a value from outside.
func showPath(p Path) string {
	var steps []string
	for i, id := range p.Seq {
		text := string(id)
		for _, s := range p.Passes {
			if s.To == i {
				text += fmt.Sprintf(" %s<%d%s", s.Taken.Name, s.From, map[bool]string{true: "?"}[s.Existing])
			}
		}
		for _, o := range p.Outside {
			if o.To == i {
				text += " " + o.Taken.Name + "!"
			}
		}
		steps = append(steps, text)
	}
	return strings.Join(steps, "; ")
}

// codeHostUser returns the schema of a user of codeHost.
func codeHostUser() *model.Schema {
	s := object("id", "login")
	s.Name = "user"
	return s
}

// codeHost returns operations like those of a code host: repositories have an owner, and teams use repositories.
func codeHost() []*model.Operation {
	user := codeHostUser
	repo := func() *model.Schema {
		s := with(object("id", "name"), "owner", user())
		s.Name = "repository"
		return s
	}
	team := func() *model.Schema {
		s := object("slug", "title")
		s.Name = "team"
		return s
	}
	return []*model.Operation{
		op("GET /users/{login}", answer("200", user())),
		op("POST /user/repos", body(object("name")), answer("201", repo())),
		op("GET /repos/{owner}/{repo}", answer("200", repo())),
		op("DELETE /repos/{owner}/{repo}"),
		op("POST /repos/{owner}/{repo}/issues", body(object("text")), answer("201", object("number"))),
		op("GET /repos/{owner}/{repo}/issues/{number}", answer("200", object("number"))),
		op("GET /teams", answer("200", list(team()))),
		op("GET /teams/{slug}", answer("200", team())),
		op("PUT /teams/{slug}/repos/{owner}/{repo}"),
		op("DELETE /teams/{slug}/repos/{owner}/{repo}"),
	}
}

func TestPaths(t *testing.T) {
	product := func() *model.Schema { return object("id", "title") }
	tests := []struct {
		name   string
		ops    []*model.Operation
		target string
		want   []string
	}{
		{"nothing is needed", ops("POST /p"), "POST /p", []string{"POST /p"}},
		{"unknown", ops("POST /p"), "POST /q", nil},
		{
			"creation before finding",
			[]*model.Operation{
				op("GET /products", answer("200", list(product()))),
				op("POST /products", answer("201", product())),
				op("GET /products/{id}", answer("200", product())),
			},
			"GET /products/{id}",
			[]string{"POST /products; GET /products/{id} id<0", "GET /products; GET /products/{id} id<0?"},
		},
		{
			"no operation emits it", ops("GET /products/{id}"), "GET /products/{id}",
			[]string{"GET /products/{id} id!"},
		},
		{
			"the owner comes with the repository", codeHost(), "GET /repos/{owner}/{repo}/issues/{number}",
			[]string{
				"POST /user/repos; POST /repos/{owner}/{repo}/issues owner<0 repo<0; " +
					"GET /repos/{owner}/{repo}/issues/{number} owner<0 repo<0 number<1",
			},
		},
		{
			"a PUT that connects needs both elements", codeHost(), "PUT /teams/{slug}/repos/{owner}/{repo}",
			[]string{
				"GET /teams; POST /user/repos; PUT /teams/{slug}/repos/{owner}/{repo} slug<0? owner<1 repo<1",
				"POST /user/repos; PUT /teams/{slug}/repos/{owner}/{repo} owner<0 repo<0 slug!",
			},
		},
		{
			"an element is not looked for in a new one",
			[]*model.Operation{
				op("POST /shops", answer("201", object("id"))),
				op("GET /shops", answer("200", list(object("id")))),
				op("POST /shops/{shop}/carts", answer("201", object("id"))),
				op("GET /shops/{shop}/carts", answer("200", list(object("id")))),
				op("GET /shops/{shop}/carts/{cart}", answer("200", object("id"))),
			},
			"GET /shops/{shop}/carts/{cart}",
			[]string{
				"POST /shops; POST /shops/{shop}/carts shop<0; GET /shops/{shop}/carts/{cart} shop<0 cart<1",
				"GET /shops; POST /shops/{shop}/carts shop<0?; GET /shops/{shop}/carts/{cart} shop<0? cart<1",
				"GET /shops; GET /shops/{shop}/carts shop<0?; GET /shops/{shop}/carts/{cart} shop<0? cart<1?",
			},
		},
		{
			"no operation creates it",
			[]*model.Operation{
				op("POST /shops", answer("201", object("id"))),
				op("GET /shops/{shop}/carts", answer("200", list(object("id")))),
				op("GET /shops/{shop}/carts/{cart}", answer("200", object("id"))),
			},
			"GET /shops/{shop}/carts/{cart}",
			[]string{
				"POST /shops; GET /shops/{shop}/carts shop<0; GET /shops/{shop}/carts/{cart} shop<0 cart<1?",
				"POST /shops; GET /shops/{shop}/carts/{cart} shop<0 cart!",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec := &model.Spec{Operations: tt.ops}
			var got []string
			for _, p := range plannerOf(spec).Paths(model.OpID(tt.target), 5) {
				got = append(got, showPath(p))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// Each path to an operation of the demo has these properties: it ends in the operation, takes values only from
// earlier steps, repeats no step, and costs at least as much as the path before it. Two calls of Paths return the
// same paths.
func TestPathsOfDemo(t *testing.T) {
	spec, err := openapi.Parse(t.Context(), "shop.json", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := plannerOf(spec)
	for _, op := range spec.Operations {
		paths := p.Paths(op.ID, 4)
		if len(paths) == 0 {
			t.Errorf("%s: no path", op.ID)
		}
		for i, path := range paths {
			if last := path.Seq[len(path.Seq)-1]; last != op.ID {
				t.Errorf("%s: the path %s ends elsewhere", op.ID, showPath(path))
			}
			for _, s := range path.Passes {
				if s.From >= s.To {
					t.Errorf("%s: %s takes a value from a later step", op.ID, showPath(path))
				}
			}
			once := slices.Compact(slices.Sorted(slices.Values(path.Seq)))
			if len(once) != len(path.Seq) {
				t.Errorf("%s: %s has a step twice", op.ID, showPath(path))
			}
			if showPath(path) != showPath(p.Paths(op.ID, 4)[i]) {
				t.Errorf("%s: another call gives other paths", op.ID)
			}
		}
	}
}

func TestPathTemplate(t *testing.T) {
	p := plannerOf(&model.Spec{Operations: codeHost()}).Paths("GET /repos/{owner}/{repo}", 1)[0]
	got := p.Template()
	want := []model.Link{
		{From: 0, Pointer: "/owner/login", To: 1, In: model.InPath, Name: "owner"},
		{From: 0, Pointer: "/id", To: 1, In: model.InPath, Name: "repo"},
	}
	if len(got.Steps) != 2 || !slices.Equal(got.Links, want) {
		t.Errorf("got %v with %+v, want %+v", got.Steps, got.Links, want)
	}
}

func TestOptionalValues(t *testing.T) {
	milestone := object("id", "text")
	issue := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "milestoneId", Schema: &model.Schema{Type: "string"}},
	}}
	spec := &model.Spec{Operations: []*model.Operation{
		op("POST /milestones", answer("201", milestone)),
		op("GET /milestones/{id}", answer("200", milestone)),
		op("POST /issues", body(issue)),
	}}
	got := plannerOf(spec).OptionalValues("POST /issues")
	if len(got) != 1 || got[0].From != "POST /milestones" || got[0].Taken.Name != "milestoneId" {
		t.Errorf("got %+v, want milestoneId from POST /milestones", got)
	}
}

// OptionalValues returns only values of elements that some operation creates or lists, and no credentials. If an
// operation lists elements, its optional values may include a reference to one of these elements.
func TestOptionalValuesAreElements(t *testing.T) {
	page := &model.Schema{Type: "object"}
	for _, name := range []string{"volumeId", "accessToken", "authorId"} {
		page.Properties = append(page.Properties, model.Property{Name: name, Schema: &model.Schema{Type: "string"}})
	}
	spec := &model.Spec{Operations: []*model.Operation{
		op("POST /login", answer("200", object("accessToken"))),
		op("POST /pages", body(page), answer("201", object("id", "title"))),
		op("GET /tags", query("parentTagId"), answer("200", list(object("id", "title")))),
		op("GET /tags/{id}", answer("200", object("id", "title"))),
		op("GET /authors/{id}", answer("200", object("id", "name"))),
		op("GET /authors", answer("200", list(object("id", "name")))),
	}}
	spec.Operations[2].Params[0].Required = false
	planner := plannerOf(spec)
	for target, want := range map[model.OpID][]string{
		"POST /pages": {"authorId from GET /authors"},
		"GET /tags":   {"parentTagId from GET /tags"},
	} {
		var got []string
		for _, o := range planner.OptionalValues(target) {
			got = append(got, o.Taken.Name+" from "+string(o.From))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", target, got, want)
		}
	}
}

// The client chooses the values that no operation provides, in all parts of a request.
func TestChosenValues(t *testing.T) {
	order := object("productId", "note")
	order.Properties[1].Schema.Examples = []any{"ring twice"}
	spec := &model.Spec{Operations: []*model.Operation{
		op("POST /products", answer("201", object("id", "title"))),
		op("GET /products/{id}", answer("200", object("id", "title"))),
		op("POST /orders", body(order), bodyRequired),
	}}
	for i := range order.Properties {
		order.Properties[i].Required = true
	}
	got := plannerOf(spec).ChosenValues("POST /orders")
	if len(got) != 1 || got[0].Name != "note" || got[0].Example() != "ring twice" {
		t.Errorf("got %+v, want the note", got)
	}
	if got := plannerOf(spec).ChosenValues("GET /nowhere"); got != nil {
		t.Errorf("an unknown operation has %v", got)
	}
}

func TestDifference(t *testing.T) {
	a, b, c := Path{Seq: model.Seq{"A", "B", "X"}}, Path{Seq: model.Seq{"A", "C", "X"}}, Path{Seq: model.Seq{"C", "X"}}
	if word, got := b.Difference(a); word != "with" || !slices.Equal(got, []model.OpID{"C"}) {
		t.Errorf("got %s %v", word, got)
	}
	if word, got := c.Difference(b); word != "without" || !slices.Equal(got, []model.OpID{"A"}) {
		t.Errorf("got %s %v", word, got)
	}
}

// Paths is fast even if there are many values and each value has many sources.
func TestPathsOfManySources(t *testing.T) {
	var all []*model.Operation
	names := []string{"aId", "bId", "cId", "dId", "eId", "fId"}
	for _, n := range names {
		word := n[:1] + "s"
		for i := range 30 {
			all = append(all, op(fmt.Sprintf("GET /x%d/%s", i, word), answer("200", list(object(n)))))
		}
		all = append(all, op("GET /"+word+"/{"+n+"}", answer("200", object(n))))
	}
	all = append(all, op("POST /target", body(object(names...)), bodyRequired))
	spec := &model.Spec{Operations: all}
	work := testing.AllocsPerRun(1, func() { // does not depend on the machine, as time does
		if got := plannerOf(spec).Paths("POST /target", 5); len(got) == 0 {
			t.Error("no path")
		}
	})
	if work > 100_000 { // about 12,000 allocations are expected
		t.Errorf("%.0f allocations", work)
	}
}
