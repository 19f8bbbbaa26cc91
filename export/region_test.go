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

// Regions between which there is only blank space get the order of the new file. A region that is only in the old
// file stays after the region that preceded it.
func TestMergeRegionsInOrder(t *testing.T) {
	region := func(name string) string { return MarkRegion("# ", name, "# "+name) }
	file := func(names ...string) string {
		text := ""
		for _, name := range names {
			text += region(name) + "\n"
		}
		return text
	}
	for _, c := range []struct{ old, new, want string }{
		{old: "head b a", new: "head a b", want: "head a b"},
		{old: "head b mine a", new: "head a b c", want: "head a b c mine"},
		{old: "mine b a", new: "c a b", want: "c mine a b"},
		{old: "head a end", new: "head b end", want: "head b a end"},
	} {
		want := file(strings.Fields(c.want)...)
		got, ok := MergeRegions(file(strings.Fields(c.old)...), file(strings.Fields(c.new)...))
		if names := regionNames(got); !ok || names != c.want {
			t.Errorf("%s updated by %s is %s, want %s", c.old, c.new, names, c.want)
		}
		if again, _ := MergeRegions(got, file(strings.Fields(c.new)...)); again != got {
			t.Errorf("%s updated twice is %q, want %q", c.old, again, want)
		}
	}
	byHand := region("b") + "# by hand\n" + region("a")
	if got, _ := MergeRegions(byHand, file("a", "b")); got != byHand {
		t.Errorf("with text between the regions: got %q, want %q", got, byHand)
	}
}

// regionNames returns the names of the regions of a file.
func regionNames(text string) string {
	var all []string
	parts, _ := pieces(text)
	for _, p := range parts {
		if p.name != "" {
			all = append(all, p.name)
		}
	}
	return strings.Join(all, " ")
}
