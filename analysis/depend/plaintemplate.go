package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/resource"
)

// maxPlainSteps limits the steps of a plain template: only its first maxPlainSteps-1 steps create elements of paths.
// The paper has no limit.
const maxPlainSteps = 10

// PlainTemplates returns the templates of section 5.2 of the EvoMaster paper, in the order of the operations. They
// follow only from methods and paths. Unlike the templates of [Planner.Templates], they do not depend on which values
// are the same. So only a POST or a PUT creates an element, and only parameters of paths are linked.
//
// The part of a path up to a parameter identifies an element, such as a product for /products/{id}. According to the
// paper, an element is created by a POST or a PUT on the element's own path. If there is no such operation, a POST or
// a PUT on the closest ancestor that has one creates the element (5.2.1).
//
// If a POST is on an element that is itself a collection, such as /databases/{name} above
// /databases/{name}/{document}, the POST creates an element of that collection. If there is a PUT on the element and a
// POST on its collection, the PUT may need an existing element. For details the paper refers to EvoMaster's class
// RestSampler, which prefers the POST. Here, too, the POST comes first: templates that create the element by the PUT
// have only a fifth of the weight.
//
// The elements in the path of a call are created before the call (5.2.6), from left to right.
//
// The values in paths are chosen once for each test (5.2.7). Mutations do not change them (5.2.8).
//
// The weights of the templates of an operation sum to 1. HEAD has the same templates as GET. The paper has no
// templates for other methods, such as OPTIONS; an operation with such a method is called once, like a POST.
func PlainTemplates(ops []*model.Operation) []model.Template {
	resources := map[*model.Operation]*resource.Resource{}
	for r := range resource.NewTree(ops).Subtree() {
		for _, op := range r.Operations {
			resources[op] = r
		}
	}
	var all []model.Template
	for _, target := range ops {
		for _, v := range plainVariants(resources[target], target) {
			b := plainBuilder{resources: resources, target: target, created: map[*resource.Resource]int{}}
			all = append(all, b.build(v))
		}
	}
	return all
}

// plainVariant describes one of the templates of a target.
type plainVariant struct {
	weight float64
	// creator is the operation that creates the element at the end of the target's path, nil if this element is not
	// created.
	creator *model.Operation
	// before is an operation that is called up to maxBefore times before the target, nil for none.
	before    *model.Operation
	maxBefore int
	times     int // number of calls of the target
}

// plainVariants returns the variants of the templates of a target (5.2.1 to 5.2.5).
func plainVariants(r *resource.Resource, target *model.Operation) []plainVariant {
	single := plainVariant{weight: 1, times: 1}
	switch target.Method {
	case "GET", "HEAD", "QUERY":
		if r.Param {
			return afterCreation(r, target, 1)
		}
		if post := r.Operation("POST"); post != nil {
			return []plainVariant{{weight: 1, before: post, maxBefore: model.DefaultCreations, times: 1}}
		}
		return []plainVariant{{weight: 1, before: r.Operation("PUT"), maxBefore: 1, times: 1}}
	case "PUT":
		after := plainVariant{weight: afterWeight, maxBefore: 1, times: 1}
		if r.Param {
			after.creator = closestCreator(r, target, "POST")
		} else {
			after.before = closest(r, "POST")
		}
		if after.creator == nil && after.before == nil {
			break
		}
		single.weight = aloneWeight
		return []plainVariant{single, after}
	case "PATCH":
		return append(afterCreation(r, target, 1), afterCreation(r, target, 2)...)
	case "DELETE":
		return afterCreation(r, target, 1)
	}
	return []plainVariant{single}
}

// afterCreation returns the variants that first create the target's resource and then call the target the given
// number of times.
func afterCreation(r *resource.Resource, target *model.Operation, times int) []plainVariant {
	weight := 1.0
	if target.Method == "PATCH" {
		weight = 0.5 // there are two variants: one call and two calls (5.2.4)
	}
	if !r.Param {
		return []plainVariant{{weight: weight, before: closest(r, "POST", "PUT"), maxBefore: 1, times: times}}
	}
	best := creator(r, target)
	own := r.Operation("PUT")
	if best == nil || own == nil || own == target || own == best {
		return []plainVariant{{weight: weight, creator: best, times: times}}
	}
	return []plainVariant{
		{weight: afterWeight * weight, creator: best, times: times},
		{weight: aloneWeight * weight, creator: own, times: times},
	}
}

// creator returns the operation that creates an element, nil if there is none. It never returns the target of the
// template.
func creator(r *resource.Resource, target *model.Operation) *model.Operation {
	post := r.Parent.Operation("POST")
	if post != nil && post != target && (r.Operation("POST") == nil || isCollection(r)) {
		return post
	}
	return closestCreator(r, target, "POST", "PUT")
}

