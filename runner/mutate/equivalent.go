package mutate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// ReadEquivalent reads which mutants are equivalent, as a person judged them: a line
// each, its ID and the reason. Lines that begin with # say nothing.
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
			return nil, fmt.Errorf("line %d: %q is not said why: write ID REASON", n, id)
		}
		all[id] = why
	}
	return all, lines.Err()
}
