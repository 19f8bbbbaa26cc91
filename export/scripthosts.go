package export

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sonde/model"
)

// Play says how the tests of a script start the service, and which hosts around it their servers play.
type Play struct {
	// Service is the program that the tests start, unless the environment names a running one; nil if the service must
	// be running. Its Dir is relative to the folder of the tests, and {HOST:PORT} in its Command and Env is replaced by the
	// address of the server that plays the host.
	Service *model.Service
	BaseURL string // the URL of Service, with model.PortPlaceholder
	// Servers are the hosts that servers of the tests play, as in a stub.
	Servers []string
	// Permanent are the stubs that answer in all tests.
	Permanent []HostStub
	// Restart says that the service is started again before each test. ResetCommand is the command that resets it
	// instead; nil for none.
	Restart      bool
	ResetCommand []string
	// Restores is the reset by snapshots of the service's state, with paths relative to the folder of the tests; nil
	// for none. Each test restores Mimicked.Snapshot.
	Restores *model.Reset
}

// Resets reports whether the service is brought back to an earlier state without a request.
func (p *Play) Resets() bool {
	return p != nil && (p.Restart || len(p.ResetCommand) > 0 || p.Restores != nil)
}

// merged returns how the tests of two files of a folder play hosts. The settings of other come before those of p.
func (p *Play) merged(other *Play) *Play {
	if p == nil || other == nil {
		return cmp.Or(p, other)
	}
	all := *other
	for _, host := range p.Servers {
		if !slices.Contains(all.Servers, host) {
			all.Servers = append(slices.Clip(all.Servers), host)
		}
	}
	if all.Service != nil && p.Service != nil {
		own := cloneStart(all.Service)
		for _, host := range p.Servers {
			replaceHost(&own, host)
		}
		all.Service = &own
	}
	return &all
}

// HostStub is a stub for a host that a server of the tests plays by HTTP.
type HostStub struct {
	Host    string
	Request string // the method and the path of the requests that it answers, "" for all
	Rules   []HelperCall
}

// Mimicked is the part of a TestCase that is a recorded exchange.
type Mimicked struct {
	// About are comment lines on the recorded exchange and the oracles.
	About   []string
	Oracles []model.MockOracle
	// Snapshot is the name of the snapshot with which the test begins, "" for none.
	Snapshot string
	// Before is the number of outward calls before the call under test, and Within the number of those during it.
	Before, Within int
	// Await is the maximum time in milliseconds to wait for background stubs of the test; see model.MockTest.
	Await int
	// Output are the assertions on the answer other than the status.
	Output []HelperCall
	// Asked are the assertions of the parameter oracle.
	Asked []AskedCall
	// Calls are the expected outward calls in their order, if HasCalls is set.
	Calls    []HelperCall
	HasCalls bool
}

// AskedCall is an expected outward call with its parameters.
type AskedCall struct {
	Host, Operation string
	Params          []HelperCall
}

// PlayingScript returns the suite's script for a format whose tests start the service and play hosts by HTTP servers.
// whyNot returns the reason why such a server cannot give the answers of a stub, "" if it can. Cases that cannot be
// played have a reason in Unplayable. If the suite has a virtual network, or neither hosts on loopback nor recorded
// tests, PlayingScript returns the result of Script.
func (s Suite) PlayingScript(logins LoginMode, whyNot func(model.Stub) string) (Script, error) {
	if s.hosts().virtual() || !s.hosts().onLoopback() && !s.hasMocks() {
		return s.Script(logins)
	}
	out := hostPlayer{suite: s, whyNot: whyNot, reasons: map[string]string{}, bodies: &bodyFiles{inScript: true}}
	out.judge()
	return s.script(logins, &out)
}

// hostPlayer makes the parts of a script that play hosts.
type hostPlayer struct {
	suite   Suite
	whyNot  func(model.Stub) string
	reasons map[string]string // key: ID of a test; value: the reason why it cannot be played, "" if it can
	bodies  *bodyFiles
}

// judge sets the reasons why tests cannot be played.
func (p *hostPlayer) judge() {
	h := p.suite.hosts()
	always := ""
	for _, stub := range h.permanent() {
		if why := p.whyUnplayed(h, stub); why != "" {
			always = cmp.Or(always, why+"; the service calls it at its start or by a timer")
		}
	}
	for _, t := range p.suite.Tests {
		why := always
		if t.Mock != nil && t.Mock.Snapshot != "" && p.suite.Service == nil {
			why = "only Go tests restore snapshots of a service that they do not start"
		}
		for _, stub := range t.Stubs {
			why = cmp.Or(why, p.whyUnplayed(h, stub))
		}
		p.reasons[t.ID] = why
	}
}

// whyUnplayed returns the reason why no server of the tests can play a stub, "" if one can.
func (p *hostPlayer) whyUnplayed(h hostSetup, stub model.Stub) string {
	if stub.Protocol == model.Environment {
		return fmt.Sprintf("only Go tests play the service's environment, here the resource %s", remark(stub.Host, 60))
	}
	if stub.Inward || stub.Protocol != model.HTTP {
		return fmt.Sprintf("only Go tests play %s, which %s speaks", strings.ToUpper(string(stub.Protocol)), remark(stub.Host, 60))
	}
	if h.service != nil {
		if err := h.checkLoopback(stub); err != nil {
			return err.Error()
		}
	}
	if !allUTF8(stubWriter{stub}.rules()) {
		return fmt.Sprintf("only Go tests compare and send bytes outside of bodies that are not UTF-8, as for %.60q", stub.Host)
	}
	return p.whyNot(stub)
}

