package probe

import "fmt"

// Profile is a coverage profile in Go's own format, which go tool cover and
// editors read: covered tells it of each target.
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

// IsBranch reports whether a target is one way to go on, and not a part of a
// condition or what is on the way.
func (k Kind) IsBranch() bool {
	switch k {
	case True, False, Case, TypeCase, SelectCase, Entered, Skip, Rows, NoRows:
		return true
	}
	return false
}
