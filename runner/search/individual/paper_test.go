package individual

import (
	"regexp"
	"slices"
	"testing"

	"sonde/model"
)

// plainTemplates are the templates of the EvoMaster paper for three operations of shop.
var plainTemplates = []model.Template{
	{Weight: 1, Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}}},
	{Weight: 1, Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 3}, {Op: "GET /things", Min: 1, Max: 1}}},
	{
		Weight: 1, Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}, {Op: "GET /things/{id}", Min: 1, Max: 1}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}},
	},
}

// paperProblem returns the problem of the paper's strategy with two users. The usual templates call an operation that
// no template of the paper calls.
func paperProblem(t *testing.T) *Problem {
	t.Helper()
	sampling, ok := model.StrategyPaper.Sampling()
	if !ok {
		t.Fatal("the strategy of the paper is unknown")
	}
	spec := shop()
	usual := model.Template{Weight: 1, Steps: []model.TemplateStep{
		{Op: "GET /things", Min: 1, Max: 1}, {Op: "POST /things", Min: 1, Max: 1},
	}}
	return New(model.Plan{
		Spec:           spec,
		Templates:      []model.Template{usual},
		PlainTemplates: plainTemplates,
		Users:          []model.User{{Name: "ann"}, {Name: "bob"}},
		Sampling:       sampling,
	})
}

// With the strategy "paper", smart sampling draws only the templates of the EvoMaster paper. A mutation of such a
// test changes values, or the number of POSTs before a GET of the collection (section 5.2.8).
func TestPaperStrategy(t *testing.T) {
	p, r := paperProblem(t), chance(1)
	for range 3 {
		for _, op := range []model.OpID{"POST /things", "GET /things", "GET /things/{id}"} {
			p.RecordStatus(op, "ann", 403) // the strategy does not avoid users whom operations refuse
		}
	}
	word := regexp.MustCompile(`"name":"[A-Za-z0-9]{0,16}"`)
	byAnn, posts := 0, map[int]bool{}
	const tests = 600
	for range tests {
		ind := p.Sample(r, 1)
		test := ind.Test()
		if test.Calls[0].Op == "GET /things" && len(test.Calls) > 1 {
			t.Fatalf("a test follows the usual template: %v", test.Calls)
		}
		if test.Calls[0].User == "ann" {
			byAnn++
		}
		for _, c := range test.Calls {
			if c.Body != nil && c.Body.Media == "application/json" && !word.MatchString(c.Body.Data) {
				t.Fatalf("the body is %s, want a uniform text", c.Body.Data)
			}
		}
		before := operationsOf(test)
		mutated := p.Mutate(r, ind, 0, nil).Test()
		after := operationsOf(mutated)
		isList := before[len(before)-1] == "GET /things"
		if isList {
			posts[len(after)-1] = true
		}
		if !isList && !slices.Equal(before, after) {
			t.Fatalf("a mutation made %v of %v", after, before)
		}
		for i, c := range mutated.Calls {
			if i < len(test.Calls) && len(after) == len(before) && c.User != test.Calls[i].User {
				t.Fatalf("a mutation changed the user of call %d", i)
			}
		}
		part := ind.KeepCalls([]int{0})
		if !test.AfterRedirect || !mutated.AfterRedirect || !part.Test().AfterRedirect || !p.AdoptTest(r, test).Test().AfterRedirect {
			t.Fatal("a redirect ends a test of a template")
		}
		if p.RetryAsNextUser(ind, 0) != nil {
			t.Fatal("a refused call is made again as another user")
		}
	}
	if byAnn < tests*4/10 || byAnn > tests*6/10 {
		t.Errorf("%d of %d tests are by ann, want about half", byAnn, tests)
	}
	if !posts[1] || !posts[2] || !posts[3] || len(posts) != 3 {
		t.Errorf("there were %v POSTs before a GET of the collection, want 1 to 3", posts)
	}
}

// The sizes of a plan limit the number of calls in random tests, also after mutations, and the length of texts.
func TestPlanSizes(t *testing.T) {
	sampling, _ := model.StrategyPaper.Sampling()
	sizes := model.DefaultSizes()
	sizes.Calls, sizes.Text = 4, 2
	for name, sampling := range map[string]model.Sampling{"paper": sampling, "default": model.DefaultSampling()} {
		p, r := New(model.Plan{Spec: shop(), Templates: templates, Sampling: sampling, Sizes: sizes}), chance(1)
		lengths, long := map[int]bool{}, regexp.MustCompile(`"name":"[^"]{3,}"`)
		for range 300 {
			ind := p.Sample(r, 0)
			for range 3 {
				lengths[ind.Len()] = true
				for _, c := range ind.Test().Calls {
					if name == "paper" && c.Body != nil && long.MatchString(c.Body.Data) {
						t.Fatalf("the body is %s, want names of up to 2 letters", c.Body.Data)
					}
				}
				ind = p.Mutate(r, ind, 0, nil)
			}
		}
		if len(lengths) != 4 || !lengths[1] || !lengths[4] {
			t.Errorf("%s: the numbers of calls are %v, want 1 to 4", name, lengths)
		}
	}
}

func operationsOf(t model.Test) (all []model.OpID) {
	for _, c := range t.Calls {
		all = append(all, c.Op)
	}
	return all
}

// All calls of a step with a fixed path have the same values in their paths. Mutations and further calls of the step
// keep these values.
func TestFixedPath(t *testing.T) {
	id := param(model.InPath, "id", true, model.Schema{Type: "string"})
	q := param(model.InQuery, "q", true, model.Schema{Type: "string"})
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "POST /users/{id}/notes", Method: "POST", Path: "/users/{id}/notes", Params: []model.Parameter{id, q}},
		{ID: "GET /users/{id}/notes", Method: "GET", Path: "/users/{id}/notes", Params: []model.Parameter{id, q}},
	}}
	p, r, lengths := New(model.Plan{Spec: spec}), chance(1), map[int]bool{}
	for range 100 {
		ind := p.FollowTemplate(r, model.Template{
			Steps: []model.TemplateStep{
				{Op: "POST /users/{id}/notes", Min: 1, Max: 3, FixedPath: true},
				{Op: "GET /users/{id}/notes", Min: 1, Max: 1, FixedPath: true},
			},
			Links: []model.Link{{From: 0, To: 1, Param: "id", In: model.InPath, Name: "id"}},
		})
		first := ind.Test().Calls[0].Args[0].Value
		for range 50 {
			ind = p.Mutate(r, ind, 0, nil)
			calls := ind.Test().Calls
			lengths[len(calls)] = true
			for _, c := range calls[:len(calls)-1] {
				if c.Args[0].Value != first {
					t.Fatalf("the path has %q, want %q", c.Args[0].Value, first)
				}
			}
		}
	}
	if len(lengths) != 3 || !lengths[2] || !lengths[4] {
		t.Errorf("the numbers of calls are %v, want 2 to 4", lengths)
	}
}
