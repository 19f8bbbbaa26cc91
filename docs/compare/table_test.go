package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
)

func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

// compared is a service of two operations that three tools searched twice. The first operation declares its 500.
func compared() comparison {
	get := &model.Operation{ID: "GET /a", Responses: []model.Response{{Status: "200"}, {Status: "500"}, {Status: "default"}}}
	post := &model.Operation{ID: "POST /a", Responses: []model.Response{{Status: "201"}, {Status: "default"}}}
	s := service{entry: entry{Name: "shop", Half: heldOut}, ops: map[model.OpID]*model.Operation{get.ID: get, post.ID: post}}
	run := func(reached, seconds int, faults map[string]bool, pairs ...string) result {
		return result{
			Pairs: set(pairs...), Faults: faults, Requests: 9, Took: time.Duration(seconds) * time.Second,
			Statements: coverage{Reached: reached, Total: 200},
		}
	}
	late := run(80, 60, nil, "GET /a 200")
	late.Late, late.Statements = true, coverage{}
	return comparison{
		service: s,
		tools:   []tool{{name: "Sonde"}, {name: "Schemathesis"}, {name: "EvoMaster"}},
		runs: [][]result{
			{run(80, 1, set("F01"), "GET /a 200", "POST /a 201"), run(90, 2, set("F01", "F02"), "GET /a 200", "GET /a 404")},
			{run(100, 8, set("F02"), "GET /a 200", "GET /a 500"), run(100, 8, nil, "POST /a 500", "POST /a 503", "POST /a 201")},
			{late, late},
		},
	}
}

func TestTable(t *testing.T) {
	var got strings.Builder
	if err := compared().table(&got); err != nil {
		t.Fatal(err)
	}
	want := `| shop, 2 runs each | Sonde | Schemathesis | Â12 | p | EvoMaster | Â12 | p |
|---|---|---|---|---|---|---|---|
| statements (%) | 42.5 (40–45) | 50 | 0.00 | 0.22 | - |  |  |
| operations with a 2xx | 1.5 (1–2) | 1 | 0.75 | 0.62 | 1 | 0.75 | 0.62 |
| operations with a 5xx | 0 | 1 | 0.00 | 0.19 | 0 | 0.50 | 1 |
| operations with an undeclared 5xx | 0 | 0.5 (0–1) | 0.25 | 0.62 | 0 | 0.50 | 1 |
| pairs of operation and status | 2 | 2.5 (2–3) | 0.25 | 0.62 | 1 | 1.00 | 0.19 |
| distinct faults | 1.5 (1–2) | 0.5 (0–1) | 0.88 | 0.41 | 0 | 1.00 | 0.22 |
| requests | 9 | 9 |  |  | 9 |  |  |
| seconds | 1.5 (1–2) | 8 |  |  | 60 |  |  |

`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

// Without a fault in any run, there is no row of faults.
func TestTableWithoutFaults(t *testing.T) {
	c := compared()
	for _, runs := range c.runs {
		for i := range runs {
			runs[i].Faults = nil
		}
	}
	var got strings.Builder
	if err := c.table(&got); err != nil || strings.Contains(got.String(), "faults") {
		t.Errorf("error %v and\n%s", err, got.String())
	}
}

func TestSummary(t *testing.T) {
	quiet := compared()
	quiet.service.Name, quiet.runs[1] = "quiet", quiet.runs[2]
	var got strings.Builder
	if err := summary(&got, []comparison{compared(), quiet}); err != nil {
		t.Fatal(err)
	}
	want := `Medians. Each cell: statements (%) / operations with a 2xx / operations with a 5xx / operations with an undeclared 5xx / ` +
		`seconds. *: a run ended by time.

| service | half | operations | Sonde | Schemathesis | EvoMaster |
|---|---|---|---|---|---|
| shop | held out | 2 | 42.5 / 1.5 / 0 / 0 / 1.5 | 50 / 1 / 1 / 0.5 / 8 | - / 1 / 0 / 0 / 60* |
| quiet | held out | 2 | 42.5 / 1.5 / 0 / 0 / 1.5 | - / 1 / 0 / 0 / 60* | - / 1 / 0 / 0 / 60* |

held out: Sonde is first in statements and in operations with a 2xx on 1 of 2. Behind: ` +
		`shop, statements (%): 42.5, Schemathesis 50; shop, operations with an undeclared 5xx: 0, Schemathesis 0.5.

`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestDifferences(t *testing.T) {
	c := compared()
	c.tools, c.runs = c.tools[:2], c.runs[:2]
	var got strings.Builder
	if err := c.differences(&got); err != nil {
		t.Fatal(err)
	}
	want := `Sonde in more runs than Schemathesis: F01 (2, not 0), GET /a 200 (2, not 1), GET /a 404 (1, not 0).

Schemathesis in more runs than Sonde: GET /a 500 (1, not 0), POST /a 500 (1, not 0), POST /a 503 (1, not 0).

`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSpread(t *testing.T) {
	if got := spread([]float64{1, 2, 5, 9}); got != "3.5 (1–9)" {
		t.Errorf("got %s", got)
	}
	if got := spread(nil); got != "-" {
		t.Errorf("got %s for no value", got)
	}
}
