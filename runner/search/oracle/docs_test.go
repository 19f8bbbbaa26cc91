package oracle_test

import (
	"os"
	"regexp"
	"testing"

	"sonde/runner/search/oracle"
)

// Each oracle has a section in docs/oracles.md that begins with its severity.
func TestOraclesAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/oracles.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^## (\S+)\n\n\*(\w+)\*`).FindAllStringSubmatch(string(page), -1) {
		described[m[1]] = m[2]
	}
	for _, o := range oracle.AllOracles() {
		if got := described[o.Name]; got != string(o.Severity) {
			t.Errorf("docs/oracles.md describes %s as %q, want %q", o.Name, got, o.Severity)
		}
		delete(described, o.Name)
	}
	for name := range described {
		t.Errorf("docs/oracles.md describes %s, which is no oracle", name)
	}
}
