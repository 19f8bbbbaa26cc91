package search_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sonde/model"
	"sonde/runner/search"

	"github.com/google/go-cmp/cmp"
)

// A search finds the file that each operation takes, and the faults that broken files cause. When its tests are
// written and read back, the bytes of the files stay the same.
func TestSearchUploads(t *testing.T) {
	t.Parallel()
	s := studiedService(t, "uploads")
	got := start(t, s.plan, search.Sink{}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	covered := map[string]bool{}
	bytes := 0
	for _, test := range got.Tests {
		for _, target := range test.Covers {
			covered[target] = true
		}
		for _, c := range test.Calls {
			if c.Body != nil && !utf8.ValidString(c.Body.Data) {
				bytes++
			}
		}
		data, err := json.Marshal(test)
		if err != nil {
			t.Fatal(err)
		}
		var again model.Test
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		for i, c := range again.Calls {
			if diff := cmp.Diff(test.Calls[i].Body, c.Body); diff != "" {
				t.Errorf("test %s is read back with another body: %s", test.ID, diff)
			}
		}
	}
	for target := range s.reachable {
		if !covered[target] {
			t.Errorf("no test has %s", target)
		}
	}
	if bytes == 0 {
		t.Error("no kept test sends bytes that are not UTF-8")
	}
	var faults []string
	for _, f := range got.Faults {
		faults = append(faults, fmt.Sprintf("%s %s", f.Op, f.Oracle))
	}
	slices.Sort(faults)
	if all := strings.Join(faults, ", "); all != "POST /data server-error, POST /photos server-error" {
		t.Errorf("found the faults %s", all)
	}
	t.Logf("%d calls, %d tests, %d bodies of bytes", got.Summary.Calls, len(got.Tests), bytes)
}
