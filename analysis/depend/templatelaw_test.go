package depend

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
	"sonde/model/match"
)

func TestTemplatesStayShort(t *testing.T) {
	var list []*model.Operation
	path := ""
	for i := range 12 {
		path += fmt.Sprintf("/r%d", i)
		list = append(list, op("POST "+path))
		path += fmt.Sprintf("/{p%d}", i)
	}
	list = append(list, op("GET "+path))
	for _, template := range plannerOf(&model.Spec{Operations: list}).Templates() {
		if n := len(template.Steps); n > maxSteps {
			t.Errorf("%d steps, want at most %d: %s", n, maxSteps, show(template))
		}
	}
}

// hasPlace reports whether an operation has the input that a link sets.
func hasPlace(l model.Link, op *model.Operation) bool {
	if l.In == model.InBody {
		return slices.ContainsFunc(match.New([]*model.Operation{op}, match.DefaultMode).UsesOf(op), func(u match.ValueUse) bool {
			return u.In == l.In && u.Pointer == l.Name
		})
	}
	return slices.ContainsFunc(op.Params, func(p model.Parameter) bool { return p.In == l.In && p.Name == l.Name })
}

// failer is implemented by testing.T and by rapid.T.
type failer interface {
	Fatalf(format string, args ...any)
}

func checkTemplate(rt failer, spec *model.Spec, template model.Template) {
	for _, l := range template.Links {
		if l.From < 0 || l.From >= l.To || l.To >= len(template.Steps) {
			rt.Fatalf("link %+v of %s does not point back", l, show(template))
		}
		if !hasPlace(l, spec.Operation(template.Steps[l.To].Op)) {
			rt.Fatalf("link %+v of %s has no place", l, show(template))
		}
		from := model.Link{In: model.InPath, Name: l.Param}
		if l.Param != "" && !hasPlace(from, spec.Operation(template.Steps[l.From].Op)) {
			rt.Fatalf("link %+v of %s takes what is not there", l, show(template))
		}
	}
	for i, l := range template.Links {
		for _, m := range template.Links[:i] {
			if l.To == m.To && l.In == m.In && l.Name == m.Name {
				rt.Fatalf("two links fill one place: %s", show(template))
			}
		}
	}
	once, target := map[model.OpID]bool{}, len(template.Steps)-1
	for i, s := range template.Steps {
		// An operation may have two steps only if the target takes the id of another element from the second step.
		isDistinct := slices.ContainsFunc(template.Links, func(l model.Link) bool { return l.From == i && l.To == target })
		if once[s.Op] && !isDistinct || s.Min != 1 || s.Max < 1 || s.Max > model.DefaultCreations {
			rt.Fatalf("wrong step %+v in %s", s, show(template))
		}
		once[s.Op] = true
	}
}

func TestTemplatesAreValid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := &model.Spec{Operations: anyOps(rt)}
		templates := plannerOf(spec).Templates()
		weight, seen := map[model.OpID]float64{}, map[string]bool{}
		for _, template := range templates {
			checkTemplate(rt, spec, template)
			weight[template.Target()] += template.Weight
			if steps := fmt.Sprint(template.Target(), template.Steps, template.Links); seen[steps] {
				rt.Fatalf("twice: %s", show(template))
			} else {
				seen[steps] = true
			}
			if len(template.Steps) > maxSteps {
				rt.Fatalf("too long: %s", show(template))
			}
		}
		for _, op := range spec.Operations {
			if w := weight[op.ID]; w < 1-1e-9 || w > 4+1e-9 || math.Abs(2*w-math.Round(2*w)) > 1e-9 {
				rt.Fatalf(
					"weights of %s sum to %g, want 1, 1 more with a further template, 0.5 more with one that ties all fields, "+
						"and again 1 and 0.5 with distinct elements",
					op.ID, w,
				)
			}
		}
		if again := showAll(plannerOf(spec).Templates()); again != showAll(templates) {
			rt.Fatalf("two answers:\n%s\n\n%s", showAll(templates), again)
		}
	})
}

