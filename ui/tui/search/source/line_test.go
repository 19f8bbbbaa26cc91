package source

import (
	"strings"
	"testing"

	"sonde/model"
)

// pay is the source of a function that has each kind of target. payTargets are the targets that sonde build finds in
// it.
const pay = `package shop

// Pay pays.
func Pay(q int) string {
	charge(q) // which may panic

	if q > 5 && q < 9 {
		return "few"
	} else {
		log()
	}
	for range q {
		pack()
	}
	return "paid"
}
`

func block(line, col, endLine, endCol int) model.SourceTarget {
	return model.SourceTarget{
		Kind:       model.SourceBlock,
		Outcome:    "statement",
		Line:       line,
		Col:        col,
		EndLine:    endLine,
		EndCol:     endCol,
		Statements: 1,
	}
}

func at(kind model.SourceKind, outcome, label string, line, col int) model.SourceTarget {
	return model.SourceTarget{Kind: kind, Outcome: outcome, Label: label, Line: line, Col: col}
}

var payTargets = []model.SourceTarget{
	0:  block(4, 24, 7, 20),
	1:  at(model.SourceCompletedCall, "call", "charge(q)", 5, 2),
	2:  at(model.SourceBranch, "true", "q > 5 && q < 9", 7, 10),
	3:  at(model.SourceBranch, "false", "q > 5 && q < 9", 7, 10),
	4:  at(model.SourceCondition, "condition true", "q > 5", 7, 7),
	5:  at(model.SourceCondition, "condition false", "q > 5", 7, 7),
	6:  block(7, 20, 9, 3),
	7:  block(9, 9, 11, 3),
	8:  at(model.SourceCompletedCall, "call", "log()", 10, 3),
	9:  block(12, 2, 12, 15),
	10: at(model.SourceBranch, "loop skipped", "for range q {", 12, 2),
	11: at(model.SourceBranch, "loop entered", "for range q {", 12, 2),
	12: block(12, 14, 14, 3),
	13: at(model.SourceCompletedCall, "call", "pack()", 13, 3),
	14: block(15, 2, 15, 15),
}

// reached returns the scores of all targets. The map near has the scores of some targets by their indexes. All other
// scores are 0.
func reached(near map[int]float64) []float64 {
	all := make([]float64, len(payTargets))
	for i, h := range near {
		all[i] = h
	}
	return all
}

func TestStates(t *testing.T) {
	lines := newLines(strings.Split(pay, "\n"), payTargets)
	for name, c := range map[string]struct {
		near map[int]float64
		want string // a sign for each line
	}{
		"nothing": {nil, "    ✗ ✗✗ ✗ ✗✗ ✗  "},
		"panics":  {map[int]float64{0: 1, 1: 0.5}, "    △ △✗ ✗ ✗✗ ✗  "},
		"one way": {map[int]float64{0: 1, 1: 1, 2: .4, 3: 1, 5: 1, 7: 1, 8: 1, 9: 1, 10: 1, 14: 1}, "    ✓ △✗ ✓ △✗ ✓  "},
		"no condition counts": {
			map[int]float64{0: 1, 1: 1, 2: 1, 3: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1},
			"    ✓ ✓✓ ✓ ✓✓ ✓  ",
		},
	} {
		got := ""
		for _, l := range lines {
			sign, _ := l.state(payTargets, reached(c.near)).sign()
			got += sign
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Targets outside the text are assigned to no line.
func TestLinesOfAnotherText(t *testing.T) {
	for _, text := range []string{"", "x", strings.Repeat("}\n", 9), "\x00\n\n\n\n\n\n{"} {
		for i, l := range newLines(
			strings.Split(text, "\n"),
			append(payTargets, block(-3, -1, 2, -9), block(2, 99, 1, 1), at(model.SourceBranch, "", "", 0, 0)),
		) {
			if l.state(payTargets, reached(nil)) == covered {
				t.Errorf("%q: line %d is covered", text, i+1)
			}
		}
	}
}
