package export

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// variant describes one Go function of a test. A test of a recorded exchange may have a variant for each
// oracle.
type variant struct {
	name    string
	oracles []model.MockOracle // nil for a test without a Mock
	hosts   bool               // the tests play hosts, which record their requests
}

// oracleSetup says how tests of recorded exchanges become test functions.
type oracleSetup struct {
	chosen   []model.MockOracle // nil for all
	combined bool               // one function has all oracles
	hosts    bool               // the tests play hosts around the service
}

// of returns the oracles that apply to a test.
func (s oracleSetup) of(t model.Test) []model.MockOracle {
	all := s.chosen
	if len(all) == 0 {
		all = model.MockOracles
	}
	return slices.DeleteFunc(slices.Clone(all), func(o model.MockOracle) bool {
		return !t.Mock.HasOracle(o) || !s.hosts && o != model.OutputOracle
	})
}

// variants returns the variants of a test. It adds their names to used.
func (s oracleSetup) variants(t model.Test, used names) []variant {
	if t.Mock == nil {
		return []variant{{name: used.test(t)}}
	}
	oracles := s.of(t)
	if len(oracles) == 0 {
		return nil
	}
	name := used.mockTest(t)
	if s.combined {
		return []variant{{name: name, oracles: oracles, hosts: s.hosts}}
	}
	var all []variant
	for _, o := range oracles {
		all = append(all, variant{name: name + "_" + strings.ToUpper(string(o)), oracles: []model.MockOracle{o}, hosts: s.hosts})
	}
	return all
}

// mockTest returns a name for a test of a recorded exchange: the name that the user gave it, or else the action of
// the call under test and its status, as in PayOrder_201.
func (n names) mockTest(t model.Test) string {
	if name := givenName(t); name != "" {
		return n.unused(name, "_")
	}
	c := t.Calls[t.Mock.Call]
	return n.unused(fmt.Sprintf("Test%s_%d%s", describe(c.Op).name(1), c.Status, whenName(t)), "_")
}

// NameMocks gives a name to each test of a recorded exchange that has none: the name that its function would get in a
// file with all the tests. The test then has the same name in each file, even if the file has only some of the tests.
func NameMocks(tests []model.Test) {
	used := names{}
	for i, t := range tests {
		if t.Mock != nil && hasRun(t) {
			tests[i].Name = strings.TrimPrefix(used.mockTest(t), "Test")
		}
	}
}

// has reports whether the variant has an oracle.
func (v variant) has(o model.MockOracle) bool { return slices.Contains(v.oracles, o) }

// links returns the links to values with which the variant's oracles compare.
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

// isTested reports whether call i is the call under test.
func (f *function) isTested(i int) bool { return len(f.oracles) > 0 && i == f.test.Mock.Call }

// oracleComments describe the assertions of each oracle.
var oracleComments = map[model.MockOracle]string{
	model.OutputOracle:    "The output oracle: the answer is the recorded one.",
	model.ParameterOracle: "The parameter oracle: each outward call has the recorded parameters, at least once.",
	model.CallOracle:      "The call oracle: the outward calls come in the recorded order and number.",
}

// aboutComment returns the comment on the recorded exchange and on the assertions of the test, "" for a
// test without a Mock.
func (f *function) aboutComment() string {
	if len(f.oracles) == 0 {
		return ""
	}
	text := ""
	if about := remark(f.test.Mock.About, 400); about != "" {
		text = "//\n// It replays " + about + ".\n"
	}
	for i, o := range f.oracles {
		if i == 0 {
			text += "//\n"
		}
		text += "// " + oracleComments[o] + "\n"
	}
	return text
}

// start returns the statements with which the function begins.
func (f *function) start() string {
	if len(f.oracles) == 0 {
		return f.firstCall
	}
	lines := []string{"// Arrange"}
	if f.firstCall != "" {
		lines = append(lines, f.firstCall)
	}
	return strings.Join(append(lines, f.begin()), "\n\t")
}

// begin returns the statement that declares the recorded exchange.
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
	if m.Await > 0 && f.hosts {
		what += ", background: " + duration(time.Duration(m.Await)*time.Millisecond)
	}
	if f.hosts {
		return "network.mimics(t, " + what + "})"
	}
	return "mimics(t, " + what + "})"
}

// act returns the call under test and the assertions of the oracles.
func (f *function) act() (act, assert string) {
	i := f.test.Mock.Call
	c, s := f.test.Calls[i], f.calls[i]
	s.underTest = true
	act, lines := "// Act\n\t"+s.call(), []string{"// Assert"}
	if f.has(model.OutputOracle) {
		reply := f.local(describe(c.Op).subject(), "reply")
		of := f.output(reply, c.Status)
		if strings.HasPrefix(of[len(of)-1], reply+".") { // otherwise no assertion uses the answer
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

// sequence returns the assertion of the call oracle: the outward calls that the test must make, in steps.
func (f *function) sequence() string {
	var all []string
	for _, step := range callSteps(f.test) {
		all = append(all, goWriter{}.call(step, 1))
	}
	if line := "network.wantCalls(" + strings.Join(all, ", ") + ")"; len(line) <= lineWidth {
		return line
	}
	return "network.wantCalls(\n\t\t" + strings.Join(all, ",\n\t\t") + ",\n\t)"
}

// callSteps returns the outward calls of a test in their order. Equal consecutive calls are one step.
func callSteps(t model.Test) []HelperCall {
	wanted := slices.Clone(t.Mock.ExpectedCalls)
	slices.SortStableFunc(wanted, func(a, b model.ExpectedCall) int { return cmp.Compare(a.Phase, b.Phase) })
	var steps []HelperCall
	for len(wanted) > 0 {
		n := slices.IndexFunc(wanted, func(w model.ExpectedCall) bool { return w.Phase != wanted[0].Phase })
		if n < 0 {
			n = len(wanted)
		}
		steps = append(steps, callStep(t, wanted[:n]))
		wanted = wanted[n:]
	}
	return counted(steps)
}

// callStep returns outward calls that may come in any order.
func callStep(t model.Test, wanted []model.ExpectedCall) HelperCall {
	var all []HelperCall
	for _, w := range wanted {
		s := stubWriter{t.Stubs[w.Stub]}
		all = append(all, helperCall("to", s.Host, s.operation()))
	}
	if len(all) == 1 {
		return all[0]
	}
	return helperCall("anyOrder").withCalls(all...)
}

// counted replaces equal consecutive steps by one step with a count.
func counted(steps []HelperCall) []HelperCall {
	var all []HelperCall
	for i := 0; i < len(steps); {
		n := 1
		for i+n < len(steps) && reflect.DeepEqual(steps[i+n], steps[i]) {
			n++
		}
		if n == 1 {
			all = append(all, steps[i])
		} else {
			all = append(all, helperCall("times").with(ArgNumber, strconv.Itoa(n)).withCalls(steps[i]))
		}
		i += n
	}
	return all
}

// operation returns a name for the requests that a stub answers: the method and path of HTTP, such as
// "POST /charges/{id}", or the protocol and command of a database, such as "redis GET". If neither is known, the name
// is the protocol, such as "udp".
func (w stubWriter) operation() string {
	if w.Protocol == model.HTTP && w.request() != "" {
		return w.request()
	}
	if command := w.Match.Command(); w.Protocol.IsDatabase() && command != "" {
		return string(w.Protocol) + " " + command
	}
	return string(w.Protocol)
}
