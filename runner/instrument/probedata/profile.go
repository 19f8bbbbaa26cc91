package probedata

import "fmt"

// Profile returns a coverage profile in the format of Go, which go tool cover and editors read.
// covered reports whether the target with index i is covered.
func (m *Manifest) Profile(covered func(i int) bool) []byte {
	b := []byte("mode: set\n")
	for i, t := range m.Targets {
		if t.Kind != Statement || t.Line == 0 {
			continue
		}
		count := 0
		if covered(i) {
			count = 1
		}
		b = fmt.Appendf(b, "%s:%d.%d,%d.%d %d %d\n", m.Files[t.File].Name, t.Line, t.Col, t.EndLine, t.EndCol, t.Statements, count)
	}
	return b
}
