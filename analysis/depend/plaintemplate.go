package depend

import (
	"slices"

	"sonde/model"
	"sonde/model/resource"
)

// maxPlainSteps is the maximum number of steps of a plain template. The paper has no limit.
const maxPlainSteps = 10

// PlainTemplates returns the templates of section 5.2 of the EvoMaster paper, in the order of the operations. They
// follow from methods and paths alone. Unlike those of [Planner.Templates] they do not depend on which values are the
// same, so only a POST or a PUT creates an element, and only parameters of paths are linked.
//
// An element is what a path names up to a parameter, such as a product for /products/{id}. The paper says which
// operation creates an element: a POST or a PUT on the element's own path, or else one on the closest ancestor that has
// such an operation (5.2.1). A POST on an element that is itself a collection, such as /databases/{name} above
// /databases/{name}/{document}, creates an element of that collection. If there is a PUT on the element and also a POST
// on its collection, the PUT may need an element that exists. The paper refers to the class RestSampler of EvoMaster for
// details, which prefers the POST. Here, too, the POST comes first; one of five templates of the element itself begins
// with the PUT. The elements in the path of a call are created before the call (5.2.6), from the left to the right.
//
// The values in paths are chosen once for a test (5.2.7), and no mutation changes them (5.2.8).
//
// The weights of the templates of an operation sum to 1. A HEAD has the templates of a GET. The paper has no templates
// for other methods, such as OPTIONS; such an operation is called once, like a POST.
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

// plainVariant is one form of the template of a target.
type plainVariant struct {
	weight float64
	// creator is the operation that creates the element that the target's path ends in, nil if it is not created.
	creator *model.Operation
	// before is an operation that is called up to maxBefore times before the target, nil for none.
	before    *model.Operation
	maxBefore int
	times     int // number of calls of the target
}

// plainVariants returns the forms of the template of a target (5.2.1 to 5.2.5).
func plainVariants(r *resource.Resource, target *model.Operation) []plainVariant {
	single := plainVariant{weight: 1, times: 1}
	switch target.Method {
	case "GET", "HEAD":
		if r.Param {
			return afterCreation(r, target, 1)
		}
		if post := r.Operation("POST"); post != nil {
			return []plainVariant{{weight: 1, before: post, maxBefore: maxPosts, times: 1}}
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

// afterCreation returns the variants in which the target is called some times after its resource was created.
func afterCreation(r *resource.Resource, target *model.Operation, times int) []plainVariant {
	weight := 1.0
	if target.Method == "PATCH" {
		weight = 0.5 // once or twice (5.2.4)
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

// creator returns the operation that creates an element, nil if there is none. The target of a template does not create
// what it needs.
func creator(r *resource.Resource, target *model.Operation) *model.Operation {
	post := r.Parent.Operation("POST")
	if post != nil && post != target && (r.Operation("POST") == nil || isCollection(r)) {
		return post
	}
	return closestCreator(r, target, "POST", "PUT")
}

// closestCreator returns the operation with one of the methods on an element, or else on its closest ancestor that has
// such an operation. Of several methods it prefers the earlier one. It never returns target.
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
	created   map[*resource.Resource]int // the steps that create elements
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

// elements returns the elements in a path, from the left to the right.
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

// create adds a step in which the operation by creates an element, after the steps that create the elements in the path of
// by. A POST on an ancestor creates the first element below the ancestor, which may be another one. create adds nothing
// if by is nil, if the template creates the element already, or if the template is too long.
func (b *plainBuilder) create(element *resource.Resource, by *model.Operation) {
	if by == nil || len(b.steps) >= maxPlainSteps-1 {
		return
	}
	at := b.resources[by]
	own := elements(at)
	if at == element || at.Param && by.Method == "PUT" {
		element, own = at, own[:len(own)-1] // by creates the element that its path names
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

// add adds a step of 1 to most calls, and links the parameters of its path to the earlier steps that have the same
// resources in their paths (5.2.7).
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

// source returns a link from the step that creates an element, or else from the first step whose path has the resource.
// part is the index of the parameter in the segment of the resource. The link is open if the service chooses the id.
// source returns false if no earlier step has the resource.
func (b *plainBuilder) source(r *resource.Resource, part int) (model.Link, bool) {
	from, isCreated := b.created[r]
	for step, op := range b.calls {
		if isBelow(b.resources[op], r) && (!isCreated || step == from) {
			return model.Link{From: step, Param: parameters(op, r)[part]}, true
		}
	}
	return model.Link{From: from}, isCreated
}

// isBelow reports whether a resource is another one or below it.
func isBelow(r, other *resource.Resource) bool {
	for ; r != nil; r = r.Parent {
		if r == other {
			return true
		}
	}
	return false
}

// parameters returns the names of the parameters in the segment of an operation's path that ends the path of r.
func parameters(op *model.Operation, r *resource.Resource) []string {
	if r.Parent == nil {
		return nil
	}
	return resource.ParamNames(resource.Steps(op.Path)[r.Depth()-1])
}
