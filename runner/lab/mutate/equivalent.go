package mutate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// ReadEquivalent reads the mutants that a person judged to be equivalent to the service: one a
// line, with its ID and the reason. Lines that begin with # are comments.
func ReadEquivalent(r io.Reader) (map[string]string, error) {
	all := map[string]string{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, why, _ := strings.Cut(line, " ")
		why = strings.TrimSpace(why)
		if why == "" {
			return nil, fmt.Errorf("line %d: %q has no reason: write ID REASON", n, id)
		}
		all[id] = why
	}
	return all, lines.Err()
}
