package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"sonde/model"
	"sonde/runner"
	"sonde/runner/client"
	"sonde/ui/pane"
	"sonde/ui/words"
)

// practice is how the calling of seqs went. While it goes on, progress may be
// called from another goroutine.
type practice struct {
	invoker *runner.Invoker
	calls   map[string]outcome // by the seq
	ran     []calledSeq        // to their end, in the order of the listing
	gaveUp  bool

	mu   sync.Mutex
	line string
}

// outcome is what came of one seq.
type outcome struct {
	done, success bool
	why           obstacle // of the first call that was not answered 2xx
}

// obstacle is why a seq did not go further.
type obstacle struct {
	Op     model.OpID `json:"op"`
	Status int        `json:"status,omitempty"` // 0 where there was no answer
}

// calledSeq is a seq that ran to its end, with the status of each call.
type calledSeq struct {
	Operations model.Seq `json:"operations"`
	Statuses   []int     `json:"statuses"`
}

func seqKey(seq model.Seq) string { return fmt.Sprintf("%q", seq) }

func newPractice(v *runner.Invoker) *practice {
	return &practice{invoker: v, calls: map[string]outcome{}, line: "  0%"}
}

// invoke is the listing's Invoke.
func (p *practice) invoke(ctx context.Context, seq model.Seq) (done, success bool, err error) {
	a, err := p.invoker.Invoke(ctx, seq)
	if err == nil {
		p.note(a)
	}
	p.tell()
	return a.Done(), a.Success(), err
}

func (p *practice) note(a runner.Attempt) {
	o := outcome{done: a.Done(), success: a.Success()}
	if !o.success {
		call := a.Calls[a.Failed()]
		o.why = obstacle{call.Op, call.Status}
	}
	p.calls[seqKey(a.Seq())] = o
	if !o.done {
		return
	}
	called := calledSeq{Operations: a.Seq()}
	for _, c := range a.Calls {
		called.Statuses = append(called.Statuses, c.Status)
	}
	p.ran = append(p.ran, called)
}

func (p *practice) tell() {
	s := p.invoker.Summary()
	line := fmt.Sprintf("%3.0f%%  %s, %s/s  %s, %s ran to the end", 100*p.invoker.Used(), words.Plural(s.Calls, "call"),
		words.Count(int(s.Rate)), words.Plural(len(p.calls), "seq"), words.Count(len(p.ran)))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = line
}

func (p *practice) progress() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.line
}

// practiceReport is the JSON of seqs where it calls.
type practiceReport struct {
	Seqs   []calledSeq `json:"seqs"`
	GaveUp bool        `json:"gave_up"`
	// Listed counts the seqs that the spec alone gives. Each is either
	// Practical, for it ran to its end; Failed, for it did not; Barred, for it
	// begins with one that did not succeed; or was not reached, and Open.
	// Successful are those of the practical ones where all calls went well.
	Listed     int     `json:"listed"`
	Practical  int     `json:"practical"`
	Successful int     `json:"successful"`
	Failed     int     `json:"failed"`
	Barred     int     `json:"barred"`
	Open       int     `json:"open"`
	Share      float64 `json:"share"` // of the listed seqs that are practical, 0 to 1
	// Reasons are why seqs failed or are barred, the most frequent first.
	Reasons []countedObstacle `json:"reasons"`
	UsedUp  bool              `json:"budget_used_up"`
	Summary model.Summary     `json:"summary"`
	Faults  []model.Fault     `json:"faults"`
}

type countedObstacle struct {
	obstacle
	Seqs int `json:"seqs"`
}

