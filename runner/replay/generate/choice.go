package generate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// choice selects the exchanges that become tests.
type choice struct {
	Options
	generator testGenerator
	// base is the prefix, such as "/v1", that most recorded paths have before the path of their operation.
	base string
	// profiles are the shapes and traits that have a test.
	profiles shape.ProfileCounter
	// code is the code that the chosen exchanges run.
	code    codeCoverage
	chosen  []chosenTest // in the order in which they were chosen
	skipped map[*recordedExchange]string
}

// chosenTest is the test of an exchange that was chosen.
type chosenTest struct {
	exchange *recordedExchange
	test     model.Test
	newCode  NewCode // the zero value if the exchange was not chosen for its code
}

// choose makes the tests. If the recording says which code the service ran, choose first chooses exchanges that run
// code that was not run by the exchanges chosen before. Then it chooses those with a shape or a trait that no chosen
// exchange has. If Options.Exchanges is set, it chooses these exchanges only.
func (c *choice) choose(exchanges []*recordedExchange) {
	c.skipped = map[*recordedExchange]string{}
	if len(c.Exchanges) == 0 {
		c.code.statements = c.generator.rec.CodeStatements
		c.chooseByCode(exchanges)
	}
	tried := map[*recordedExchange]bool{}
	for x := range c.skipped {
		tried[x] = true
	}
	for _, t := range c.chosen {
		tried[t.exchange] = true
	}
	for _, x := range exchanges {
		if !tried[x] && c.wants(x) && c.hasNewProfile(x) {
			c.makeTest(x)
		}
	}
}

// hasNewProfile reports whether x has a shape or a trait that no chosen exchange has. For a request to no operation,
// and if Options.Exchanges is set, shapes and traits do not matter. If too many exchanges of the same operation and
// status were chosen, x is skipped.
func (c *choice) hasNewProfile(x *recordedExchange) bool {
	if x.op == nil || len(c.Exchanges) > 0 {
		return true
	}
	fresh, over := c.profiles.WantsProfile(x.profile, 1)
	if over {
		c.skipped[x] = fmt.Sprintf("%s already has %d distinct shapes or traits", x.profile.Kind, shape.MaxDistinct)
	}
	return fresh
}

// makeTest makes the test of x, if possible. If not, x is skipped.
func (c *choice) makeTest(x *recordedExchange) {
	why := c.whyNot(x)
	var test model.Test
	if why == "" {
		test, why = c.generator.makeTest(x)
	}
	if why != "" {
		c.skipped[x] = why
		return
	}
	c.profiles.CountProfile(x.profile)
	c.chosen = append(c.chosen, chosenTest{exchange: x, test: test, newCode: c.code.add(x.Covered)})
}

// whyNot returns the reason why x must not become a test, "" if there is none.
func (c *choice) whyNot(x *recordedExchange) string {
	switch {
	case x.op == nil:
		return x.whyNotRepeatable
	case c.SkipFaults && x.isServerFault():
		return fmt.Sprintf("its answer, %d, is most likely a fault of the service", x.Reply.Status)
	case x.base != c.base:
		return "its path begins with \"" + x.base + "\", unlike the others'"
	}
	return ""
}

// wants reports whether the options select an exchange.
func (c *choice) wants(x *recordedExchange) bool {
	if len(c.Exchanges) > 0 {
		return slices.ContainsFunc(c.Exchanges, func(id string) bool { return id != "" && strings.HasPrefix(x.ID, id) })
	}
	if x.op == nil {
		return len(c.Only) == 0
	}
	names := func(pattern string) bool { return MatchesOperation(x.op, pattern) }
	return (len(c.Only) == 0 || slices.ContainsFunc(c.Only, names)) && !slices.ContainsFunc(c.Except, names)
}

// MatchesOperation reports whether a pattern selects an operation. The pattern is an ID ("GET
// /orders"), a part of a path ("/orders"), a method, an operation's name, or "tag:" and a tag.
func MatchesOperation(op *model.Operation, pattern string) bool {
	if tag, ok := strings.CutPrefix(pattern, "tag:"); ok {
		return slices.Contains(op.Tags, tag)
	}
	return string(op.ID) == pattern || op.Method == strings.ToUpper(pattern) ||
		strings.HasPrefix(pattern, "/") && strings.Contains(op.Path, pattern) || op.Name != "" && op.Name == pattern
}

// limited returns at most MaxTests of the chosen tests, in the order of the recording: first those that were chosen for
// their code, then those of as many operations as possible.
func (c *choice) limited() []chosenTest {
	left := slices.Clone(c.chosen)
	if c.MaxTests > 0 && len(left) > c.MaxTests {
		of := map[model.OpID]int{}
		rank := map[string]int{}
		for _, t := range left {
			of[t.exchange.op.ID]++
			if t.newCode == (NewCode{}) {
				rank[t.test.ID] = of[t.exchange.op.ID]
			}
		}
		slices.SortStableFunc(left, func(a, b chosenTest) int { return rank[a.test.ID] - rank[b.test.ID] })
		left = left[:c.MaxTests]
	}
	slices.SortFunc(left, func(a, b chosenTest) int { return a.exchange.index - b.exchange.index })
	return left
}

// skippedExchanges returns the exchanges from which no test could be made, in the order of the recording.
func (c *choice) skippedExchanges() []SkippedExchange {
	var all []SkippedExchange
	order := func(a, b *recordedExchange) int { return a.index - b.index }
	for _, x := range slices.SortedFunc(maps.Keys(c.skipped), order) {
		all = append(all, SkippedExchange{
			Exchange: x.ID,
			Op:       operationID(x),
			Request:  x.Request.Method + " " + model.Printable(x.Request.URL, 120),
			Why:      c.skipped[x],
		})
	}
	return all
}
