package depend

import (
	"runtime"
	"slices"

	"sonde/model"

	"github.com/sourcegraph/conc"
)

// Templates returns the templates of tests for the planner's operations, in the order of the operations. This is the
// smart sampling of section 5.2 of the EvoMaster paper. The last step of a template is its target. The steps before
// it create the resources that the target needs. A template has at most eight steps.
//
// Links pass the ids, as [Planner.ConnectSeq] would link the same steps. There are three kinds of links:
//   - An open link, or a link with a Header, takes the id from an earlier answer.
//   - A link with Param takes an id that the client chose in an earlier path.
//   - A link that the document declares is used unchanged.
//
// A parameter without a source in other operations has no link.
//
// The weights of the paper's templates of a target sum to 1. A target may have two more templates that the paper does
// not have. The first has weight 1. The second has weight 1/2 and also links optional fields of the target. For each
// of these two there may be another template with the same weight, in which the inputs of the target get different
// elements; see distinct.
//
// These additional templates also create the resources to which required fields of the query and the body refer, such
// as a product for "productId" in the body of POST /carts/{id}/items. They take an id in the path from any operation
// that creates such a resource, as for GET /stock/{productId}. If no operation creates the resource, they take the id
// from a list that a GET returns, or from the source of a declared link.
func (p *Planner) Templates() []model.Template {
	f := p.feeders()
	each, workers := make([][]model.Template, len(p.ops)), runtime.GOMAXPROCS(0)
	var all conc.WaitGroup
	for first := range workers {
		all.Go(func() {
			b := f.builder()
			for i := first; i < len(p.ops); i += workers {
				each[i] = b.templates(p.ops[i])
			}
		})
	}
	all.Wait()
	return slices.Concat(each...)
}

// templates returns the templates of one target.
func (b *builder) templates(target *model.Operation) []model.Template {
	var list []model.Template
	var likely variant
	for _, v := range b.variants(target) {
		b.build(target, v, noFields)
		list = join(list, b.template(v.weight))
		if v.weight > likely.weight {
			likely = v
		}
	}
	for i, which := range []fields{requiredFields, allFields} {
		if which == allFields && !b.feeders.inputs[target].hasOptional {
			break // the templates are the same as for requiredFields
		}
		b.build(target, likely, which)
		weight := 1 / float64(1+i)
		further := []model.Template{b.template(weight)}
		if t, ok := b.distinct(weight); ok {
			further = append(further, t)
		}
		for _, t := range further {
			if indexOf(list, t) < 0 {
				list = append(list, t)
			}
		}
	}
	return list
}

// join adds a template to a list. If the list already has an equal template, join only adds the weight to that of the
// equal template.
func join(list []model.Template, t model.Template) []model.Template {
	if i := indexOf(list, t); i >= 0 {
		list[i].Weight += t.Weight
		return list
	}
	return append(list, t)
}

func indexOf(list []model.Template, t model.Template) int {
	return slices.IndexFunc(list, func(old model.Template) bool {
		return slices.Equal(old.Steps, t.Steps) && slices.Equal(old.Links, t.Links)
	})
}

// build builds the template of a target for one variant. which selects the fields of the query and the body that are
// linked.
func (b *builder) build(target *model.Operation, v variant, which fields) {
	b.reset(which, target)
	b.held++
	b.used[target] = true
	if target.Method == "DELETE" {
		b.deleted = b.at
	}
	if v.alone {
		b.not = b.at
	}
	if v.alone || v.by.Own {
		b.chosen = b.at
	}
	switch {
	case v.by.Op == nil:
	case b.at.Param:
		b.by = v.by
	default:
		b.add(v.by.Op, 1, v.most)
	}
	b.held--
	most := 1
	if target.Method == "PATCH" {
		most = 2 // a PATCH is called once or twice, see section 5.2.4 of the paper
	}
	b.add(target, 1, most)
}

// template returns the template with the steps and passes of the builder.
func (b *builder) template(weight float64) model.Template {
	return newTemplate(slices.Clone(b.steps), b.passes, weight)
}

// newTemplate returns a template. Passes that a link cannot set are left out.
func newTemplate(steps []model.TemplateStep, passes []Pass, weight float64) model.Template {
	t := model.Template{Steps: steps, Weight: weight}
	linkable := 0
	for i := range passes {
		if passes[i].isLinkable {
			linkable++
		}
	}
	if linkable == 0 {
		return t
	}
	t.Links = make([]model.Link, 0, linkable)
	for i := range passes {
		if p := &passes[i]; p.isLinkable {
			t.Links = append(t.Links, p.openLink())
		}
	}
	return t
}
