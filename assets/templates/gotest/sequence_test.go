package gotest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// outward is an operation of a host: "POST /charges/{id}", "http" for any, "tcp" or
// "udp".
type outward struct{ host, op string }

func (o outward) String() string { return o.op + " at " + o.host }

// is reports whether an outward call belongs to an operation. A failed attempt belongs to any operation of
// its host.
func (o outward) is(a *ask) bool {
	switch {
	case o.host != a.host:
		return false
	case a.protocol == "refused":
		return true
	case a.protocol != "http" || o.op == "http" || o.op == "tcp" || o.op == "udp":
		return a.protocol == o.op
	}
	return asking(o.op)[0](message{request: a.request})
}

func (a *ask) String() string {
	switch a.protocol {
	case "http":
		return excerpt([]byte(a.request.Method+" "+a.request.URL.EscapedPath())) + " at " + a.host
	case "refused":
		return "a try to reach " + excerpt([]byte(a.host))
	}
	return a.protocol + " at " + a.host
}

// steps are outward calls: steps come in order, and the calls of one step in any order.
type steps [][]outward

// to is one outward call.
func to(host, op string) steps { return steps{{{host, op}}} }

// times repeats steps.
func times(n int, what steps) steps {
	var all steps
	for i := 0; i < n; i++ {
		all = append(all, what...)
	}
	return all
}

// anyOrder joins several steps to one.
func anyOrder(all ...steps) steps {
	var one []outward
	for _, s := range all {
		for _, step := range s {
			one = append(one, step...)
		}
	}
	return steps{one}
}

// wantCalls fails unless the call under test made these outward calls, in this order and no
// others. Their contents do not matter.
func (h *hosts) wantCalls(all ...steps) {
	l := asked
	l.t.Helper()
	l.await(func() bool { return false })
	var want steps
	for _, s := range all {
		want = append(want, s...)
	}
	got := l.since()
	pairs := paired(want, got)
	for i, p := range pairs {
		if p.differs() {
			l.tellSequence(pairs, i, want, got)
			return
		}
	}
}

// pair is a wanted outward call and an actual one, nil for none.
type pair struct {
	want *outward
	got  *ask
}

func (p pair) differs() bool { return p.want == nil || p.got == nil || !p.want.is(p.got) }

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

// paired pairs wanted and actual calls.
func paired(want steps, got []*ask) []pair {
	var all []pair
	for _, step := range want {
		n := len(step)
		if n > len(got) {
			n = len(got)
		}
		all = append(all, matched(step, got[:n])...)
		got = got[n:]
	}
	for _, a := range got {
		all = append(all, pair{nil, a})
	}
	return all
}

// matched pairs the calls of a step with as many actual ones as possible.
func matched(step []outward, asks []*ask) []pair {
	partner := map[int]int{} // the index of a wanted call, by that of its actual call
	for i := range step {
		match(step, asks, i, partner, map[int]bool{})
	}
	all := make([]pair, len(step))
	var rest []*ask
	for i := range step {
		all[i].want = &step[i]
	}
	for j, a := range asks {
		if i, ok := partner[j]; ok {
			all[i].got = a
		} else {
			rest = append(rest, a)
		}
	}
	for i := range all {
		if all[i].got == nil && len(rest) > 0 {
			all[i].got, rest = rest[0], rest[1:]
		}
	}
	return all
}

// match finds an actual call for wanted call i. To make room, it may give other wanted calls another actual
// call.
func match(step []outward, asks []*ask, i int, partner map[int]int, tried map[int]bool) bool {
	for j, a := range asks {
		if tried[j] || !step[i].is(a) {
			continue
		}
		tried[j] = true
		if other, taken := partner[j]; !taken || match(step, asks, other, partner, tried) {
			partner[j] = i
			return true
		}
	}
	return false
}

// tellSequence logs the wanted and actual outward calls, with a mark at the first difference, and reports this
// difference.
func (l *ledger) tellSequence(pairs []pair, first int, want steps, got []*ask) {
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
	gotJSON, _ := json.Marshal(listed(got))
	l.t.Logf("the outward calls that were recorded, and what came:%s", text)
	l.differ("co", first, "", []difference{{
		In:   "calls",
		Name: fmt.Sprint(first + 1),
		Want: wantJSON,
		Got:  gotJSON,
		What: fmt.Sprintf("outward call %d: %s", first+1, pairs[first]),
	}})
}
