package model

// FaultTally is how many faults there are, by what they mean. It is the one place
// where that is counted: summaries, screens and reports derive their numbers from it.
type FaultTally struct {
	Errors, Warnings int // that are not flaky: those are the faults of a run
	Flaky            int // errors and warnings that did not come again each time
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

// Counted is the number of faults of a run: with any, it has failed.
func (t FaultTally) Counted() int { return t.Errors + t.Warnings }

// Uncounted is the number of what is listed beside them and does not count.
func (t FaultTally) Uncounted() int { return t.Flaky + t.Notes }

// OpClass is what an operation answered in a run. Each operation has one class.
type OpClass int

// The classes, each of what the ones before it are not.
const (
	ClassSucceeded  OpClass = iota // 2xx, at least once
	ClassBroken                    // 5xx, at least once
	ClassRefused                   // another answer: as a rule only 4xx
	ClassUnanswered                // it was called, and no answer came
	ClassUncalled
	NumOpClasses // how many there are
)

// ClassOf is the class of an operation that answered, by its answers.
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

// Classes counts the operations by their class; together they are Operations.
func (s *Summary) Classes() [NumOpClasses]int {
	rest := s.Operations - s.With2xx - s.Only5xx - s.Only4xx - s.NotAnswered
	return [NumOpClasses]int{ClassSucceeded: s.With2xx, ClassBroken: s.Only5xx, ClassRefused: s.Only4xx, ClassUnanswered: s.NotAnswered, ClassUncalled: max(0, rest)}
}

// CountFaults counts the faults of a run.
func (s *Summary) CountFaults(all []Fault) {
	t := TallyFaults(all)
	s.Faults, s.Flaky, s.Notes = t.Counted(), t.Flaky, t.Notes
}

// CountAnswers counts the operations by what they were answered, the grid of a Snapshot.
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
