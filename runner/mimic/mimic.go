package mimic

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/shape"
)

// Options say which exchanges become tests.
type Options struct {
	// Only and Except are operations, parts of their paths, or tags.
	Only, Except []string
	// Exchanges are the IDs, or their beginnings, of those that are wanted; then no
	// others are.
	Exchanges []string
	// Most is how many tests are made at most, 0 for all.
	Most int
	// Snapshot says that what a call needs is there before it, by a snapshot of the
	// service's state: no other calls come before it.
	Snapshot bool
}

// Suite is what a recording gives.
type Suite struct {
	Tests   []model.Test
	Users   []model.User
	Skipped []Skipped
	// Base is what the paths of the requests have in front of those of the spec.
	Base string
	// Operations are those that were seen, in the order of the spec.
	Operations []Operation
}

// Skipped is an exchange of which no test could be made.
type Skipped struct {
	Exchange string     `json:"exchange"`
	Op       model.OpID `json:"op,omitempty"`
	Request  string     `json:"request"` // "GET /orders/17"
	Why      string     `json:"why"`
}

// Operation is how much of an operation was seen.
type Operation struct {
	ID     model.OpID
	Seen   int // exchanges
	Shapes int
	Chosen int
	Bytes  int // captured
}

// Tests makes the tests of a recording: of each operation the first exchange of each
// shape and of each trait. (RICK takes the first invocation.) Where no test can be made
// of the first, the next takes its place.
func Tests(rec model.Recording, spec *model.Spec, o Options) Suite {
	p := &people{past: newPast(rec, spec), users: slices.Clone(rec.Users), byCred: map[string]string{}, snapshot: o.Snapshot}
	c := choice{people: p, Options: o}
	suite := Suite{Base: p.base()}
	for _, s := range p.all {
		if why, tried := c.try(s, suite.Base); tried && why != "" {
			suite.Skipped = append(suite.Skipped, Skipped{Exchange: s.ID, Op: opOf(s), Request: s.Request.Method + " " + model.Printable(s.Request.URL, 120), Why: why})
		}
	}
	suite.Tests = c.most()
	suite.Users = p.users
	suite.Operations = p.operations(suite.Tests)
	return suite
}

func opOf(s *seen) model.OpID {
	if s.op == nil {
		return ""
	}
	return s.op.ID
}

// choice chooses exchanges.
type choice struct {
	*people
	Options
	taken shape.Book
	tests []model.Test
}

// try makes a test of an exchange if one is wanted, or says why it cannot.
func (c *choice) try(s *seen, base string) (why string, tried bool) {
	if !c.wants(s) {
		return "", false
	}
	if s.op == nil {
		return s.bars, true
	}
	if fresh, over := c.taken.Wants(s.look, 1); over && len(c.Exchanges) == 0 {
		return fmt.Sprintf("of %s as many as %d shapes or traits are told apart", s.look.Kind, shape.Most), true
	} else if !fresh && len(c.Exchanges) == 0 {
		return "", false
	}
	if s.base != base {
		return "its path begins with \"" + s.base + "\", unlike the others'", true
	}
	test, why := c.make(s)
	if why != "" {
		return why, true
	}
	c.taken.Take(s.look)
	c.tests = append(c.tests, test)
	return "", true
}

// wants reports whether an exchange is among those that were asked for.
func (c *choice) wants(s *seen) bool {
	if len(c.Exchanges) > 0 {
		return slices.ContainsFunc(c.Exchanges, func(id string) bool { return id != "" && strings.HasPrefix(s.ID, id) })
	}
	if s.op == nil {
		return len(c.Only) == 0
	}
	names := func(pattern string) bool { return Names(s.op, pattern) }
	return (len(c.Only) == 0 || slices.ContainsFunc(c.Only, names)) && !slices.ContainsFunc(c.Except, names)
}

// Names reports whether a pattern names an operation: "GET /orders", a part of its path as
// "/orders", a method, or "tag:shop".
func Names(op *model.Operation, pattern string) bool {
	if tag, ok := strings.CutPrefix(pattern, "tag:"); ok {
		return slices.Contains(op.Tags, tag)
	}
	return string(op.ID) == pattern || op.Method == strings.ToUpper(pattern) || strings.HasPrefix(pattern, "/") && strings.Contains(op.Path, pattern) || op.Name != "" && op.Name == pattern
}

// most are as many tests as are wanted, of as many operations as there are.
func (c *choice) most() []model.Test {
	if c.Most <= 0 || len(c.tests) <= c.Most {
		return c.tests
	}
	of := map[model.OpID]int{}
	rank := map[string]int{}
	for _, t := range c.tests {
		op := t.Calls[t.Mimic.Call].Op
		of[op]++
		rank[t.ID] = of[op]
	}
	left := slices.Clone(c.tests)
	slices.SortStableFunc(left, func(a, b model.Test) int { return rank[a.ID] - rank[b.ID] })
	left = left[:c.Most]
	return slices.DeleteFunc(slices.Clone(c.tests), func(t model.Test) bool {
		return !slices.ContainsFunc(left, func(l model.Test) bool { return l.ID == t.ID })
	})
}

// base is what most paths have in front of the operation's.
func (p *past) base() string {
	count := map[string]int{}
	for _, s := range p.all {
		if s.op != nil {
			count[s.base]++
		}
	}
	best := ""
	for _, base := range sortedKeys(count) {
		if count[base] > count[best] {
			best = base
		}
	}
	return best
}

// operations tell how much of each was seen.
func (p *past) operations(tests []model.Test) []Operation {
	by := map[model.OpID]*Operation{}
	shapes := map[string]bool{}
	for _, s := range p.all {
		if s.op == nil {
			continue
		}
		o := by[s.op.ID]
		if o == nil {
			o = &Operation{ID: s.op.ID}
			by[s.op.ID] = o
		}
		o.Seen++
		o.Bytes += s.size()
		if !shapes[s.shape] {
			shapes[s.shape] = true
			o.Shapes++
		}
	}
	for _, t := range tests {
		by[t.Calls[t.Mimic.Call].Op].Chosen++
	}
	var all []Operation
	for _, op := range p.spec.Operations {
		if o := by[op.ID]; o != nil {
			all = append(all, *o)
		}
	}
	return all
}

// size is how many bytes were captured of an exchange.
func (s *seen) size() int {
	n := len(s.Request.URL) + len(s.Request.Body) + len(s.Reply.Body)
	for _, o := range s.sent {
		n += o.size()
	}
	return n
}
