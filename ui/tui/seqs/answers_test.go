package seqs

import (
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

func TestDifferences(t *testing.T) {
	test := func(status int, checks ...model.Check) model.Test {
		return model.Test{Calls: []model.Call{{Op: "GET /a"}, {Op: "GET /b", Status: status}}, Checks: checks}
	}
	check := func(pointer, equals string) model.Check {
		return model.Check{Call: 1, Pointer: pointer, Equals: []byte(equals)}
	}
	for name, c := range map[string]struct {
		before, again model.Test
		want          []difference
	}{
		"the same": {
			before: test(200, check("/id", "7")),
			again:  test(200, check("/id", "7")),
		},
		"another status hides other differences": {
			before: test(200, check("/id", "7")),
			again:  test(404),
			want:   []difference{{what: "status", before: "200", after: "404"}},
		},
		"no answer": {
			before: test(200),
			again:  test(0),
			want:   []difference{{what: "status", before: "200", after: "—"}},
		},
		"another value": {
			before: test(200, check("/id", "7")),
			again:  test(200, check("/id", "8")),
			want:   []difference{{what: "/id", before: "7", after: "8"}},
		},
		"a missing value": {
			before: test(200, check("/id", "7"), check("/name", `"a"`)),
			again:  test(200, check("/id", "7")),
			want:   []difference{{what: "/name", before: `"a"`, after: "missing, or changes each time"}},
		},
		"a value that changes each time": {
			before: test(200, check("/at", "")),
			again:  test(200, check("/at", "9")),
		},
		"a new value": {
			before: test(200),
			again:  test(200, check("/id", "7")),
		},
	} {
		got := differences(c.before, c.again, 1)
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(difference{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if same := sameAnswers(c.before, c.again); same != (len(c.want) == 0) {
			t.Errorf("%s: sameAnswers is %t", name, same)
		}
	}
}
