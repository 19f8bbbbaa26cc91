package export

import (
	"strings"
	"testing"
)

// A new region replaces the old region with its name, even if there are regions of the same test before it
// whose names are not in the new file.
func TestMergeRegionsByName(t *testing.T) {
	region := func(name, text string) string {
		return MarkRegion("# ", name, "# Test t1: GET /a\n"+text)
	}
	old := region("first", "one") + region("second", "two") + region("third", "three")
	merged, ok := MergeRegions(old, region("third", "four"))
	if !ok || strings.Count(merged, "sonde:begin third") != 1 || !strings.Contains(merged, "four") || strings.Contains(merged, "three") {
		t.Errorf("merged %t:\n%s", ok, merged)
	}
	if again, ok := MergeRegions(merged, region("third", "four")); !ok || again != merged {
		t.Errorf("a second update, %t, gives\n%s\nwant\n%s", ok, again, merged)
	}
}
