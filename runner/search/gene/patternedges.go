package gene

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
)

// maxAlternatives is the maximum number of alternatives for which PatternEdges returns a text.
const maxAlternatives = 8

// maxEdge is the maximum length of a match in the texts of PatternEdges. longerTexts adds a few characters to it.
const maxEdge = 16

// PatternEdges returns unusual texts that a regular expression matches: one for each alternative if there are several,
// and longer texts that only contain a match, if the expression accepts them. It returns nil for an expression that
// cannot be parsed.
func PatternEdges(expr string) (all []string) {
	p := newPattern(expr)
	if p == nil {
		return nil
	}
	r, s := rand.New(rand.NewPCG(1, 2)), &shape{max: maxEdge, usual: maxEdge, match: p.match}
	generated := func(root piece) (string, bool) { return (&pattern{root: root, insts: p.insts}).generate(r, s) }
	var longer []string
	trees := alternatives(p.tree)
	for _, tree := range trees {
		text, ok := generated(compile(tree))
		if !ok {
			continue
		}
		if len(trees) > 1 && !slices.Contains(all, text) {
			all = append(all, text)
		}
		if len(longer) == 0 {
			longer = slices.DeleteFunc(longerTexts(text), func(s string) bool { return !p.match.MatchString(s) })
		}
	}
	return append(all, longer...)
}

// longerTexts returns two texts that contain the given text: one at the beginning, and one in the middle. If an
// expression matches a longer text, the expression has no anchors, perhaps by mistake. In some languages, expressions
// match only at the beginning of a text.
func longerTexts(text string) []string { return []string{text + "!!", "!" + text + "!"} }

// alternatives returns the alternatives of an expression, each with the rest of the expression around it: (a|b)c has
// the alternatives ac and bc. It returns at most maxAlternatives. If there are none, it returns only the expression
// itself. If several parts have alternatives, it takes those of the first part.
func alternatives(re *syntax.Regexp) (all []*syntax.Regexp) {
	switch re.Op {
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			all = append(all, alternatives(sub)...)
		}
		return all[:min(len(all), maxAlternatives)]
	case syntax.OpCapture:
		return alternatives(re.Sub[0])
	case syntax.OpConcat:
		for i, sub := range re.Sub {
			subs := alternatives(sub)
			if len(subs) == 1 {
				continue
			}
			for _, one := range subs {
				with := *re
				with.Sub = slices.Clone(re.Sub)
				with.Sub[i] = one
				all = append(all, &with)
			}
			return all
		}
	}
	return []*syntax.Regexp{re}
}
