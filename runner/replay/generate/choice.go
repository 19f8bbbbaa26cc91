package generate

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// choice selects the exchanges that become tests.
type choice struct {
	Options
	generator testGenerator
	// profiles are the shapes and traits that have a test.
	profiles shape.ProfileCounter
	tests    []model.Test
}

// makeIfWanted makes a test from x if the options select x, and x has a shape or a trait that no other test has. If
// Options.Exchanges is set, shapes and traits do not matter. tried is false if x is not selected or has nothing new. If
// tried is true, why is the reason why no test could be made, or "" if one was made. base is the most frequent base of
// the paths.
func (c *choice) makeIfWanted(x *recordedExchange, base string) (why string, tried bool) {
	if !c.wants(x) {
		return "", false
	}
	if x.op == nil {
		return x.whyNotRepeatable, true
	}
	if fresh, over := c.profiles.WantsProfile(x.profile, 1); over && len(c.Exchanges) == 0 {
		return fmt.Sprintf("%s already has %d distinct shapes or traits", x.profile.Kind, shape.MaxDistinct), true
	} else if !fresh && len(c.Exchanges) == 0 {
		return "", false
	}
	if c.SkipFaults && x.isServerFault() {
		return fmt.Sprintf("its answer, %d, is most likely a fault of the service", x.Reply.Status), true
	}
	if x.base != base {
		return "its path begins with \"" + x.base + "\", unlike the others'", true
	}
	test, why := c.generator.makeTest(x)
	if why != "" {
		return why, true
	}
	c.profiles.CountProfile(x.profile)
	c.tests = append(c.tests, test)
	return "", true
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

// limited returns at most MaxTests tests, of as many operations as possible.
func (c *choice) limited() []model.Test {
	if c.MaxTests <= 0 || len(c.tests) <= c.MaxTests {
		return c.tests
	}
	of := map[model.OpID]int{}
	rank := map[string]int{}
	for _, t := range c.tests {
		op := t.Calls[t.Mock.Call].Op
		of[op]++
		rank[t.ID] = of[op]
	}
	left := slices.Clone(c.tests)
	slices.SortStableFunc(left, func(a, b model.Test) int { return rank[a.ID] - rank[b.ID] })
	left = left[:c.MaxTests]
	return slices.DeleteFunc(slices.Clone(c.tests), func(t model.Test) bool {
		return !slices.ContainsFunc(left, func(l model.Test) bool { return l.ID == t.ID })
	})
}
