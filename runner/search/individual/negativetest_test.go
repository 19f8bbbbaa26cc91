package individual

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Negative tests of all operations play each violation once. Operations take turns, and the calls before the target
// create what the target needs. A created id is replaced only if the violation is in the id itself.
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
			if v := ind.calls[i].violation; v.in != "" {
				played[fmt.Sprint(c.Op, " ", v.key())]++
			}
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

func TestEdgeCasesOfOperation(t *testing.T) {
	op := order()
	op.Params = append(op.Params, param(model.InHeader, "X-Note", false, model.Schema{Type: "string"}))
	c := newChromosome(op, false, model.Sizes{}).sample(chance(1))
	c.genes[0].SetValue(4.0)
	c.genes[1].SetValue("up")
	c.genes[2].SetValue("hello")
	c.payload.SetValue(map[string]any{"name": "abcd", "lines": []any{map[string]any{"n": 2.0}}})
	var all []string
	for _, e := range c.edgeCases() {
		next := c.clone()
		e.apply(chance(1), &next)
		all = append(all, printed(next.violation.put(model.Call{Args: next.args(), Body: next.message()})))
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
		"limit=1 sort=up X-Note=hello " + body, // the least value
		"limit=9 sort=up X-Note=hello " + body,
		"limit=4 sort=up X-Note= " + body,
		rest + `{"lines":[{"n":1}],"name":"abcd"}`,
		rest + `{"lines":[{"n":2}],"name":"xxxxx"}`, // the longest text
		"limit=4 limit=4 sort=up X-Note=hello " + body,
		rest + body + "x",
		rest + `{"lines":[{"n":2}],"name":"abcd","sonde_extra":1}`,
		rest + `{"lines":[],"name":"abcd"}`,
		rest + `{"lines":[{"n":2},{"n":2}],"name":"abcd"}`,
		rest + `{"lines":[{"n":1.5}],"name":"abcd"}`,
		rest + `{"lines":[{"n":2}],"name":{}}`,
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

// Edge cases of a kind that found a new server error in one operation come first in the next operation. The other
// kinds come in this order: kinds that were not played yet, kinds that covered other new targets, kinds that covered
// none.
func TestNegativeTestsPreferWhatFoundSomething(t *testing.T) {
	p, r := shelf(model.Sampling{}), chance(1)
	with := func(text string) edgeCase {
		return violation{in: model.InBody, path: []string{"text"}, with: quoted(text)}.edgeCase(0, "")
	}
	failing, good, bad := with(hostileTexts[5]), with(hostileTexts[3]), with(hostileTexts[0])
	played := &Individual{sweep: &sweepPlan{proven: true}}
	for _, e := range []edgeCase{good, bad, failing, good, bad} {
		c := p.operations.byID["POST /things"].sample(r)
		e.apply(r, &c)
		played.calls, played.sweep.kinds = append(played.calls, c), append(played.sweep.kinds, e.kind)
	}
	p.RecordNegative(played, []int{201, 400, 500, 201, 400}, []int{0, 2, 3})
	all := []edgeCase{bad, good, with("7"), failing}
	got := p.sweeps.negative.take("PUT /tags/{note}", all, true)
	var order []string
	for _, e := range got {
		order = append(order, e.with)
	}
	if want := []string{failing.with, quoted("7"), good.with, bad.with}; !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
	undeclared := undeclaredInputs[0].edgeCase(0, "")
	for calls, want := range []bool{true, false} {
		if got := p.sweeps.negative.isOpen(undeclared.kind, true); got != want {
			t.Errorf("after %d calls without a failure, an undeclared input is open: %v, want %v", calls, got, want)
		}
		one := &Individual{sweep: &sweepPlan{proven: true, kinds: []edgeKind{undeclared.kind}}}
		p.RecordNegative(one, []int{200}, nil)
	}
	p.sweeps.negative.done["GET /things"] = true
	p.RecordNegative(&Individual{sweep: &sweepPlan{kinds: []edgeKind{undeclared.kind}}}, []int{500}, []int{0})
	if !p.sweeps.negative.isOpen(undeclared.kind, false) || p.sweeps.negative.done["GET /things"] {
		t.Error("an undeclared input that made an operation fail is not tried on all others")
	}
	if a, b := with("other").kind, with("another").kind; a != b {
		t.Errorf("texts outside of a schema are of the kinds %v and %v", a, b)
	}
}

// An edge case of an optional input that a call lacks adds this input to the call.
func TestEdgeCasesOfAbsentInputs(t *testing.T) {
	op := order()
	op.Params = append(op.Params, param(model.InHeader, "If-Match", false, model.Schema{Type: "string", Pattern: `^"[0-9]"$|\*`}))
	schema := op.Body.Contents[0].Schema
	schema.Properties = append(schema.Properties, model.Property{Name: "vip", Schema: &model.Schema{Type: "boolean"}})
	c := newChromosome(op, false, model.Sizes{}).sample(chance(1))
	for _, g := range c.trees() {
		gene.OmitOptional(g)
	}
	if base := printed(model.Call{Args: c.args(), Body: c.message()}); strings.Contains(base, "If-Match") || strings.Contains(base, "vip") {
		t.Fatalf("the call %q has optional inputs", base)
	}
	texts := map[edgeKind]string{}
	for _, e := range c.edgeCases() {
		next := c.clone()
		e.apply(chance(1), &next)
		texts[e.kind] = printed(next.violation.put(model.Call{Args: next.args(), Body: next.message()}))
	}
	for kind, want := range map[edgeKind]string{
		{class: "add header"}: "If-Match=", {class: "add query"}: "sort=", {class: "add property"}: `"vip":`,
		{class: "header allowed", detail: "pattern 0"}: `If-Match="`,
		{class: "header allowed", detail: "pattern 1"}: "If-Match=* ",
		{class: "header allowed", detail: "pattern 2"}: "If-Match=*!! ",
	} {
		if !strings.Contains(texts[kind], want) {
			t.Errorf("the call with %v is %v, want one with %s", kind, texts[kind], want)
		}
	}
}
