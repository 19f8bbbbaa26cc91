package model

// FaultTally counts faults by what they mean for a run. Summaries, screens and reports all
// take their numbers from it.
type FaultTally struct {
	Errors, Warnings int // that are not flaky; these are the faults of a run
	Flaky            int // errors and warnings that were not reproduced each time
	Notes            int
}

// TallyFaults counts faults.
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

// Counted returns the number of faults of a run. A run with any has failed.
func (t FaultTally) Counted() int { return t.Errors + t.Warnings }

// Uncounted returns the number of findings that are listed and do not make a run fail.
func (t FaultTally) Uncounted() int { return t.Flaky + t.Notes }

// OpClass says how an operation answered in a run. Each operation has exactly one class.
type OpClass int

// The classes. An operation is in the first one that fits.
const (
	ClassSucceeded  OpClass = iota // 2xx, at least once
	ClassBroken                    // 5xx, at least once
	ClassRefused                   // other answers, usually only 4xx
	ClassUnanswered                // it was called and never answered
	ClassUncalled
	NumOpClasses // the number of classes
)

// ClassOf returns the class of an operation by the number of its answers of each status.
func ClassOf(counts map[int]int) OpClass {
	class := ClassRefused
	for status, n := range counts {
		switch {
		case n == 0:
		case status/100 == 2:
			return ClassSucceeded
		case status/100 == 5:
			class = ClassBroken
		}
	}
	return class
}

// Classes returns the number of operations of each class. Their sum is s.Operations.
func (s *Summary) Classes() [NumOpClasses]int {
	rest := s.Operations - s.With2xx - s.Only5xx - s.Only4xx - s.NotAnswered
	return [NumOpClasses]int{
		ClassSucceeded:  s.With2xx,
		ClassBroken:     s.Only5xx,
		ClassRefused:    s.Only4xx,
		ClassUnanswered: s.NotAnswered,
		ClassUncalled:   max(0, rest),
	}
}

// CountFaults sets the numbers of faults.
func (s *Summary) CountFaults(all []Fault) {
	t := TallyFaults(all)
	s.Faults, s.Flaky, s.Notes = t.Counted(), t.Flaky, t.Notes
}

// CountAnswers sets the numbers of operations by their answers, given as in Snapshot.Grid.
func (s *Summary) CountAnswers(grid map[OpID]map[int]int) {
	s.With2xx, s.With5xx, s.Only5xx, s.Only4xx = 0, 0, 0, 0
	for _, counts := range grid {
		switch ClassOf(counts) {
		case ClassSucceeded:
			s.With2xx++
		case ClassBroken:
			s.Only5xx++
		default:
			s.Only4xx++
		}
		for status := range counts {
			if status/100 == 5 {
				s.With5xx++
				break
			}
		}
	}
}
