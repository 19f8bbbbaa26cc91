package depend

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// distinct returns a template that differs from b.template in one way: if inputs of the target identify elements of the
// same kind by different names, such as fromAccountId and toAccountId, each gets the id of an element of its own.
// b.template gives all of them the id of one element, which many services refuse. The steps that create these elements
// are repeated. distinct returns false if there are no such inputs, or if there would be too many steps.
//
// An input with the same name as an earlier input, or with a name such as "id", gets the same value as the earlier
// input.
func (b *builder) distinct(weight float64) (t model.Template, ok bool) {
	target := len(b.steps) - 1
	steps, passes := slices.Clone(b.steps[:target]), slices.Clone(b.passes)
	names := map[string][]string{} // of inputs of the target that get elements of their own, by identity
	copies := map[[2]int]int{}     // index of the nth copy of a step, by the index of the step and n
	for i, p := range passes {
		if p.To != target {
			continue
		}
		passes[i].To = -1
		id, name := p.Taken.ID, inputEntity(p.Taken)
		n := len(names[id])
		if id == "" || p.Existing || p.isDeclared || !p.isLinkable || name == "" || slices.Contains(names[id], name) {
			continue
		}
		names[id] = append(names[id], name)
		if n == 0 {
			continue
		}
		key := [2]int{p.From, n}
		if _, ok := copies[key]; !ok {
			copies[key] = len(steps)
			passes = append(passes, b.passesTo(p.From, len(steps))...)
			steps = append(steps, b.steps[p.From])
		}
		passes[i].From = copies[key]
	}
	if len(copies) == 0 || len(steps) >= maxSteps {
		return t, false
	}
	for i := range passes {
		if passes[i].To < 0 {
			passes[i].To = len(steps)
		}
	}
	slices.SortStableFunc(passes, func(p, q Pass) int { return p.To - q.To })
	return newTemplate(append(steps, b.steps[target]), passes, weight), true
}

// passesTo returns the passes to a step, changed so that they lead to a copy of the step.
func (b *builder) passesTo(step, duplicate int) (all []Pass) {
	for _, p := range b.passes {
		if p.To == step {
			p.To = duplicate
			all = append(all, p)
		}
	}
	return all
}

// inputEntity returns the nouns of an input's name: "from account" for fromAccountId, and "" for a name that is only a word for
// identifiers, such as id.
func inputEntity(u match.ValueUse) string {
	name := strings.Join(match.EntityNouns(pointer.LastToken(placeName(u))), " ")
	if match.EndsInIDWord(name) {
		return ""
	}
	return name
}
