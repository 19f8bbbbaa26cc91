package export

import (
	"fmt"
	"go/token"
	"strings"

	"sonde/model"
)

// names is a set of names in use.
type names map[string]bool

// test returns an unused name for a test. This is the name that the user gave it or, if there is none, a phrase for
// its actions with its last status, as in CreateProductThenGetPrice_404.
func (n names) test(t model.Test) string {
	if name := givenName(t); name != "" {
		return n.unused(name, "_")
	}
	return n.unused(fmt.Sprintf("Test%s_%d%s", phraseOf(t), t.Calls[last(t)].Status, whenName(t)), "_")
}

// phraseOf describes the actions of a test, as in CreateProductThenGetPrice. It has at most three actions;
// see mainActions.
func phraseOf(t model.Test) string {
	var phrase string
	steps := mainActions(steps(t))
	for i, s := range steps {
		name := s.action.name(s.times)
		switch {
		case i == 0:
			phrase = name
		case s.action.creates() && steps[i-1].action.creates():
			phrase += "And" + strings.TrimPrefix(name, "Create")
		default:
			phrase += "Then" + name
		}
	}
	return phrase
}

// givenName makes the name of a Go function from the name that the user gave a test. It returns "" if the test has no
// name. If the name is not an identifier, givenName splits it into words and joins them.
func givenName(t model.Test) string {
	name := strings.TrimPrefix(strings.TrimSpace(t.Name), "Test")
	if !token.IsIdentifier("T" + name) {
		name = pascal(words(name))
	}
	if name == "" {
		return ""
	}
	return "Test" + capital(name)
}

// unused returns name, or name with a number if it is in use. It adds the result to n.
func (n names) unused(name, between string) string {
	free := name
	for i := 2; n[free]; i++ {
		free = fmt.Sprintf("%s%s%d", name, between, i)
	}
	n[free] = true
	return free
}

// step is an action that a test repeats a number of times.
type step struct {
	op     model.OpID
	action action
	times  int
}

// steps returns the actions of a test. Equal actions in a row are one step.
func steps(t model.Test) []step {
	var all []step
	for _, c := range t.Calls {
		if c.Status == 0 {
			continue
		}
		if n := len(all); n > 0 && all[n-1].op == c.Op {
			all[n-1].times++
			continue
		}
		all = append(all, step{op: c.Op, action: describe(c.Op), times: 1})
	}
	return all
}

// mainActions returns at most three actions. If there are more, it returns up to two creations from the
// beginning and the last action. If there is no creation before the last action, it returns the first and
// the last action.
func mainActions(all []step) []step {
	if len(all) <= 3 {
		return all
	}
	end := len(all) - 1
	var picked []step
	for _, s := range all[:end] {
		if s.action.creates() && len(picked) < 2 {
			picked = append(picked, s)
		}
	}
	if len(picked) == 0 {
		picked = all[:1:1]
	}
	return append(picked, all[end])
}
