package export

import (
	"fmt"
	"go/token"
	"strings"

	"sonde/model"
)

// names gives each test function a name of its own.
type names map[string]bool

// test returns what a test does and how it ends:
// CreateProductThenGetPrice_404.
func (n names) test(t model.Test) string {
	if name := calledBy(t); name != "" {
		return n.free(name, "_")
	}
	return n.free(fmt.Sprintf("Test%s_%d%s", phraseOf(t), t.Calls[last(t)].Status, whenName(t)), "_")
}

// phraseOf returns what a test does: CreateProductThenGetPrice. More than three deeds are cut
// down to the first creations and the last deed.
func phraseOf(t model.Test) string {
	var phrase string
	steps := pick(steps(t))
	for i, s := range steps {
		name := s.deed.name(s.times)
		switch {
		case i == 0:
			phrase = name
		case s.deed.creates() && steps[i-1].deed.creates():
			phrase += "And" + strings.TrimPrefix(name, "Create")
		default:
			phrase += "Then" + name
		}
	}
	return phrase
}

// calledBy returns the name of a function whose test a person calls something else, "" where nobody does.
// What is no identifier is told by its words.
func calledBy(t model.Test) string {
	name := strings.TrimPrefix(strings.TrimSpace(t.Name), "Test")
	if !token.IsIdentifier("T" + name) {
		name = pascal(words(name))
	}
	if name == "" {
		return ""
	}
	return "Test" + capital(name)
}

// free returns a name, with a number behind it if it is taken, and takes it.
func (n names) free(name, between string) string {
	free := name
	for i := 2; n[free]; i++ {
		free = fmt.Sprintf("%s%s%d", name, between, i)
	}
	n[free] = true
	return free
}

// step is a deed done a number of times in a row.
type step struct {
	op    model.OpID
	deed  deed
	times int
}

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
		all = append(all, step{op: c.Op, deed: describe(c.Op), times: 1})
	}
	return all
}

func pick(all []step) []step {
	if len(all) <= 3 {
		return all
	}
	end := len(all) - 1
	var picked []step
	for _, s := range all[:end] {
		if s.deed.creates() && len(picked) < 2 {
			picked = append(picked, s)
		}
	}
	if len(picked) == 0 {
		picked = all[:1:1]
	}
	return append(picked, all[end])
}