// closestCreator returns an operation with one of the given methods. It searches the element r first, and then the
// ancestors of r, the closest first. Earlier methods are preferred. A POST on r does not count if r is itself a
// collection. closestCreator never returns target. It returns nil if it finds no operation.
func closestCreator(r *resource.Resource, target *model.Operation, methods ...string) *model.Operation {
	for element := r; r != nil; r = r.Parent {
		for _, m := range methods {
			op := r.Operation(m)
			if op != nil && op != target && !(r == element && m == "POST" && isCollection(r)) {
				return op
			}
		}
	}
	return nil
}

// isCollection reports whether a resource has elements directly below it.
func isCollection(r *resource.Resource) bool {
	return slices.ContainsFunc(r.Children, func(c *resource.Resource) bool { return c.Param })
}

// plainBuilder builds one template.
type plainBuilder struct {
	resources map[*model.Operation]*resource.Resource
	target    *model.Operation
	steps     []model.TemplateStep
	calls     []*model.Operation // the operations of the steps
	links     []model.Link
	created   map[*resource.Resource]int // for each element, the step that creates it
}

func (b *plainBuilder) build(v plainVariant) model.Template {
	r := b.resources[b.target]
	all := elements(r)
	if r.Param {
		all = all[:len(all)-1]
	}
	b.createAll(all)
	switch {
	case v.creator != nil:
		b.create(r, v.creator)
	case v.before != nil:
		b.add(v.before, v.maxBefore)
	}
	for range v.times {
		b.add(b.target, 1)
	}
	return model.Template{Steps: b.steps, Links: b.links, Weight: v.weight}
}

// elements returns the elements in the path of a resource, from left to right.
func elements(r *resource.Resource) (all []*resource.Resource) {
	for ; r != nil; r = r.Parent {
		if r.Param {
			all = append(all, r)
		}
	}
	slices.Reverse(all)
	return all
}

func (b *plainBuilder) createAll(elements []*resource.Resource) {
	for _, e := range elements {
		b.create(e, creator(e, b.target))
	}
}

// create adds a step in which the operation by creates an element. Before this step, it adds the steps that create the
// elements in the path of by. If by is a POST on an ancestor, it creates the first element below the ancestor, which
// may be another element than the given one. create adds nothing in these cases:
//   - by is nil.
//   - The template already creates the element.
//   - The template has maxPlainSteps-1 steps or more.
func (b *plainBuilder) create(element *resource.Resource, by *model.Operation) {
	if by == nil || len(b.steps) >= maxPlainSteps-1 {
		return
	}
	at := b.resources[by]
	own := elements(at)
	if at == element || at.Param && by.Method == "PUT" {
		element, own = at, own[:len(own)-1] // the operation creates the element that its own path identifies
	} else {
		element = elements(element)[len(own)]
	}
	if _, done := b.created[element]; done {
		return
	}
	b.createAll(own)
	if len(b.steps) < maxPlainSteps-1 {
		b.add(by, 1)
		b.created[element] = len(b.steps) - 1
	}
}

// add adds a step with one or more calls. most is the maximum number of calls. add links the parameters of the step's
// path to earlier steps with the same resources in their paths (5.2.7).
func (b *plainBuilder) add(op *model.Operation, most int) {
	step := len(b.steps)
	var inPath []*resource.Resource
	for r := b.resources[op]; r != nil; r = r.Parent {
		inPath = append(inPath, r)
	}
	for _, r := range slices.Backward(inPath) {
		for part, name := range parameters(op, r) {
			if l, ok := b.source(r, part); ok {
				l.To, l.In, l.Name = step, model.InPath, name
				b.links = append(b.links, l)
			}
		}
	}
	b.calls = append(b.calls, op)
	b.steps = append(b.steps, model.TemplateStep{Op: op.ID, Min: 1, Max: most, FixedPath: true})
}

// source returns a link from the step that creates the element r. If no step creates it, the link is from the first
// step whose path has r. part is the index of the parameter in the segment of r. The link is open if the service
// chooses the id. ok is false if no earlier step has r.
func (b *plainBuilder) source(r *resource.Resource, part int) (model.Link, bool) {
	from, isCreated := b.created[r]
	for step, op := range b.calls {
		if isBelow(b.resources[op], r) && (!isCreated || step == from) {
			return model.Link{From: step, Param: parameters(op, r)[part]}, true
		}
	}
	return model.Link{From: from}, isCreated
}

// isBelow reports whether r is other or a resource below other.
func isBelow(r, other *resource.Resource) bool {
	for ; r != nil; r = r.Parent {
		if r == other {
			return true
		}
	}
	return false
}

// parameters returns the names that an operation's path gives to the parameters in the last segment of r.
func parameters(op *model.Operation, r *resource.Resource) []string {
	if r.Parent == nil {
		return nil
	}
	return resource.ParamNames(resource.Steps(op.Path)[r.Depth()-1])
}
