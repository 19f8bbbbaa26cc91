package source

import (
	"strings"

	"sonde/model"
	"sonde/ui/theme"
)

// line has the indexes of the targets on a line of a file.
type line struct {
	blocks []int32 // blocks with code on the line
	begun  []int32 // calls, branches and conditions that begin on the line
}

// newLines finds the targets of each line. A block belongs to the lines where it has more than a brace or a
// comment.
func newLines(text []string, targets []model.SourceTarget) []line {
	lines := make([]line, len(text))
	for i, t := range targets {
		if t.Line < 1 || t.Line > len(text) {
			continue
		}
		if t.Kind != model.SourceBlock {
			lines[t.Line-1].begun = append(lines[t.Line-1].begun, int32(i))
			continue
		}
		for n := t.Line; n <= min(t.EndLine, len(text)); n++ {
			if isCode(part(text[n-1], n, t)) {
				lines[n-1].blocks = append(lines[n-1].blocks, int32(i))
			}
		}
	}
	return lines
}

// part returns the part of line n that lies within the block t.
func part(text string, n int, t model.SourceTarget) string {
	from, to := 0, len(text)
	if n == t.Line {
		from = min(max(0, t.Col-1), len(text))
	}
	if n == t.EndLine {
		to = min(max(0, t.EndCol-1), len(text))
	}
	return text[from:max(from, to)]
}

// isCode reports whether a part of a line has more than braces, closing parentheses and a comment.
func isCode(part string) bool {
	part = strings.Trim(part, " \t\r{})")
	return part != "" && !strings.HasPrefix(part, "//")
}

// state is the coverage of a line.
type state int

const (
	empty state = iota // there is nothing to cover
	uncovered
	half
	covered
)

// sign returns the glyph of a state and its style.
func (s state) sign() (string, theme.Style) {
	switch s {
	case covered:
		return theme.Ok, theme.Good
	case half:
		return theme.Refused, theme.Warn
	case uncovered:
		return theme.Failed, theme.Bad
	}
	return " ", theme.Plain
}

// word returns the name of a state.
func (s state) word() string {
	return [...]string{"no statement", "uncovered", "half covered", "covered"}[s]
}

// state returns whether all, some or none of the targets of a line are covered. It returns empty if the line has no
// targets. Targets that are conditions do not count.
func (l line) state(targets []model.SourceTarget, near []float64) state {
	done, open := 0, 0
	count := func(i int32) {
		if near[i] >= 1 {
			done++
		} else {
			open++
		}
	}
	for _, i := range l.blocks {
		count(i)
	}
	for _, i := range l.begun {
		if targets[i].Kind != model.SourceCondition {
			count(i)
		}
	}
	switch {
	case done+open == 0:
		return empty
	case done == 0:
		return uncovered
	case open == 0:
		return covered
	}
	return half
}

// of returns the targets of a kind that begin on the line.
func (l line) of(targets []model.SourceTarget, kind model.SourceKind) (all []int32) {
	for _, i := range l.begun {
		if targets[i].Kind == kind {
			all = append(all, i)
		}
	}
	return all
}
