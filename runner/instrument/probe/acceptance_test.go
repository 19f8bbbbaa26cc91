package probe

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named matches the name of a test or benchmark in a page of the documentation.
var named = regexp.MustCompile("`((?:Test|Benchmark)[A-Za-z]+)")

// All tests that are named in the documentation exist.
func TestAcceptance(t *testing.T) {
	const root = "../../.."
	var all strings.Builder
	for _, dir := range []string{
		"runner/instrument/probe", "runner/instrument/probedata", "assets/probe/sondeprobe", "assets/probe/sondequery", "ui/cli",
		"runner/search", "runner/target/sut", "runner/network/netsim", "export", "model/config", "ui/app/searchrun",
	} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	for _, name := range []string{"probes.md", "network.md"} {
		page, err := os.ReadFile(filepath.Join(root, "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(page), -1) {
			if !strings.Contains(all.String(), "func "+m[1]+"(") {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}
