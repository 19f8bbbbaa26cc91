package model_test

import (
	"testing"

	"sonde/model"
)

func TestTallyFaults(t *testing.T) {
	fault := func(severity model.Severity, verdict model.Verdict) model.Fault {
		return model.Fault{Severity: severity, Verdict: verdict}
	}
	all := []model.Fault{
		fault(model.SeverityError, model.VerdictReproducible),
		fault(model.SeverityError, ""),
		fault(model.SeverityError, model.VerdictFlaky),
		fault(model.SeverityWarning, model.VerdictReproducible),
		fault(model.SeverityWarning, model.VerdictFlaky),
		fault(model.SeverityNote, ""),
		fault(model.SeverityNote, model.VerdictFlaky),
		fault(model.SeverityNote, model.VerdictReproducible),
	}
	want := model.FaultTally{Errors: 2, Warnings: 1, Flaky: 2, Notes: 3}
	got := model.TallyFaults(all)
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n := got.Counted() + got.Uncounted(); n != len(all) {
		t.Errorf("the classes have %d faults of %d", n, len(all))
	}
	failing := 0
	for _, f := range all {
		if f.CountsAsFailure() {
			failing++
		}
	}
	var s model.Summary
	s.CountFaults(all)
	if failing != got.Counted() || s.Faults != failing || s.Flaky != 2 || s.Notes != 3 {
		t.Errorf("%d faults count, the tally has %d, the summary %d, %d and %d", failing, got.Counted(), s.Faults, s.Flaky, s.Notes)
	}
}

// Each operation is in one class.
func TestClassesAddUp(t *testing.T) {
	s := model.Summary{Operations: 7, NotAnswered: 1}
	s.CountAnswers(map[model.OpID]map[int]int{
		"a": {200: 1, 500: 2, 404: 1}, "b": {500: 1, 400: 9}, "c": {404: 1, 302: 1}, "d": {201: 1}, "e": {302: 1},
	})
	want := [model.NumOpClasses]int{
		model.ClassSucceeded:  1,
		model.ClassBroken:     2,
		model.ClassRefused:    2,
		model.ClassUnanswered: 1,
		model.ClassUncalled:   1,
	}
	if got := s.Classes(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if s.With2xx != 2 || s.With5xx != 2 || s.Only5xx != 1 {
		t.Errorf("%d with a 2xx, %d with a 5xx, %d of them with no 2xx; want 2, 2 and 1", s.With2xx, s.With5xx, s.Only5xx)
	}
}
