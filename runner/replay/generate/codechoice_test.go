package generate_test

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/replay/generate"

	"github.com/google/go-cmp/cmp"
)

// price returns a request for a price. All such requests have the same shape, and no traits.
func price(covered ...int) model.ServedRequest {
	x := served("GET", "/prices", "", 200, `{"cents":17}`)
	x.Covered = model.TargetSet{}
	for _, target := range covered {
		x.Covered.Add(target)
	}
	return x
}

// byOthers is like price, for a request during which the service answered other requests, too.
func byOthers(covered ...int) model.ServedRequest {
	x := price(covered...)
	x.CoveredByOthers = true
	return x
}

// withCode returns a recording with ten code targets. Targets 0, 2, 4, 6 and 8 are blocks of two statements, and the
// others are branches.
func withCode(all ...model.ServedRequest) model.Recording {
	rec := recording(all...)
	rec.CodeStatements = []int{2, 0, 2, 0, 2, 0, 2, 0, 2, 0}
	return rec
}

// refund is a request with another shape.
func refund(covered ...int) model.ServedRequest {
	x := price(covered...)
	x.Reply.Body = []byte(`{"refund":{"cents":17}}`)
	return x
}

// Exchanges are chosen first for new code, which no exchange chosen before runs. Those with the most new code come
// first. Then exchanges are chosen for new shapes. The same order decides which tests are left if their number is
// limited.
func TestChoiceByCode(t *testing.T) {
	unanswered := price(0, 1, 2, 3, 4, 5, 6, 7)
	unanswered.Reply = model.Reply{}
	for name, c := range map[string]struct {
		rec  model.Recording
		most int
		want []string // IDs of the tests
		code map[string]generate.NewCode
	}{
		"without code": {
			rec:  recording(price(0), price(1), refund(2)),
			want: []string{"r1", "r3"},
		},
		"same shape, other branches": {
			rec:  withCode(price(0, 1), price(0, 1), price(0, 3)),
			want: []string{"r1", "r3"},
			code: map[string]generate.NewCode{"r1": {Statements: 2, Branches: 1}, "r3": {Branches: 1}},
		},
		"most code first": {
			rec:  withCode(price(0), price(0, 2, 4), price(4, 5)),
			want: []string{"r2", "r3"},
			code: map[string]generate.NewCode{"r2": {Statements: 6}, "r3": {Branches: 1}},
		},
		"limit": {
			rec:  withCode(refund(0), price(0, 1), price(2, 3, 4), price(5)),
			most: 2,
			want: []string{"r2", "r3"},
			code: map[string]generate.NewCode{"r2": {Statements: 2, Branches: 1}, "r3": {Statements: 4, Branches: 1}},
		},
		"shapes after code": {
			rec:  withCode(price(0, 2), refund(0), price(2)),
			want: []string{"r1", "r2"},
			code: map[string]generate.NewCode{"r1": {Statements: 4}},
		},
		"shapes of unknown code": {
			rec:  withCode(price(0), served("GET", "/prices", "", 200, `{}`)),
			want: []string{"r1", "r2"},
			code: map[string]generate.NewCode{"r1": {Statements: 2}},
		},
		"certain code first": {
			rec:  withCode(byOthers(0, 1, 2, 3), price(0, 1), byOthers(3, 5), price(1)),
			want: []string{"r1", "r2", "r3"},
			code: map[string]generate.NewCode{"r1": {Statements: 2, Branches: 1}, "r2": {Statements: 2, Branches: 1}, "r3": {Branches: 1}},
		},
		"no test of the first": {
			rec:  withCode(unanswered, price(0, 1)),
			want: []string{"r2"},
			code: map[string]generate.NewCode{"r2": {Statements: 2, Branches: 1}},
		},
		"unknown target": {
			rec:  withCode(price(0, 17)),
			want: []string{"r1"},
			code: map[string]generate.NewCode{"r1": {Statements: 2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			suite := generate.Tests(c.rec, spec("GET /prices"), generate.Options{MaxTests: c.most})
			var got []string
			for _, test := range suite.Tests {
				got = append(got, test.ID)
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if (suite.Code == nil) != (c.code == nil) {
				t.Fatalf("code is %+v", suite.Code)
			}
			if suite.Code == nil {
				return
			}
			if diff := cmp.Diff(c.code, suite.Code.ByTest); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// The suite says how much code the recording ran, and how much of it the exchanges with a test ran.
func TestCodeOfTheSuite(t *testing.T) {
	rec := withCode(price(0, 1), price(2, 3, 4), price(5), price(5))
	suite := generate.Tests(rec, spec("GET /prices"), generate.Options{MaxTests: 2})
	want := generate.CodeChoice{
		ByTest:   map[string]generate.NewCode{"r1": {Statements: 2, Branches: 1}, "r2": {Statements: 4, Branches: 1}},
		Recorded: generate.NewCode{Statements: 6, Branches: 3},
		Chosen:   generate.NewCode{Statements: 6, Branches: 2},
	}
	if diff := cmp.Diff(want, *suite.Code); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	suite = generate.Tests(rec, spec("GET /prices"), generate.Options{Exchanges: []string{fmt.Sprintf("%032x", 3)}})
	if len(suite.Tests) != 1 || suite.Tests[0].Mock.Exchange != rec.Served[2].ID || len(suite.Code.ByTest) != 0 {
		t.Errorf("%d tests, %+v", len(suite.Tests), suite.Code)
	}
}
