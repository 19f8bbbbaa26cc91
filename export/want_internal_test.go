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