// allUTF8 reports whether the arguments of rules are UTF-8, except for bodies.
func allUTF8(rules []HelperCall) bool {
	return !slices.ContainsFunc(rules, func(c HelperCall) bool {
		return slices.ContainsFunc(c.Args, func(a HelperArg) bool {
			return a.Kind == ArgCall && !allUTF8([]HelperCall{*a.Call}) || a.Kind != ArgBody && !utf8.ValidString(a.Text)
		})
	})
}

// playable returns the suite with only the tests that can be played.
func (p *hostPlayer) playable() Suite {
	s := p.suite
	s.Tests = slices.DeleteFunc(slices.Clone(s.Tests), func(t model.Test) bool { return p.reasons[t.ID] != "" })
	return s
}

// check returns an error if the tests that can be played are inconsistent.
func (p *hostPlayer) check() error {
	err := p.playable().check()
	if errors.Is(err, ErrEmpty) && p.suite.hasRunTests() {
		return nil // the format reports why no test is left
	}
	return err
}

// play returns how the tests start the service and play hosts.
func (p *hostPlayer) play() *Play {
	s := p.playable()
	h := s.hosts()
	out := &Play{Service: s.Service}
	for _, stub := range h.firstStubs() {
		out.Servers = append(out.Servers, stub.Host)
	}
	for _, stub := range h.permanent() {
		out.Permanent = append(out.Permanent, p.stub(stub))
	}
	if s.Service == nil {
		return out
	}
	switch {
	case s.Reset != nil && s.Reset.Snapshots != "":
		out.Restores = s.Reset
	case s.Reset != nil:
		out.Restart, out.ResetCommand = s.Reset.Restart, s.Reset.Command
	}
	own := cloneStart(s.Service)
	for _, host := range out.Servers {
		replaceHost(&own, host)
	}
	own.Dir, own.Stop.Signal = s.Dir, signal(own.Stop.Signal)
	out.Service = &own
	out.BaseURL = cmp.Or(urlUser.ReplaceAllString(s.BaseURL, "//"), "http://127.0.0.1:"+model.PortPlaceholder)
	return out
}

// stub returns a stub for a script.
func (p *hostPlayer) stub(stub model.Stub) HostStub {
	w := stubWriter{stub}
	out := HostStub{Host: stub.Host, Request: w.request(), Rules: w.rules()}
	for i := range out.Rules {
		p.moveBodies(&out.Rules[i])
	}
	return out
}

// moveBodies moves large bodies of requests and answers into files, because a literal in Java has a maximum size.
func (p *hostPlayer) moveBodies(c *HelperCall) {
	for i := range c.Args {
		a := &c.Args[i]
		switch {
		case a.Kind == ArgCall:
			p.moveBodies(a.Call)
		case (a.Kind == ArgBody || a.Kind == ArgJSON) && isLargeLiteral(a.Kind, a.Text):
			a.Kind, a.Text = ArgFile, p.bodies.add([]byte(a.Text), "bin")
		}
	}
}

// mimicked returns the part of a case that is a recorded exchange. linked returns the value of a link.
func (p *hostPlayer) mimicked(f *function, linked func(*model.Link) HelperArg) *Mimicked {
	m := f.test.Mock
	out := &Mimicked{About: commentLines(f.aboutComment()), Oracles: f.oracles, Snapshot: m.Snapshot}
	if f.hosts {
		out.Before, out.Within, out.Await = m.Before, len(m.ExpectedCalls), m.Await
	}
	x := expectations{p.bodies}
	if f.has(model.OutputOracle) {
		output := slices.DeleteFunc(slices.Clone(m.Output), func(e model.Expectation) bool { return e.In == model.InTrailer })
		out.Output = x.calls(output, outputVerbs)
		if len(output) < len(m.Output) {
			out.About = append(out.About, "The trailers of the answer are not compared: only Go tests read them.")
		}
	}
	if f.has(model.ParameterOracle) {
		for _, w := range m.ExpectedCalls {
			s := stubWriter{f.test.Stubs[w.Stub]}
			out.Asked = append(out.Asked, AskedCall{s.Host, s.operation(), x.calls(w.Params, paramVerbs)})
		}
	}
	if f.has(model.CallOracle) {
		out.Calls, out.HasCalls = callSteps(f.test), true
	}
	resolve(out.Output, linked)
	for _, a := range out.Asked {
		resolve(a.Params, linked)
	}
	return out
}

// resolve replaces the arguments that are links by their values.
func resolve(all []HelperCall, linked func(*model.Link) HelperArg) {
	for i := range all {
		for k, a := range all[i].Args {
			switch a.Kind {
			case ArgValue:
				all[i].Args[k] = linked(a.link)
			case ArgCall:
				inner := []HelperCall{*a.Call}
				resolve(inner, linked)
				all[i].Args[k].Call = &inner[0]
			}
		}
	}
}

// commentLines returns the lines of Go comments without their marks.
func commentLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(strings.TrimPrefix(lines[i], "//"))
	}
	return lines
}
