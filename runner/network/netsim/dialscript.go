package netsim

import (
	"sonde/model"
)

// dialErrnos are the errors with which dials fail, by the fault of a host.
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

// dialScript holds the results of the dials to an endpoint, one after the other. The last
// one stays, unless they repeat.
type dialScript struct {
	steps  []dialStep
	repeat bool
	at     int
}

// next returns the next step that failed, or that did not, and skips those before it.
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

// current is the step of the next dial.
func (d *dialScript) current() dialStep { return d.steps[d.at] }

// single reports whether all dials have the same result.
func (d *dialScript) single() bool { return len(d.steps) == 1 }

// targets are the steps as the table has them, of an endpoint that really is elsewhere.
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

// dialScriptFor works out the results of dials to a host with these stubs. If a stub
// first needs to see what the service sends, and is not the only one, its fault comes
// after the connection is open.
func (t *test) dialScriptFor(stubs []int) *dialScript {
	first := t.stubs[stubs[0]]
	if first.Protocol == model.TCP {
		return t.tcpDialScript(stubs)
	}
	if matchesContent(first.Match) && len(stubs) > 1 || first.Match.Nth != 0 {
		return new(dialScript).connect(stubs[0])
	}
	return t.leadingFaults(stubs[0])
}

// leadingFaults are the faults with which a script begins, and then a connection.
func (t *test) leadingFaults(stub int) *dialScript {
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

// tcpDialScript asks the stub of each connection how its script begins.
func (t *test) tcpDialScript(stubs []int) *dialScript {
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

func (t *test) tcpDialStep(stubs []int, nth int) dialStep {
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
