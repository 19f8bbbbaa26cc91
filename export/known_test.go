package export

import (
	"bytes"
	"strings"
	"testing"

	"sonde/model"
)

// judged returns a report whose first fault is known, and in which flaky faults count.
func judged() Report {
	r := outcome()
	model.NumberFaults(r.Faults)
	r.Known, r.FlakyFails = map[string]string{r.Faults[0].ID: "issue <7>"}, true
	r.Remarks = []string{"not found this time: <b>"}
	return r
}

// A known fault is skipped in JUnit, and a flaky one fails if flaky ones count.
func TestJUnitOfKnownFaults(t *testing.T) {
	var b bytes.Buffer
	r := judged()
	if err := WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	count := checkJUnit(t, b.Bytes())
	plain := outcome()
	failures := len(plain.failures())
	const known = `<skipped message="known (issue &lt;7&gt;): error `
	if count["failure"] != failures || count["skipped"] != 2 || !strings.Contains(b.String(), known) {
		t.Errorf("%d failures of %d, %d skipped\n%s", count["failure"], failures, count["skipped"], b.String())
	}
}

// A summary leaves out known faults and says how many there are. SARIF keeps them, because a missing one closes its
// alert.
func TestOtherReportsOfKnownFaults(t *testing.T) {
	r := judged()
	text := markdownOf(t, r)
	for _, want := range []string{
		"| known faults, which do not count | 1 |", "| flaky faults, which count, too | 1 |",
		"- <code>not found this time&#58; &#60;b&#62;</code>\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	details := strings.Count(text, "<details>")
	if results := len(checkSARIF(t, sarifOf(t, r, shopRules()))); details != len(r.failures()) || results != details+1 {
		t.Errorf("%d details, %d results, %d failures", details, results, len(r.failures()))
	}
}
