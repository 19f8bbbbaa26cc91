package individual

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/gene"
)

// answerShare is the probability that relate takes a number of an answer, if there is one, and not the value of another input.
const answerShare = 0.2

// relate sets one of a test's values to a value of the same or an earlier call, to a combination of such values, or to a number of an
// earlier answer. It reports whether it did.
func (p *Problem) relate(r *rand.Rand, ind *Individual) bool {
	return r.Float64() < answerShare && p.attempts.linkNumber(r, ind) || ind.copyValue(r)
}

// linkNumber links a number of a random call to a number in the answer to an earlier call, as linkNumberOf does.
func (a *attempter) linkNumber(r *rand.Rand, ind *Individual) bool {
	return a != nil && len(ind.calls) > 1 && a.linkNumberOf(r, ind, 1+r.IntN(len(ind.calls)-1))
}

// linkNumberOf links a number of a call, in its query or at the first level of its JSON body, to a number in the answer to an earlier
// call. It reports whether it did.
func (a *attempter) linkNumberOf(r *rand.Rand, ind *Individual, to int) bool {
	if to == 0 {
		return false
	}
	from := r.IntN(to)
	places := a.producers.Numbers(ind.calls[from].op.ID)
	var inputs []model.Link
	for _, in := range ind.calls[to].numbers() {
		if !ind.linked(to, in.In, in.Name) {
			inputs = append(inputs, in)
		}
	}
	if len(places) == 0 || len(inputs) == 0 {
		return false
	}
	at, l := places[r.IntN(len(places))], inputs[r.IntN(len(inputs))]
	l.Pointer, l.Header, l.Pattern, l.Optional = at.Pointer, at.Header, at.Pattern, true
	ind.link(l, from, to)
	return true
}

// numbers returns a link without a source for each number in the query of a call and at the first level of its JSON body.
func (c call) numbers() (all []model.Link) {
	for i, p := range c.op.Params {
		if p.In == model.InQuery && gene.IsPresent(c.genes[i]) && gene.IsNumber(c.genes[i]) {
			all = append(all, model.Link{In: p.In, Name: p.Name})
		}
	}
	if c.payload == nil || c.kind != asJSON || c.violation.in == model.InBody {
		return all
	}
	for _, f := range gene.PresentFields(c.payload) {
		if gene.IsNumber(f.Gene) {
			all = append(all, model.Link{In: model.InBody, Name: "/" + pointer.Escape(f.Name)})
		}
	}
	return all
}
