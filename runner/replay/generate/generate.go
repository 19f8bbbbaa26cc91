package generate

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// Options select the exchanges that become tests.
type Options struct {
	// Only and Except are patterns of operations; see MatchesOperation.
	Only, Except []string
	// Exchanges are the IDs, or prefixes of IDs, of exchanges. If set, only these become tests.
	Exchanges []string
	// MaxTests is the maximum number of tests, 0 for no limit.
	MaxTests int
	// Snapshot: a snapshot of the service's state provides what a call needs, so that no other
	// calls come before it.
	Snapshot bool
}

// Suite is the result of Tests.
type Suite struct {
	Tests   []model.Test
	Users   []model.User
	Skipped []SkippedExchange
	// Base is the prefix of the paths of the requests to those of the spec.
	Base string
	// Operations are those in the recording, in the order of the spec.
	Operations []OperationCount
}

// SkippedExchange is an exchange of which no test could be made.
type SkippedExchange struct {
	Exchange string     `json:"exchange"`
	Op       model.OpID `json:"op,omitempty"`
	Request  string     `json:"request"` // "GET /orders/17"
	Why      string     `json:"why"`
}

// OperationCount counts what was recorded of an operation.
type OperationCount struct {
	ID     model.OpID
	Seen   int // exchanges
	Shapes int
	Chosen int
	Bytes  int // captured
}

// Tests makes the tests of a recording: for each operation, of the first exchange with each shape
// and each trait. (RICK takes the first invocation.) If no test can be made of the first one, it
// tries the next.
func Tests(rec model.Recording, spec *model.Spec, o Options) Suite {
	p := &userDirectory{
		recordingIndex: newRecordingIndex(rec, spec),
		users:          slices.Clone(rec.Users),
		byCred:         map[string]string{},
		snapshot:       o.Snapshot,
	}
	c := choice{userDirectory: p, Options: o}
	suite := Suite{Base: p.base()}
	for _, s := range p.all {
		if why, tried := c.try(s, suite.Base); tried && why != "" {
			suite.Skipped = append(
				suite.Skipped,
				SkippedExchange{
					Exchange: s.ID,
					Op:       opOf(s),
					Request:  s.Request.Method + " " + model.Printable(s.Request.URL, 120),
					Why:      why,
				},
			)
		}
	}
	suite.Tests = c.most()
	suite.Users = p.users
	suite.Operations = p.operations(suite.Tests)
	return suite
}

func opOf(s *recordedExchange) model.OpID {
	if s.op == nil {
		return ""
	}
	return s.op.ID
}

// choice selects exchanges.
type choice struct {
	*userDirectory
	Options
	taken shape.ProfileCounter
	tests []model.Test
}

// try makes a test of an exchange if one is wanted, or records why it cannot.
func (c *choice) try(s *recordedExchange, base string) (why string, tried bool) {
	if !c.wants(s) {
		return "", false
	}
	if s.op == nil {
		return s.bars, true
	}
	if fresh, over := c.taken.WantsProfile(s.look, 1); over && len(c.Exchanges) == 0 {
		return fmt.Sprintf("%s already has %d distinct shapes or traits", s.look.Kind, shape.MaxDistinct), true
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
	c.taken.CountProfile(s.look)
	c.tests = append(c.tests, test)
	return "", true
}

// wants reports whether an exchange is selected by the options.
func (c *choice) wants(s *recordedExchange) bool {
	if len(c.Exchanges) > 0 {
		return slices.ContainsFunc(c.Exchanges, func(id string) bool { return id != "" && strings.HasPrefix(s.ID, id) })
	}
	if s.op == nil {
		return len(c.Only) == 0
	}
	names := func(pattern string) bool { return MatchesOperation(s.op, pattern) }
	return (len(c.Only) == 0 || slices.ContainsFunc(c.Only, names)) && !slices.ContainsFunc(c.Except, names)
}

// MatchesOperation reports whether a pattern names an operation: "GET /orders", a part of its path as
// "/orders", a method, or "tag:shop".
func MatchesOperation(op *model.Operation, pattern string) bool {
	if tag, ok := strings.CutPrefix(pattern, "tag:"); ok {
		return slices.Contains(op.Tags, tag)
	}
	return string(op.ID) == pattern || op.Method == strings.ToUpper(pattern) ||
		strings.HasPrefix(pattern, "/") && strings.Contains(op.Path, pattern) || op.Name != "" && op.Name == pattern
}

// most returns the wanted number of tests, of as many operations as possible.
func (c *choice) most() []model.Test {
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

// base returns the most frequent prefix of paths to those of the operations.
func (p *recordingIndex) base() string {
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

// operations counts what was recorded of each operation.
func (p *recordingIndex) operations(tests []model.Test) []OperationCount {
	by := map[model.OpID]*OperationCount{}
	shapes := map[string]bool{}
	for _, s := range p.all {
		if s.op == nil {
			continue
		}
		o := by[s.op.ID]
		if o == nil {
			o = &OperationCount{ID: s.op.ID}
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
		by[t.Calls[t.Mock.Call].Op].Chosen++
	}
	var all []OperationCount
	for _, op := range p.spec.Operations {
		if o := by[op.ID]; o != nil {
			all = append(all, *o)
		}
	}
	return all
}

// size returns how many bytes of an exchange were recorded.
func (s *recordedExchange) size() int {
	n := len(s.Request.URL) + len(s.Request.Body) + len(s.Reply.Body)
	for _, o := range s.sent {
		n += o.size()
	}
	return n
}