// One operation lists two resources that a target needs. It is called once, so one of the two resources gets its id
// from another operation.
func TestTemplatesListOnce(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		op("POST /{id}/products"), op("GET /"), op("POST /{a"), op("GET /{a}-{b}", body(object("productId"))),
	}}
	for _, template := range plannerOf(spec).Templates() {
		checkTemplate(t, spec, template)
	}
}

// TestIdsThatCanBeCreatedAreLinked draws APIs with a POST on each collection and a GET, PATCH or DELETE on an
// element.
func TestIdsThatCanBeCreatedAreLinked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var list []*model.Operation
		path := ""
		for i := range rapid.IntRange(1, 5).Draw(rt, "levels") {
			path += fmt.Sprintf("/things%d", i)
			list = append(list, op("POST "+path))
			path += fmt.Sprintf("/{%s}", rapid.SampledFrom([]string{"id", "x", "key"}).Draw(rt, "name")+fmt.Sprint(i))
		}
		target := op(rapid.SampledFrom([]string{"GET", "PATCH", "DELETE", "HEAD"}).Draw(rt, "method") + " " + path)
		list = append(list, target)
		for _, template := range plannerOf(&model.Spec{Operations: list}).Templates() {
			linked := 0
			for _, l := range template.Links {
				if l.To == len(template.Steps)-1 && l.IsOpen() {
					linked++
				}
			}
			if template.Target() == target.ID && linked != len(target.Params) {
				rt.Fatalf("%d ids linked, want %d: %s", linked, len(target.Params), show(template))
			}
		}
	})
}

func BenchmarkTemplates(b *testing.B) {
	var list []*model.Operation
	for i := range 250 {
		r := fmt.Sprintf("/things%d", i)
		fields := body(object("name", fmt.Sprintf("thing%dId", i/2)))
		list = append(list, op("POST "+r, fields), op("GET "+r), op("GET "+r+"/{id}"), op("PUT "+r+"/{id}", fields))
	}
	spec := &model.Spec{Operations: list}
	for b.Loop() {
		plannerOf(spec).Templates()
	}
}

// TestTemplatesWithoutOptionalReferences checks that a target without optional references has the same template
// whether or not its optional fields are linked. [builder.templates] relies on this.
func TestTemplatesWithoutOptionalReferences(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ops := anyOps(rt)
		for _, o := range ops {
			if o.Body != nil {
				o.Body.Required = rapid.Bool().Draw(rt, "required body")
			}
		}
		p := plannerOf(&model.Spec{Operations: ops})
		b := p.feeders().builder()
		for _, target := range ops {
			if p.feeders().inputs[target].hasOptional {
				continue
			}
			var got [2]string
			for i, which := range []fields{requiredFields, allFields} {
				b.build(target, b.variants(target)[0], which)
				different, ok := b.distinct(1)
				got[i] = fmt.Sprint(show(b.template(1)), show(different), ok)
			}
			if got[0] != got[1] {
				rt.Fatalf("the templates of %s differ:\n%s\n%s", target.ID, got[0], got[1])
			}
		}
	})
}

// A binder uses the inputs that were found in advance, unless the document declares links from earlier calls.
func TestBoundInputs(t *testing.T) {
	target := op("PUT /teams/{teamId}/users/{userId}", query("orderId"), body(object("productId")))
	p := plannerOf(&model.Spec{Operations: []*model.Operation{
		op("POST /teams"), op("POST /users"), op("POST /orders"), op("POST /products"),
		op("GET /teams/{id}"), op("GET /users/{id}"), op("GET /orders/{id}"), op("GET /products/{id}"), target,
	}})
	for which := noFields; which <= allFields; which++ {
		b := p.feeders().binder(which, target)
		found := inputsThat(target, b.matcher.UsesOf(target), func(u *match.ValueUse) bool { return b.selects(target, u) })
		if got := b.inputs(target); !slices.Equal(got, found) {
			t.Errorf("with fields %d: %d inputs, want %d", which, len(got), len(found))
		}
		if want := map[fields]int{noFields: 2, requiredFields: 4, allFields: 4}[which]; len(found) != want {
			t.Errorf("with fields %d: %d inputs, want %d", which, len(found), want)
		}
	}
}
