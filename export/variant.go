package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// variant is a function that a test becomes: of one that mimics a recorded exchange
// there may be one for each oracle.
type variant struct {
	name    string
	oracles []model.Oracle // none of a test that mimics nothing
	hosts   bool           // there are some, which note what they are asked
}

// mimics reports whether tests mimic recorded exchanges.
func (s Suite) mimics() bool {
	return slices.ContainsFunc(s.Tests, func(t model.Test) bool { return t.Mock != nil && last(t) >= 0 })
}

// oraclesOf returns those that have something to say of a test.
func (s Suite) oraclesOf(t model.Test) []model.Oracle {
	all := s.Oracles
	if len(all) == 0 {
		all = model.MockOracles
	}
	hosts := s.virtual() || s.local()
	return slices.DeleteFunc(slices.Clone(all), func(o model.Oracle) bool {
		switch o {
		case model.ParameterOracle:
			return !hosts || len(t.Mock.ExpectedCalls) == 0
		case model.CallOracle:
			return !hosts || t.Mock.Uncertain
		}
		return false
	})
}

// variants returns the functions of a test.
func (s Suite) variants(t model.Test, used names) []variant {
	if t.Mock == nil {
		return []variant{{name: used.test(t)}}
	}
	oracles, hosts := s.oraclesOf(t), s.virtual() || s.local()
	if len(oracles) == 0 {
		return nil
	}
	name := used.mimic(t)
	if s.Together {
		return []variant{{name: name, oracles: oracles, hosts: hosts}}
	}
	var all []variant
	for _, o := range oracles {
		all = append(all, variant{name: name + "_" + strings.ToUpper(string(o)), oracles: []model.Oracle{o}, hosts: hosts})
	}
	return all
}

// mimic returns what the call under test does and how it ends: PayOrder_201.
func (n names) mimic(t model.Test) string {
	if name := calledBy(t); name != "" {
		return n.free(name, "_")
	}
	c := t.Calls[t.Mock.Call]
	return n.free(fmt.Sprintf("Test%s_%d%s", describe(c.Op).name(1), c.Status, whenName(t)), "_")
}

// has reports whether the variant has an oracle.
func (v variant) has(o model.Oracle) bool { return slices.Contains(v.oracles, o) }

// links returns those by which the variant's oracles compare.
func (v variant) links(t model.Test) []*model.Link {
	var all []*model.Link
	add := func(expected []model.Expectation) {
		for _, e := range expected {
			if e.Comparison == model.CompareLinked {
				all = append(all, e.Link)
			}
		}
	}
	if v.has(model.OutputOracle) {
		add(t.Mock.Output)
	}
	if v.has(model.ParameterOracle) {
		for _, w := range t.Mock.ExpectedCalls {
			add(w.Params)
		}
	}
	return all
}

// isTested reports whether a call is what the test is about.
func (f *function) isTested(i int) bool { return len(f.oracles) > 0 && i == f.test.Mock.Call }

// judging says what the oracles judge.
var judging = map[model.Oracle]string{
	model.OutputOracle:    "The output oracle: the answer is the recorded one.",
	model.ParameterOracle: "The parameter oracle: each outward call has the recorded parameters, at least once.",
	model.CallOracle:      "The call oracle: the outward calls come in the recorded order and number.",
}

// aboutComment says what a test mimics, and what it judges.
func (f *function) aboutComment() string {
	if len(f.oracles) == 0 {
		return ""
	}
	text := ""
	if about := remark(f.test.Mock.About, 400); about != "" {
		text = "//\n// It mimics " + about + ".\n"
	}
	for i, o := range f.oracles {
		if i == 0 {
			text += "//\n"
		}
		text += "// " + judging[o] + "\n"
	}
	return text
}

// start returns what the function begins with.
func (f *function) start() string {
	if len(f.oracles) == 0 {
		return f.first
	}
	lines := []string{"// Arrange"}
	if f.first != "" {
		lines = append(lines, f.first)
	}
	return strings.Join(append(lines, f.begin()), "\n\t")
}

// begin returns the statement that says what the test mimics.
func (f *function) begin() string {
	m := f.test.Mock
	var names []string
	for _, o := range f.oracles {
		names = append(names, string(o))
	}
	what := "recorded{id: " + quoted(f.test.ID) + ", oracles: " + quoted(strings.Join(names, " "))
	if m.Before > 0 && f.hosts {
		what += fmt.Sprintf(", before: %d", m.Before)
	}
	if len(m.ExpectedCalls) > 0 && f.hosts {
		what += fmt.Sprintf(", within: %d", len(m.ExpectedCalls))
	}
	if f.hosts {
		return "network.mimics(t, " + what + "})"
	}
	return "mimics(t, " + what + "})"
}

// act returns the call under test, and what is wanted of it.
func (f *function) act() (act, assert string) {
	i := f.test.Mock.Call
	c, s := f.test.Calls[i], f.shots[i]
	s.tested = true
	act, lines := "// Act\n\t"+s.call(), []string{"// Assert"}
	if f.has(model.OutputOracle) {
		reply := f.local(describe(c.Op).subject(), "reply")
		of := f.output(reply, c.Status)
		if strings.HasPrefix(of[len(of)-1], reply+".") { // else nothing is wanted of it
			act = "// Act\n\t" + reply + " := " + s.call()
		}
		lines = append(lines, of...)
	}
	if f.has(model.ParameterOracle) {
		for _, w := range f.test.Mock.ExpectedCalls {
			lines = append(lines, f.parameters(w))
		}
	}
	if f.has(model.CallOracle) {
		lines = append(lines, f.sequence())
	}
	return act, strings.Join(lines, "\n\t")
}

// sequence returns the call oracle.
func (f *function) sequence() string {
	wanted := slices.Clone(f.test.Mock.ExpectedCalls)
	slices.SortStableFunc(wanted, func(a, b model.ExpectedCall) int { return cmp.Compare(a.Phase, b.Phase) })
	var steps []string
	for len(wanted) > 0 {
		n := slices.IndexFunc(wanted, func(w model.ExpectedCall) bool { return w.Phase != wanted[0].Phase })
		if n < 0 {
			n = len(wanted)
		}
		steps = append(steps, f.step(wanted[:n]))
		wanted = wanted[n:]
	}
	all := counted(steps)
	if line := "network.wantCalls(" + strings.Join(all, ", ") + ")"; len(line) <= lineWidth {
		return line
	}
	return "network.wantCalls(\n\t\t" + strings.Join(all, ",\n\t\t") + ",\n\t)"
}

// step are calls that come in any order.
func (f *function) step(wanted []model.ExpectedCall) string {
	var all []string
	for _, w := range wanted {
		s := stubWriter{f.test.Stubs[w.Stub]}
		all = append(all, "to("+quoted(s.Host)+", "+quoted(s.operation())+")")
	}
	if len(all) == 1 {
		return all[0]
	}
	return "anyOrder(" + strings.Join(all, ", ") + ")"
}

// counted says of steps that come again and again how often they do.
func counted(steps []string) []string {
	var all []string
	for i := 0; i < len(steps); {
		n := 1
		for i+n < len(steps) && steps[i+n] == steps[i] {
			n++
		}
		if n == 1 {
			all = append(all, steps[i])
		} else {
			all = append(all, fmt.Sprintf("times(%d, %s)", n, steps[i]))
		}
		i += n
	}
	return all
}

// operation returns what a stub answers: "POST /charges/{id}", "http", "tcp" or "udp".
func (w stubWriter) operation() string {
	if w.Protocol == model.HTTP && w.request() != "" {
		return w.request()
	}
	return string(w.Protocol)
}
