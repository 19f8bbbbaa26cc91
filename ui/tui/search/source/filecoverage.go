package source

import (
	"fmt"
	"strconv"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// fileCoverage holds the lines and targets of a file, and the coverage of these targets by a run.
type fileCoverage struct {
	lines   []line
	targets []model.SourceTarget
	reached *model.FileCoverage
}

// coverage returns the coverage of the open file.
func (m *Model) coverage() fileCoverage {
	return fileCoverage{m.text.lines, m.reach.Files[m.text.file].Targets, m.reach.Reached[m.text.file]}
}

// begins reports whether a line is half covered, or is the first of a series of uncovered lines. Lines
// without a statement do not interrupt a series.
func (f fileCoverage) begins(at int) bool {
	s := f.state(at)
	if s != uncovered {
		return s == half
	}
	for at--; at >= 0; at-- {
		if before := f.state(at); before != empty {
			return before != uncovered
		}
	}
	return true
}

// state returns the state of a line.
func (f fileCoverage) state(at int) state {
	if at >= len(f.lines) {
		return empty
	}
	return f.lines[at].state(f.targets, f.reached.Near)
}

// keptFor returns the ID of the test that is kept for a line, "" if there is none. A test that covers a statement of
// the line is preferred to a test that covers another target of the line.
func (f fileCoverage) keptFor(at int) string {
	if at >= len(f.lines) {
		return ""
	}
	l := f.lines[at]
	for _, some := range [][]int32{l.blocks, l.begun} {
		for _, i := range some {
			if id := f.reached.Tests[i]; id != "" {
				return id
			}
		}
	}
	return ""
}

// parts returns the branches, the conditions and the calls that begin on a line, in this order.
func (f fileCoverage) parts(at int) (all []int32) {
	if at >= len(f.lines) {
		return nil
	}
	for _, kind := range []model.SourceKind{model.SourceBranch, model.SourceCondition, model.SourceCompletedCall} {
		all = append(all, f.lines[at].of(f.targets, kind)...)
	}
	return all
}

// viewPart draws one target: its score, its name and its test.
func (f fileCoverage) viewPart(i int32, width int) draw.Line {
	t := f.targets[i]
	text, style := nearness(f.reached.Near[i])
	line := draw.Line{{Text: fmt.Sprintf("   %-4s", text), Style: style}, {Text: draw.Clean(t.Outcome), Style: theme.Plain}}
	line = line.At(23, draw.Span{Text: draw.Clean(t.Label), Style: theme.Dim})
	if id := draw.Clean(f.reached.Tests[i]); id != "" && width >= 50 {
		line = line.At(max(0, width-len(id)-1), draw.Span{Text: id, Style: theme.Accent})
	}
	return line
}

// outcomes draws the branches of a line, each with its score.
func (f fileCoverage) outcomes(at, width int) draw.Line {
	if at >= len(f.lines) {
		return nil
	}
	var line draw.Line
	branches := f.lines[at].of(f.targets, model.SourceBranch)
	room := 2
	if width < 70 && len(branches) > 2 {
		room = 1
	}
	for i, b := range branches {
		if i == room {
			line = append(line, draw.Span{Text: " +" + strconv.Itoa(len(branches)-room), Style: theme.Dim})
			break
		}
		text, style := nearness(f.reached.Near[b])
		name := " " + outcome(f.targets[b].Outcome)
		if width < 100 {
			name = ansi.Truncate(name, 2, "")
		}
		line = append(line, draw.Span{Text: name + " ", Style: theme.Dim}, draw.Span{Text: fmt.Sprintf("%-3s", text), Style: style})
	}
	return line
}
