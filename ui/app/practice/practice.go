// Package practice calls distilled seqs on the service while they are listed. It counts the seqs that can
// be completed, and reports why others cannot.
package practice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"sonde/model"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// Listing calls the seqs of a listing and stores the results. Progress may be called from another goroutine
// at the same time.
type Listing struct {
	invoker *search.Invoker
	calls   map[string]outcome // by seqKey
	ran     []CalledSeq        // the seqs that completed, in the order of the listing
	GaveUp  bool

	mu   sync.Mutex
	line string
}

// outcome is the result of one seq.
type outcome struct {
	done, success bool
	why           Obstacle // the first call without a 2xx answer
}

// Obstacle is the call at which a seq failed.
type Obstacle struct {
	Op     model.OpID `json:"op"`
	Status int        `json:"status,omitempty"` // 0 without a response
}

// CalledSeq is a seq that completed, with the status of each call.
type CalledSeq struct {
	Operations model.Seq `json:"operations"`
	Statuses   []int     `json:"statuses"`
}

func seqKey(seq model.Seq) string { return fmt.Sprintf("%q", seq) }

// NewListing returns a listing that calls seqs with v.
func NewListing(v *search.Invoker) *Listing {
	return &Listing{invoker: v, calls: map[string]outcome{}, line: "  0%"}
}

// Invoke calls a seq. done reports whether the seq was completed: all calls but the last were answered with
// 2xx, and the last call got an answer. success reports whether all calls were answered with 2xx.
func (p *Listing) Invoke(ctx context.Context, seq model.Seq) (done, success bool, err error) {
	a, err := p.invoker.Invoke(ctx, seq)
	if err == nil {
		p.note(a)
	}
	p.tell()
	return a.Completed(), a.Succeeded(), err
}

func (p *Listing) note(a search.Invocation) {
	o := outcome{done: a.Completed(), success: a.Succeeded()}
	if !o.success {
		call := a.Calls[a.FirstFailure()]
		o.why = Obstacle{call.Op, call.Status}
	}
	p.calls[seqKey(a.Seq())] = o
	if !o.done {
		return
	}
	called := CalledSeq{Operations: a.Seq()}
	for _, c := range a.Calls {
		called.Statuses = append(called.Statuses, c.Status)
	}
	p.ran = append(p.ran, called)
}

func (p *Listing) tell() {
	s := p.invoker.Summary()
	line := fmt.Sprintf("%3.0f%%  %s, %s/s  %s, %s ran to the end", 100*p.invoker.UsedShare(), words.Plural(s.Calls, "call"),
		words.Count(int(s.Rate)), words.Plural(len(p.calls), "seq"), words.Count(len(p.ran)))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = line
}

// Progress returns the state in one line.
func (p *Listing) Progress() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.line
}

// Report is the JSON of sonde seqs --call.
type Report struct {
	Seqs   []CalledSeq `json:"seqs"`
	GaveUp bool        `json:"gave_up"`
	// Listed counts the seqs that the spec alone gives. Each of them is in one more count:
	//  - Practical: it was completed.
	//  - Failed: it was called, but not completed.
	//  - Barred: it begins with a seq that did not succeed.
	//  - Open: it is none of these.
	//
	// Successful counts the practical seqs in which all calls were answered with 2xx.
	Listed     int     `json:"listed"`
	Practical  int     `json:"practical"`
	Successful int     `json:"successful"`
	Failed     int     `json:"failed"`
	Barred     int     `json:"barred"`
	Open       int     `json:"open"`
	Share      float64 `json:"share"` // share of the listed seqs that are practical, 0 to 1
	// Reasons has the obstacles of failed and barred seqs, the most frequent first.
	Reasons []ObstacleCount `json:"reasons"`
	UsedUp  bool            `json:"budget_used_up"`
	Summary model.Summary   `json:"summary"`
	Faults  []model.Fault   `json:"faults"`
}

// ObstacleCount is an obstacle with the number of seqs that failed or are barred because of it.
type ObstacleCount struct {
	Obstacle
	Seqs int `json:"seqs"`
}

// NewReport compares the results with the seqs that the spec alone gives. err is the reason why the calls
// ended early, or nil.
func NewReport(p *Listing, static []model.Seq, err error) Report {
	r := Report{
		Seqs: append([]CalledSeq{}, p.ran...), GaveUp: p.GaveUp, Listed: len(static), Reasons: []ObstacleCount{},
		UsedUp: errors.Is(err, client.ErrBudget), Summary: p.invoker.Summary(), Faults: append([]model.Fault{}, p.invoker.Faults()...),
	}
	r.Summary.Cancelled = errors.Is(err, context.Canceled)
	reasons := map[Obstacle]int{}
	for _, seq := range static {
		r.count(p, seq, reasons)
	}
	r.Share = float64(r.Practical) / float64(r.Listed)
	for why, seqs := range reasons {
		r.Reasons = append(r.Reasons, ObstacleCount{why, seqs})
	}
	slices.SortFunc(r.Reasons, func(a, b ObstacleCount) int {
		return cmp.Or(b.Seqs-a.Seqs, cmp.Compare(a.Op, b.Op), a.Status-b.Status)
	})
	return r
}

// count adds a seq to one of the numbers. The outcome of the seq decides to which one. If the seq was not called, the
// outcome of its longest prefix that was called decides. If the seq failed or is barred, count also counts the
// obstacle in reasons.
func (r *Report) count(p *Listing, seq model.Seq, reasons map[Obstacle]int) {
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

// AnswerText describes the answer to the call.
func (o Obstacle) AnswerText() string {
	if o.Status == 0 {
		return "gave no answer"
	}
	return fmt.Sprintf("answered %d", o.Status)
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
