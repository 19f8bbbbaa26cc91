package individual

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// Negative tests of all operations play each violation once. Operations take turns, and the calls before the target create
// what it needs, unless the violation is in the id itself.
func TestNegativeTestsPlayEachViolationOnce(t *testing.T) {
	p, r := shelf(model.Sampling{}), chance(1)
	var first []model.OpID
	played := map[string]int{}
	hostileID := 0
	for n := 0; ; n++ {
		ind := p.NegativeTest(r)
		if ind == nil {
			break
		}
		if n > 1000 {
			t.Fatal("negative tests do not end")
		}
		test := ind.Test()
		if !ind.IsNegative() || !ind.IsSweep() || len(test.Calls) > negativeCalls+1 {
			t.Fatalf("test %d has %d calls", n, len(test.Calls))
		}
		if n < 4 {
			first = append(first, ind.Target())
		}
		for i, c := range test.Calls {
			if c.Op != ind.Target() {
				continue
			}
			played[fmt.Sprint(c.Op, " ", ind.calls[i].violation.key())]++
			linked := slices.ContainsFunc(test.Links, func(l model.Link) bool { return l.To == i && l.Name == "id" })
			inID := ind.calls[i].violation.name == "id"
			if strings.HasPrefix(string(c.Op), "POST /things/{id}") && linked == inID {
				t.Fatalf("call %d with the violation %+v, linked %t", i, ind.calls[i].violation, linked)
			}
			if inID && strings.Contains(c.Args[0].Value, "\x00") {
				hostileID++
			}
		}
	}
	for what, times := range played {
		if times != 1 {
			t.Errorf("%q was played %d times", what, times)
		}
	}
	slices.Sort(first)
	if len(slices.Compact(first)) != 4 {
		t.Errorf("the first four tests are of %q", first)
	}
	if hostileID != 2 { // one of DELETE and one of POST
		t.Errorf("%d calls had a control character in the id, want 2", hostileID)
	}
}

func TestNegativesOfOperation(t *testing.T) {
	op := order()
	op.Params = append(op.Params, param(model.InHeader, "X-Note", false, model.Schema{Type: "string"}))
	c := newChromosome(op).sample(chance(1))
	c.genes[0].SetValue(4.0)
	c.genes[1].SetValue("up")
	c.genes[2].SetValue("hello")
	c.payload.SetValue(map[string]any{"name": "abcd", "lines": []any{map[string]any{"n": 2.0}}})
	var all []string
	for _, v := range c.negatives() {
		all = append(all, printed(v.put(model.Call{Args: c.args(), Body: c.message()})))
	}
	const rest, body = "limit=4 sort=up X-Note=hello ", `{"name":"abcd","lines":[{"n":2}]}`
	for _, want := range []string{
		"limit=%ff%fe sort=up X-Note=hello " + body, // invalid UTF-8
		"limit=10 sort=up X-Note=hello " + body,
		"sort=up X-Note=hello " + body,
		"limit=4 sort=up X-Note=<script>alert(1)</script> " + body,
		rest + `{"`,
		rest + "text/plain " + body,
		rest, // the body is omitted
		rest + `{"lines":[{"n":"x"}],"name":"abcd"}`,
		rest + `{"lines":[{"n":2}],"name":"a\u0000b"}`,
	} {
		if !slices.Contains(all, want) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(all, "\n"))
		}
	}
	for _, text := range all {
		if strings.Contains(text, "X-Note=a\x00") {
			t.Errorf("a header has a control character: %q", text)
		}
	}
}

// A kind of violation that found something in one operation is the first in the next one, and one that found nothing comes last.
func TestNegativeTestsPreferWhatFoundSomething(t *testing.T) {
	p, r := shelf(model.Sampling{}), chance(1)
	with := func(text string) violation {
		return violation{in: model.InBody, path: []string{"text"}, with: quoted(text)}
	}
	good, bad := with(hostileTexts[3]), with(hostileTexts[0])
	played := &Individual{}
	for _, v := range []violation{good, bad, good, bad} {
		c := p.operations.byID["POST /things"].sample(r)
		c.violation = v
		played.calls = append(played.calls, c)
	}
	p.RecordNegative(played, 4, []int{0, 2})
	all := []violation{bad, with("7"), good}
	if got := p.sweeps.negative.take("PUT /tags/{note}", all); got[0].with != good.with || got[2].with != bad.with {
		t.Errorf("order %+v, want what found something first and what found nothing last", got)
	}
	if a, b := with("other").kind(), with("another").kind(); a != b {
		t.Errorf("texts outside of a schema are of the kinds %q and %q", a, b)
	}
}
