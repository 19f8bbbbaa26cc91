package usecase_test

import (
	"testing"

	"sonde/ui/app/usecase"
)

// At returns the last point of a curve whose number of calls is not greater than the given number.
func TestCurveAt(t *testing.T) {
	first, last := usecase.ListingPoint{Calls: 3, Practical: 1, Operations: 1}, usecase.ListingPoint{Calls: 9, Practical: 2, Operations: 4}
	l := usecase.RuleListing{Curve: []usecase.ListingPoint{first, last}}
	for calls, want := range map[int]usecase.ListingPoint{0: {}, 2: {}, 3: first, 8: first, 9: last, 100: last} {
		if got := l.At(calls); got != want {
			t.Errorf("after %d calls: got %+v, want %+v", calls, got, want)
		}
	}
	if got := (usecase.RuleListing{}).At(5); got != (usecase.ListingPoint{}) {
		t.Errorf("without a curve: got %+v", got)
	}
}

// Share is 0 without any listed seqs.
func TestShare(t *testing.T) {
	if got := (usecase.SeqCounts{Listed: 4, Practical: 1}).Share(); got != 0.25 {
		t.Errorf("got %v, want 0.25", got)
	}
	if got := (usecase.SeqCounts{}).Share(); got != 0 {
		t.Errorf("without seqs: got %v", got)
	}
}

func TestAnswerText(t *testing.T) {
	for status, want := range map[int]string{0: "gave no answer", 404: "answered 404"} {
		if got := (usecase.Obstacle{Status: status}).AnswerText(); got != want {
			t.Errorf("status %d: got %q, want %q", status, got, want)
		}
	}
}

// A campaign is in progress until it ends or is cancelled.
func TestInProgress(t *testing.T) {
	for _, c := range []struct{ ended, cancelled, want bool }{{false, false, true}, {true, false, false}, {false, true, false}} {
		if got := (usecase.Campaign{Ended: c.ended, Cancelled: c.cancelled}).InProgress(); got != c.want {
			t.Errorf("%+v: got %t", c, got)
		}
	}
}
