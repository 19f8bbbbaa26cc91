package model

// FaultTally counts faults by their effect on the result of a run. Summaries, screens and reports all use
// these numbers.
type FaultTally struct {
	Errors, Warnings int // the numbers of errors and warnings that are not flaky; see Counted
	Flaky            int // errors and warnings that were not reproduced each time
	Notes            int
}

// TallyFaults counts each fault once: as a note, as flaky, as a warning or as an error.
func TallyFaults(all []Fault) (t FaultTally) {
	for _, f := range all {
		switch {
		case f.Severity == SeverityNote:
			t.Notes++
		case !f.CountsAsFailure():
			t.Flaky++
		case f.Severity == SeverityWarning:
			t.Warnings++
		default:
			t.Errors++
		}
	}
	return t
}

// Counted returns the number of faults of a run. A run with at least one fault has failed.
func (t FaultTally) Counted() int { return t.Errors + t.Warnings }

// Uncounted returns the number of findings that do not make a run fail.
func (t FaultTally) Uncounted() int { return t.Flaky + t.Notes }

// OpClass classifies an operation by its answers in a run. Each operation has exactly one class.
type OpClass int

// The classes of operations.
const (
	ClassSucceeded  OpClass = iota // 2xx at least once, never 5xx
	ClassBroken                    // 5xx at least once
	ClassRefused                   // other answers, usually only 4xx
	ClassUnanswered                // called, but never answered
	ClassUncalled
	NumOpClasses // the number of classes
)

// opClassNames describe the operations of each class.
var opClassNames = [NumOpClasses]string{
	ClassSucceeded:  "with a 2xx and no 5xx",
	ClassBroken:     "with a 5xx",
	ClassRefused:    "only refused (4xx)",
	ClassUnanswered: "without an answer",
	ClassUncalled:   "not called",
}

// String describes the operations of the class, such as "with a 5xx".
func (c OpClass) String() string { return opClassNames[c] }

// ClassOf returns the class of an operation. counts has the number of its answers by status. An operation
// without an answer has the class ClassUncalled.
func ClassOf(counts map[int]int) OpClass {
	class := ClassUncalled
	for status, n := range counts {
		switch {
		case n == 0:
		case status/100 == 5:
			return ClassBroken
		case status/100 == 2:
			class = ClassSucceeded
		case class == ClassUncalled:
			class = ClassRefused
		}
	}
	return class
}

// Classes returns the number of operations of each class. Their sum is s.Operations.
func (s *Summary) Classes() [NumOpClasses]int {
	rest := s.Operations - s.With2xx - s.Only5xx - s.Only4xx - s.NotAnswered
	return [NumOpClasses]int{
		ClassSucceeded:  max(0, s.With2xx+s.Only5xx-s.With5xx),
		ClassBroken:     s.With5xx,
		ClassRefused:    s.Only4xx,
		ClassUnanswered: s.NotAnswered,
		ClassUncalled:   max(0, rest),
	}
}

// CountFaults sets the fields Faults, Flaky and Notes to the numbers of these faults.
func (s *Summary) CountFaults(all []Fault) {
	t := TallyFaults(all)
	s.Faults, s.Flaky, s.Notes = t.Counted(), t.Flaky, t.Notes
}

// CountAnswers sets With2xx, With5xx, Only5xx and Only4xx. grid has the form of Snapshot.Grid.
func (s *Summary) CountAnswers(grid map[OpID]map[int]int) {
	s.With2xx, s.With5xx, s.Only5xx, s.Only4xx = 0, 0, 0, 0
	for _, counts := range grid {
		has2xx := hasStatus(counts, 2)
		if has2xx {
			s.With2xx++
		}
		switch ClassOf(counts) {
		case ClassBroken:
			s.With5xx++
			if !has2xx {
				s.Only5xx++
			}
		case ClassRefused:
			s.Only4xx++
		}
	}
}

// hasStatus reports whether there are answers in a class of statuses, such as 2 for 2xx.
func hasStatus(counts map[int]int, hundred int) bool {
	for status, n := range counts {
		if n > 0 && status/100 == hundred {
			return true
		}
	}
	return false
}
