package export_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/export"
)

// A table logs in its users before their calls, at any host, and for any result of a log-in: a value in the
// body, the whole body, a header or cookies.
func TestGoTableLogsIn(t *testing.T) {
	s := export.Safe(t)
	suite := loggedIn(s.URL)
	dir, made := written(t, "go-table", suite)
	env := append(slices.Clone(export.Keys), `GIL_PASSWORD=p"w`, "AMY_PASSWORD=p&w", "SONDE_BASE_URL="+s.URL)
	output, err := runTable(t, dir, env...)
	if got := strings.Count(output, "\n    --- PASS: TestAPI/"); err != nil || got != len(suite.Tests) {
		t.Errorf("%d of %d tests pass, %v:\n%s\n%s", got, len(suite.Tests), err, output, made.Text)
	}
}
