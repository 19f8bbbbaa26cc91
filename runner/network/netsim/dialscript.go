package netsim

import (
	"sonde/model"
)

// dialErrnos maps a fault of a host to the error with which dials fail. Faults that do not
// affect dials are missing.
var dialErrnos = map[model.NetFault]string{
	model.NetRefuse:      "ECONNREFUSED",
	model.NetUnreachable: "ENETUNREACH",
	model.NetTimeout:     "ETIMEDOUT",
}

// dialStep is the result of one dial: a fault of a stub's answer, or a connection.
type dialStep struct {
	fault        model.NetFault // "" for a connection
	stub, answer int
}

// dialScript has the results of the first, second, … dial to an endpoint. Further dials have
// the last result, or start over if repeat is set.
type dialScript struct {
	steps  []dialStep
	repeat bool
	at     int // index of the next dial's step
}

// next returns the next step with a fault if failed is true, and otherwise the next step without a fault. It skips
// the steps before that step. If there is no such step, next returns a step whose stub is -1.
func (d *dialScript) next(failed bool) dialStep {
	for range d.steps {
		s := d.steps[d.at]
		d.at++
		if d.at == len(d.steps) {
			d.at--
			if d.repeat {
				d.at = 0
			}
		}
		if (s.fault != "") == failed {
			return s
		}
	}
	return dialStep{stub: -1, answer: -1}
}

// current returns the step of the next dial.
func (d *dialScript) current() dialStep { return d.steps[d.at] }

// single reports whether all dials have the same result.
func (d *dialScript) single() bool { return len(d.steps) == 1 }

// targets returns the steps as fields of a table: the real address of the endpoint, or an error such as
// "!ECONNREFUSED".
func (d *dialScript) targets(real string) []string {
	var all []string
	for _, s := range d.steps {
		if s.fault == "" {
			all = append(all, real)
		} else {
			all = append(all, "!"+dialErrnos[s.fault])
		}
	}
	return all
}

// dialScriptFor returns the results of dials to a host that has these stubs, given by their indexes. If the first
// stub is of raw TCP, tcpDialScript decides. Otherwise the results depend only on the first stub. If the first
// stub answers only some requests, all dials succeed, and its faults come on the open connection. A stub answers only
// some requests if it matches by number, or if it matches by content and the host has other stubs.
func (t *testState) dialScriptFor(stubs []int) *dialScript {
	first := t.stubs[stubs[0]]
	if first.Protocol == model.TCP {
		return t.tcpDialScript(stubs)
	}
	if matchesContent(first.Match) && len(stubs) > 1 || first.Match.Nth != 0 {
		return new(dialScript).connect(stubs[0])
	}
	return t.leadingFaults(stubs[0])
}

// leadingFaults returns the results of dials to a host with a stub: the dial faults with which the stub's script
// begins, and then a connection. If all answers are dial faults, there is no connection in three cases: the script
// repeats, the stub's Else is also a dial fault, or the stub has one answer and no Else.
func (t *testState) leadingFaults(stub int) *dialScript {
	s, d := t.stubs[stub], &dialScript{}
	for i, a := range s.Answers {
		if dialErrnos[a.Fault] == "" {
			return d.connect(stub)
		}
		d.steps = append(d.steps, dialStep{fault: a.Fault, stub: stub, answer: i})
	}
	switch {
	case s.Repeat && len(s.Answers) > 0:
		d.repeat = true
	case s.Else != nil && dialErrnos[s.Else.Fault] != "":
		d.steps = append(d.steps, dialStep{fault: s.Else.Fault, stub: stub, answer: len(s.Answers)})
	case s.Else != nil || len(s.Answers) != 1:
		return d.connect(stub)
	}
	return d
}

func (d *dialScript) connect(stub int) *dialScript {
	d.steps = append(d.steps, dialStep{stub: stub, answer: -1})
	return d
}

// tcpDialScript returns the results of dials to a host with raw TCP, where each connection
// begins the script of its stub anew.
func (t *testState) tcpDialScript(stubs []int) *dialScript {
	last := 0
	for _, i := range stubs {
		last = max(last, t.stubs[i].Match.Nth)
	}
	d := &dialScript{}
	for nth := 1; nth <= min(last, maxAnswers)+1; nth++ {
		d.steps = append(d.steps, t.tcpDialStep(stubs, nth))
	}
	return d
}

func (t *testState) tcpDialStep(stubs []int, nth int) dialStep {
	for _, i := range stubs {
		s := t.stubs[i]
		if !matchesNth(s.Match, nth) {
			continue
		}
		a, index, _ := ScriptedAnswer(s, 0)
		if dialErrnos[a.Fault] != "" && (!matchesData(s.Match) || len(stubs) == 1) {
			return dialStep{fault: a.Fault, stub: i, answer: index}
		}
		return dialStep{stub: i, answer: -1}
	}
	return dialStep{stub: -1, answer: -1}
}
