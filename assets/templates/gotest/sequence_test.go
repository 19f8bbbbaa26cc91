package gotest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// hostOperation is an operation of a host: "POST /charges/{id}", "http" for any request, "tcp", "udp", or an operation
// of a database, such as "redis GET".
type hostOperation struct{ host, op string }

func (o hostOperation) String() string { return o.op + " at " + o.host }

// matches reports whether an outward call belongs to an operation. A failed attempt belongs to any operation of
// its host.
func (o hostOperation) matches(call *outwardCall) bool {
	switch {
	case o.host != call.host:
		return false
	case call.protocol == "refused":
		return true
	case call.protocol != "http" || !strings.Contains(o.op, "/"):
		return o.op == call.protocol || call.command != "" && o.op == call.protocol+" "+call.command
	}
	return requestConditions(o.op)[0](message{request: call.request})
}

func (c *outwardCall) String() string {
	switch c.protocol {
	case "http":
		return excerpt([]byte(c.request.Method+" "+c.request.URL.EscapedPath())) + " at " + c.host
	case "refused":
		return "an attempt to reach " + excerpt([]byte(c.host))
	}
	if c.command != "" {
		return c.protocol + " " + excerpt([]byte(c.command)) + " at " + c.host
	}
	return c.protocol + " at " + c.host
}

// steps are the outward calls that a test wants. The steps come in this order; the calls of one step come in any
// order.
type steps [][]hostOperation

// to returns a step with one outward call.
func to(host, op string) steps { return steps{{{host, op}}} }

// times repeats steps.
func times(n int, s steps) steps {
	var all steps
	for i := 0; i < n; i++ {
		all = append(all, s...)
	}
	return all
}

// anyOrder joins several steps to one step, whose calls may come in any order.
func anyOrder(all ...steps) steps {
	var one []hostOperation
	for _, s := range all {
		for _, step := range s {
			one = append(one, step...)
		}
	}
	return steps{one}
}

// wantCalls fails the test unless the call under test made these outward calls in this order, and no others. The
// contents of the calls do not matter.
func (h *hosts) wantCalls(all ...steps) {
	l := currentLog
	l.t.Helper()
	l.await(func() bool { return false })
	var want steps
	for _, s := range all {
		want = append(want, s...)
	}
	got := withoutSurplus(want, l.callsUnderTest())
	pairs := pairCalls(want, got)
	for i, p := range pairs {
		if p.differs() {
			l.reportSequence(pairs, i, want, got)
			return
		}
	}
}

// withoutSurplus returns the calls that count: it leaves out the calls that a background stub fits, unless the test
// wants them.
func withoutSurplus(want steps, got []*outwardCall) []*outwardCall {
	var left []*outwardCall
	for _, step := range want {
		for n := len(step); n > 0 && len(got) > 0; got = got[1:] {
			if !got[0].mayBeNone || isWanted(step, got[0]) {
				left = append(left, got[0])
				n--
			}
		}
	}
	for _, call := range got {
		if !call.mayBeNone {
			left = append(left, call)
		}
	}
	return left
}

func isWanted(step []hostOperation, call *outwardCall) bool {
	for _, o := range step {
		if o.matches(call) {
			return true
		}
	}
	return false
}

// pair is a wanted outward call and the actual call in its place. Either may be nil.
type pair struct {
	want *hostOperation
	got  *outwardCall
}

func (p pair) differs() bool { return p.want == nil || p.got == nil || !p.want.matches(p.got) }

func (p pair) String() string {
	want, got := "nothing", "nothing"
	if p.want != nil {
		want = p.want.String()
	}
	if p.got != nil {
		got = p.got.String()
	}
	if !p.differs() {
		return got
	}
	return "want " + want + ", got " + got
}

// pairCalls pairs wanted and actual calls.
func pairCalls(want steps, got []*outwardCall) []pair {
	var all []pair
	for _, step := range want {
		n := len(step)
		if n > len(got) {
			n = len(got)
		}
		all = append(all, pairStep(step, got[:n])...)
		got = got[n:]
	}
	for _, call := range got {
		all = append(all, pair{nil, call})
	}
	return all
}

// pairStep pairs the wanted calls of a step with actual calls, so that as many pairs as possible match.
func pairStep(step []hostOperation, calls []*outwardCall) []pair {
	partner := map[int]int{} // key: index of an actual call; value: index of its wanted call
	for i := range step {
		findPartner(step, calls, i, partner, map[int]bool{})
	}
	all := make([]pair, len(step))
	var unpaired []*outwardCall
	for i := range step {
		all[i].want = &step[i]
	}
	for j, call := range calls {
		if i, ok := partner[j]; ok {
			all[i].got = call
		} else {
			unpaired = append(unpaired, call)
		}
	}
	for i := range all {
		if all[i].got == nil && len(unpaired) > 0 {
			all[i].got, unpaired = unpaired[0], unpaired[1:]
		}
	}
	return all
}

// findPartner finds an actual call for the wanted call i. If another wanted call has that actual call, findPartner
// may find a different one for the other wanted call. It returns false if there is no way.
func findPartner(step []hostOperation, calls []*outwardCall, i int, partner map[int]int, tried map[int]bool) bool {
	for j, call := range calls {
		if tried[j] || !step[i].matches(call) {
			continue
		}
		tried[j] = true
		if other, taken := partner[j]; !taken || findPartner(step, calls, other, partner, tried) {
			partner[j] = i
			return true
		}
	}
	return false
}

// reportSequence fails the test, and logs the wanted and actual outward calls with a mark at the first difference.
func (l *outwardLog) reportSequence(pairs []pair, first int, want steps, got []*outwardCall) {
	l.t.Helper()
	text := ""
	for i, p := range pairs {
		mark := " "
		if i == first {
			mark = "✗"
		}
		text += fmt.Sprintf("\n\t%s %d. %s", mark, i+1, p)
	}
	var wanted []string
	for _, step := range want {
		var one []string
		for _, o := range step {
			one = append(one, o.String())
		}
		wanted = append(wanted, strings.Join(one, " and "))
	}
	wantJSON, _ := json.Marshal(append([]string{}, wanted...))
	gotJSON, _ := json.Marshal(callTexts(got))
	l.t.Logf("the recorded outward calls, and those of this test:%s", text)
	l.reportDifferences("co", first, "", []difference{{
		In:   "calls",
		Name: fmt.Sprint(first + 1),
		Want: wantJSON,
		Got:  gotJSON,
		What: fmt.Sprintf("outward call %d: %s", first+1, pairs[first]),
	}})
}
