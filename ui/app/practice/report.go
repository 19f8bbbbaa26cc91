package practice

import (
	"context"
	"errors"
	"fmt"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
)

// CalledSeq is a seq that completed, with the status of each call.
type CalledSeq struct {
	Operations model.Seq `json:"operations"`
	Statuses   []int     `json:"statuses"`
}

// String returns the seq with its statuses, safe to print.
func (c CalledSeq) String() string {
	text := ""
	for i, op := range c.Operations {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", draw.Clean(string(op)), c.Statuses[i])
	}
	return text
}

// Report is the JSON of sonde seqs --url for one rule.
type Report struct {
	Seqs   []CalledSeq `json:"seqs"`
	GaveUp bool        `json:"gave_up"`
	usecase.SeqCounts
	Share float64 `json:"share"` // share of the listed seqs that are practical, 0 to 1
	// Reasons has the obstacles of failed and barred seqs, the most frequent first.
	Reasons []usecase.ObstacleCount `json:"reasons"`
	Outcome
}

// Outcome is the part of a report that does not depend on the rules.
type Outcome struct {
	UsedUp  bool          `json:"budget_used_up"`
	Summary model.Summary `json:"summary"`
	Faults  []model.Fault `json:"faults"`
}

// Comparison is the JSON of sonde seqs --url with --rule both.
type Comparison struct {
	Rules []usecase.RuleListing `json:"rules"`
	Outcome
}

// Report returns the report of a run with one listing. The run must have ended.
func (r *Run) Report() Report {
	l := r.listings[0]
	state := r.Snapshot().Rules[0]
	report := Report{
		Seqs: make([]CalledSeq, len(l.completed)), GaveUp: state.GaveUp, SeqCounts: state.SeqCounts, Share: state.Share(),
		Reasons: state.Reasons, Outcome: r.outcome(),
	}
	for i, t := range l.completed {
		report.Seqs[i].Operations = t.Seq()
		for _, c := range t.Calls {
			report.Seqs[i].Statuses = append(report.Seqs[i].Statuses, c.Status)
		}
	}
	return report
}

// Comparison returns the report of a run with several listings. The run must have ended.
func (r *Run) Comparison() Comparison {
	return Comparison{Rules: r.Snapshot().Rules, Outcome: r.outcome()}
}

func (r *Run) outcome() Outcome {
	s := r.Snapshot()
	o := Outcome{UsedUp: s.UsedUp, Summary: r.invoker.Summary(), Faults: append([]model.Fault{}, r.invoker.Faults()...)}
	o.Summary.Operations = len(r.listings[0].table.Ops) // the invoker's summary counts all operations of the spec
	o.Summary.Cancelled = errors.Is(s.Err, context.Canceled)
	return o
}
