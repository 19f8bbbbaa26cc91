package export

import (
	"strings"
	"testing"
)

// A new region replaces the region with its name, although the old file has, before it, two regions of
// the same test with names that the new file does not have.
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