// newPracticeReport compares what went well with what the spec alone gives. err
// is why the calling ended early.
func newPracticeReport(p *practice, static []model.Seq, err error) practiceReport {
	r := practiceReport{
		Seqs: append([]calledSeq{}, p.ran...), GaveUp: p.gaveUp, Listed: len(static), Reasons: []countedObstacle{},
		UsedUp: errors.Is(err, client.ErrBudget), Summary: p.invoker.Summary(), Faults: append([]model.Fault{}, p.invoker.Faults()...),
	}
	r.Summary.Cancelled = errors.Is(err, context.Canceled)
	reasons := map[obstacle]int{}
	for _, seq := range static {
		r.count(p, seq, reasons)
	}
	r.Share = float64(r.Practical) / float64(r.Listed)
	for why, seqs := range reasons {
		r.Reasons = append(r.Reasons, countedObstacle{why, seqs})
	}
	slices.SortFunc(r.Reasons, func(a, b countedObstacle) int {
		return cmp.Or(b.Seqs-a.Seqs, cmp.Compare(a.Op, b.Op), a.Status-b.Status)
	})
	return r
}

// count says of a seq how practical it is: by its own outcome, or that of the
// longest seq that it begins with.
func (r *practiceReport) count(p *practice, seq model.Seq, reasons map[obstacle]int) {
	for n := len(seq); n > 0; n-- {
		o, called := p.calls[seqKey(seq[:n])]
		switch {
		case !called:
			continue
		case n == len(seq) && o.done:
			r.Practical++
			r.Successful += one(o.success)
			return
		case n == len(seq):
			r.Failed++
		case o.success:
			r.Open++
			return
		default:
			r.Barred++
		}
		reasons[o.why]++
		return
	}
	r.Open++
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// mostReasons is how many reasons a person is told.
const mostReasons = 5

func (r practiceReport) print(s streams) error {
	for _, seq := range r.Seqs {
		if _, err := fmt.Fprintln(s.out, seq); err != nil {
			return err
		}
	}
	tell(s.err, "practical: %s of %s (%.0f%%), %s of them with 2xx throughout",
		words.Count(r.Practical), words.Plural(r.Listed, "listed seq"), 100*r.Share, words.Count(r.Successful))
	if r.Failed+r.Barred > 0 {
		tell(s.err, "%s broke off, %s with one that did not succeed:", words.Count(r.Failed), begins(r.Barred))
	}
	for _, why := range r.Reasons[:min(mostReasons, len(r.Reasons))] {
		tell(s.err, "  %s: %s %s", words.Plural(why.Seqs, "seq"), why.Op, why.answer())
	}
	if more := len(r.Reasons) - mostReasons; more > 0 {
		tell(s.err, "  and %s: --json lists them", words.Plural(more, "rarer reason"))
	}
	for _, fault := range r.Faults {
		if fault.Counts() {
			tell(s.err, "fault: %s", faultLine(fault))
		}
	}
	for _, text := range warnings(r.Summary.Warnings) {
		tell(s.err, "warning: %s", text)
	}
	tell(s.err, "%s sent, %s of them to set up", words.Plural(r.Summary.Calls, "call"), words.Count(r.Summary.SetUp))
	r.printEnd(s)
	return nil
}

// begins is how many seqs begin with something.
func begins(n int) string {
	if n == 1 {
		return "1 begins"
	}
	return words.Count(n) + " begin"
}

// printEnd says why there might be more.
func (r practiceReport) printEnd(s streams) {
	reached := "all listed seqs were reached, but there may be more"
	if r.Open > 0 {
		reached = fmt.Sprintf("%s of %s were not reached", words.Count(r.Open), words.Plural(r.Listed, "listed seq"))
	}
	switch {
	case r.UsedUp:
		tell(s.err, "the budget is used up: %s; raise --calls or --time", reached)
	case r.Summary.Cancelled:
		tell(s.err, "stopped: %s", reached)
	case r.GaveUp:
		tellMore(s.err, len(r.Seqs))
	}
}

func (o obstacle) answer() string {
	if o.Status == 0 {
		return "gave no answer"
	}
	return fmt.Sprintf("answered %d", o.Status)
}

// String is the seq with its statuses, safe to print.
func (c calledSeq) String() string {
	text := ""
	for i, op := range c.Operations {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", pane.Clean(string(op)), c.Statuses[i])
	}
	return text
}
