package export

import (
	"errors"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The exported test for a fault of a security oracle asserts only what the last answer of the test shows. If that
// answer does not show the fault, there are no assertions.
func TestSecurityAssertions(t *testing.T) {
	for _, c := range []struct {
		oracle, expected string
		want             []Assertion
	}{
		{
			"other-users-resource", "403 or 404, as call 8 created it for ann",
			[]Assertion{{Kind: AssertStatus, Values: []string{"403", "404"}}},
		},
		{"other-users-resource", "what call 1 created for ann, as bob must not delete it (call 3)", nil},
		{"role-ignored", "403, as only root may call it", []Assertion{{Kind: AssertStatus, Values: []string{"403"}}}},
		{
			"reflected-script", "a page that shows the value of call 1 as text",
			[]Assertion{{Kind: AssertNoMatch, Values: []string{`<script>sonde\.run\(7\)</script>`}}},
		},
		{"sql-injection", `one answer to "a" and "b"`, nil},
		{"path-traversal", "no file outside of the service's own, as call 1 asked for", nil},
	} {
		got, err := assertionsOf(model.Fault{Oracle: c.oracle, Status: 200, Expected: c.expected})
		if d := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Assertion{})); d != "" || (c.want == nil) != errors.Is(err, errNotInAnswer) {
			t.Errorf("%s: error %v, assertions (-want +got):\n%s", c.oracle, err, d)
		}
	}
}

// The exported test for a fault of an oracle that compares lists asserts that a list has, or lacks, an element.
func TestListAssertions(t *testing.T) {
	for expected, want := range map[string]struct {
		kind  AssertionKind
		place string
		link  model.Link
		calls int
	}{
		`"/items/*/id" has "/id" of call 1, which created the element`: {
			kind: AssertListed, place: "/items/*/id", link: model.Link{From: 0, To: 3, Pointer: "/id"},
		},
		`"/*/id" has "Location" of call 2, as this list filtered by x does (call 3)`: {
			kind: AssertListed, place: "/*/id", link: model.Link{From: 1, To: 3, Header: "Location"},
		},
		`"/*" has none "/*" of call 3, which is another page`: {
			kind: AssertDisjoint, place: "/*", link: model.Link{From: 2, To: 3},
		},
		`"/items/*/id" has all "/items/*/id" of call 3, which is this list filtered by x`: {
			kind: AssertCovers, place: "/items/*/id", link: model.Link{From: 2, To: 3, Pointer: "/items"},
		},
		`on call 3, "/*/a \"b\"" has "/2/a \"b\"" of call 1, as this list does`: {
			kind: AssertListed, place: `/*/a "b"`, link: model.Link{From: 0, To: 2, Pointer: `/2/a "b"`}, calls: 3,
		},
		`"/0/id" is "/2/id" of call 1, as this list is sorted by x`: {
			kind: AssertListed, place: "/0/id", link: model.Link{From: 0, To: 3, Pointer: "/2/id"},
		},
		`elements in the order of "x"`:                     {},
		`"/*/id" has "/id" of call 4, which is not before`: {},
		`on call 9, "/*/id" has "/id" of call 1`:           {},
	} {
		f := model.Fault{Oracle: "inconsistent-pages", Expected: expected, Test: &model.Test{Calls: make([]model.Call, 4)}}
		got, err := assertionsOf(f)
		if want.kind == "" {
			if !errors.Is(err, errNotInAnswer) {
				t.Errorf("%s: error %v, assertions %+v, want none", expected, err, got)
			}
			continue
		}
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: error %v, assertions %+v", expected, err, got)
		}
		if g := got[0]; g.Kind != want.kind || g.Pointer != want.place || *g.link != want.link || g.calls != want.calls {
			t.Errorf("%s: got %+v by %+v, want %+v", expected, g, *g.link, want)
		}
	}
}
