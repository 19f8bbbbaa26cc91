package individual

import (
	"math/rand/v2"
	"time"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/gene"
	"sonde/runner/search/producer"
)

// answerShare is the probability that relate links an input to a number or a time in an earlier answer, if there is
// one. Otherwise, relate copies the value of another input.
const answerShare = 0.2

// relate sets one of a test's values to one of these: a value of the same or an earlier call, a combination of such
// values, or a number or a time in an earlier answer. It reports whether it has set a value.
func (p *Problem) relate(r *rand.Rand, ind *Individual) bool {
	return r.Float64() < answerShare && p.attempts.linkAnswer(r, ind) || ind.copyValue(r)
}

// linkAnswer links an input of a random call to the answer to an earlier call, as linkAnswerTo does.
func (a *attempter) linkAnswer(r *rand.Rand, ind *Individual) bool {
	return a != nil && len(ind.calls) > 1 && a.linkAnswerTo(r, ind, 1+r.IntN(len(ind.calls)-1))
}

// linkAnswerTo links an input of a call to a value in the answer to an earlier call. The input is in the query or at
// the first level of the JSON body. A number is linked to a number, a date to a date, and a time to a time.
// linkAnswerTo reports whether it has added a link.
func (a *attempter) linkAnswerTo(r *rand.Rand, ind *Individual, to int) bool {
	if to == 0 {
		return false
	}
	from := r.IntN(to)
	type source struct {
		in    model.Link
		place producer.Place
	}
	var all []source
	for _, in := range ind.calls[to].measures() {
		if ind.links.sets(to, in.link.In, in.link.Name) {
			continue
		}
		for _, at := range a.producers.Where(ind.calls[from].op.ID, in.accepts) {
			all = append(all, source{in.link, at})
		}
	}
	if len(all) == 0 {
		return false
	}
	s := all[r.IntN(len(all))]
	l := s.in
	l.Pointer, l.Header, l.Pattern, l.Optional = s.place.Pointer, s.place.Header, s.place.Pattern, true
	ind.link(l, from, to)
	return true
}

// measure is an input whose values are numbers, dates or times.
type measure struct {
	link    model.Link             // a link to the input, whose source is not set yet
	accepts func(text string) bool // reports whether a text is a value of the same kind
}

// measureOf returns the measure of a gene. It returns false if the values of the gene are not numbers, dates or
// times.
func measureOf(g gene.Gene, in model.Location, name string) (m measure, ok bool) {
	m.link = model.Link{In: in, Name: name}
	switch {
	case gene.IsNumber(g):
		m.accepts = isNumber
	case gene.IsDate(g):
		m.accepts = func(text string) bool { return hasLayout(text, time.DateOnly) }
	case gene.IsDateTime(g):
		m.accepts = func(text string) bool { return hasLayout(text, time.RFC3339) }
	}
	return m, m.accepts != nil
}

func hasLayout(text, layout string) bool {
	_, err := time.Parse(layout, text)
	return err == nil
}

// measures returns the measures in the query of a call and at the first level of its JSON body.
func (c call) measures() (all []measure) {
	for i, p := range c.op.Params {
		if p.In != model.InQuery || !gene.IsPresent(c.genes[i]) {
			continue
		}
		if m, ok := measureOf(c.genes[i], p.In, p.Name); ok {
			all = append(all, m)
		}
	}
	if c.payload == nil || c.kind != asJSON || c.violation.in == model.InBody {
		return all
	}
	for _, f := range gene.PresentFields(c.payload) {
		if m, ok := measureOf(f.Gene, model.InBody, "/"+pointer.Escape(f.Name)); ok {
			all = append(all, m)
		}
	}
	return all
}
