package depend

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// distinct returns a template in which several inputs of the target get different elements. These inputs identify
// elements of the same kind by different names, such as fromAccountId and toAccountId. In b.template they all get the
// id of the same element, which many services refuse. To have several elements, distinct repeats the steps that
// create an element. Apart from that, the template is that of b.template. ok is false if there are no such inputs, or
// if there would be too many steps.
//
// An input gets the same value as an earlier input if both have the same name, or if the name is only an id word,
// such as "id".
func (b *builder) distinct(weight float64) (t model.Template, ok bool) {
	target := len(b.steps) - 1
	if !b.repeats(target) {
		return t, false
	}
	steps, passes := slices.Clone(b.steps[:target]), slices.Clone(b.passes)
	names := map[string][]string{} // for each identity, the names of the target's inputs that get elements of their own
	copies := map[[2]int]int{}     // key: index of a step, and n; value: index of the nth copy of this step
	for i, p := range passes {
		if p.To != target {
			continue
		}
		passes[i].To = -1
		id, name := p.Taken.ID, inputEntity(&p.Taken)
		n := len(names[id])
		if !p.canDiffer() || name == "" || slices.Contains(names[id], name) {
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

// repeats reports whether several inputs of a step that may get different elements have the same identity.
func (b *builder) repeats(step int) bool {
	clear(b.ids)
	for i := range b.passes {
		p := &b.passes[i]
		if p.To != step || !p.canDiffer() {
			continue
		}
		if b.ids[p.Taken.ID] {
			return true
		}
		b.ids[p.Taken.ID] = true
	}
	return false
}

// canDiffer reports whether the input may get another element than other inputs of the same step.
func (p *Pass) canDiffer() bool {
	return p.Taken.ID != "" && !p.Existing && !p.isDeclared && p.isLinkable
}

// passesTo returns copies of the passes to a step. The copies lead to a duplicate of the step.
func (b *builder) passesTo(step, duplicate int) (all []Pass) {
	for _, p := range b.passes {
		if p.To == step {
			p.To = duplicate
			all = append(all, p)
		}
	}
	return all
}

// inputEntity returns the nouns of an input's name: "from account" for fromAccountId. It returns "" for a name that
// is only an id word, such as id.
func inputEntity(u *match.ValueUse) string {
	name := strings.Join(match.EntityNouns(pointer.LastToken(placeName(u))), " ")
	if match.EndsInIDWord(name) {
		return ""
	}
	return name
}
