package vnet

import (
	"sonde/model"
)

// errnos are the errors of dials that a host's faults are.
var errnos = map[model.NetFault]string{
	model.NetRefuse: "ECONNREFUSED", model.NetUnreachable: "ENETUNREACH", model.NetTimeout: "ETIMEDOUT",
}

// step is what comes of one dial: a fault of a stub's answer, or a connection.
type step struct {
	fault        model.NetFault
	stub, answer int
}

// dials are what comes of the dials to an address, one after the other. The last
// stays, but where they begin anew.
type dials struct {
	steps []step
	again bool
	at    int
}

// next is what came of a dial that failed, or did not.
func (d *dials) next(failed bool) step {
	for range d.steps {
		s := d.steps[d.at]
		d.at++
		if d.at == len(d.steps) {
			d.at--
			if d.again {
				d.at = 0
			}
		}
		if (s.fault != "") == failed {
			return s
		}
	}
	return step{stub: -1, answer: -1}
}

// single tells that every dial is alike.
func (d *dials) single() bool { return len(d.steps) == 1 }

// targets are the dials as the table has them.
func (d *dials) targets(real string) []string {
	var all []string
	for _, s := range d.steps {
		if s.fault == "" {
			all = append(all, real)
		} else {
			all = append(all, "!"+errnos[s.fault])
		}
	}
	return all
}

// dialed works out what comes of dials to a host with these stubs. A fault of a stub
// that needs to see what is said, beside others, comes when it is said.
func (t *test) dialed(stubs []int) *dials {
	first := t.stubs[stubs[0]]
	if first.Protocol == model.TCP {
		return t.dialedTCP(stubs)
	}
	if asks(first.Match) && len(stubs) > 1 || first.Match.Nth != 0 {
		return new(dials).connects(stubs[0])
	}
	return t.scripted(stubs[0])
}

// scripted are the faults with which a script begins, and a connection behind them.
func (t *test) scripted(stub int) *dials {
	s, d := t.stubs[stub], &dials{}
	for i, a := range s.Answers {
		if errnos[a.Fault] == "" {
			return d.connects(stub)
		}
		d.steps = append(d.steps, step{fault: a.Fault, stub: stub, answer: i})
	}
	switch {
	case s.Repeat && len(s.Answers) > 0:
		d.again = true
	case s.Else != nil && errnos[s.Else.Fault] != "":
		d.steps = append(d.steps, step{fault: s.Else.Fault, stub: stub, answer: len(s.Answers)})
	case s.Else != nil || len(s.Answers) != 1:
		return d.connects(stub)
	}
	return d
}

func (d *dials) connects(stub int) *dials {
	d.steps = append(d.steps, step{stub: stub, answer: -1})
	return d
}

// dialedTCP asks the stub of each connection how its own script begins.
func (t *test) dialedTCP(stubs []int) *dials {
	last := 0
	for _, i := range stubs {
		last = max(last, t.stubs[i].Match.Nth)
	}
	d := &dials{}
	for nth := 1; nth <= min(last, mostAnswers)+1; nth++ {
		d.steps = append(d.steps, t.beginning(stubs, nth))
	}
	return d
}

func (t *test) beginning(stubs []int, nth int) step {
	for _, i := range stubs {
		s := t.stubs[i]
		if !counts(s.Match, nth) {
			continue
		}
		a, index, _ := Turn(s, 0)
		if errnos[a.Fault] != "" && (!asksBytes(s.Match) || len(stubs) == 1) {
			return step{fault: a.Fault, stub: i, answer: index}
		}
		return step{stub: i, answer: -1}
	}
	return step{stub: -1, answer: -1}
}
