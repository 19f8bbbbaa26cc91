package practice

import (
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// Kind says how the call of a seq ended, or why the seq was not called.
type Kind int

// The kinds of results. Each listed seq has one of them.
const (
	Open      Kind = iota // it was not called
	Practical             // it was completed
	Failed                // it was called, but not completed
	Barred                // it begins with a seq that did not succeed
)

// String returns the word for the kind, as in a filter.
func (k Kind) String() string { return [...]string{"open", "practical", "failed", "barred"}[k] }

// Sign returns the sign of the kind, in its style.
func (k Kind) Sign() draw.Span {
	return [...]draw.Span{
		Open:      {Text: theme.Untried, Style: theme.Dim},
		Practical: {Text: theme.Ok, Style: theme.Good},
		Failed:    {Text: theme.Failed, Style: theme.Bad},
		Barred:    {Text: theme.Barred, Style: theme.Warn},
	}[k]
}

// Result is the result of calling a seq.
type Result struct {
	Kind Kind
	// Called is the result of the seq or, if the seq is barred, of the shorter seq that bars it. It is nil for an open
	// seq.
	Called *usecase.CalledSeq
}

// Results has the results of the seqs that were called.
type Results struct {
	run    int // the number of the listing, so that a new one can be recognised
	called []usecase.CalledSeq
	by     map[string]int // key: seq; value: its index in called
}

// reset forgets the results, because another listing begins.
func (r *Results) reset() { *r = Results{run: r.run + 1} }

// Run returns the number of the listing to which the results belong.
func (r *Results) Run() int { return r.run }

// Any reports whether a seq was called.
func (r *Results) Any() bool { return len(r.called) > 0 }

// Called returns the seqs that were called, in the order of the calls. The caller must not change them.
func (r *Results) Called() []usecase.CalledSeq { return r.called }

// add sets the list of the called seqs. The list begins with the seqs of the previous list.
func (r *Results) add(called []usecase.CalledSeq) {
	if r.by == nil {
		r.by = map[string]int{}
	}
	for i := len(r.called); i < len(called); i++ {
		r.by[key(called[i].Test.Seq())] = i
	}
	r.called = called
}

func key(seq model.Seq) string {
	var b strings.Builder
	for _, op := range seq {
		b.WriteString(string(op))
		b.WriteByte('\n')
	}
	return b.String()
}

// Of returns the result of a seq. If the seq was not called, it is barred if it begins with a called seq that did not
// succeed, otherwise open.
func (r *Results) Of(seq model.Seq) Result {
	for n := len(seq); n > 0 && r.Any(); n-- {
		i, known := r.by[key(seq[:n])]
		if !known {
			continue
		}
		c := &r.called[i]
		switch {
		case n == len(seq) && c.Completed:
			return Result{Kind: Practical, Called: c}
		case n == len(seq):
			return Result{Kind: Failed, Called: c}
		case !c.Succeeded:
			return Result{Kind: Barred, Called: c}
		}
		break
	}
	return Result{}
}

// Explain returns sentences that explain the result of a seq. It returns "" for an open seq.
func (r Result) Explain() string {
	if r.Kind == Open {
		return ""
	}
	why := draw.Clean(string(r.Called.Obstacle.Op)) + " " + r.Called.Obstacle.AnswerText()
	switch {
	case r.Kind == Failed:
		return "Failed when it was called: " + why + "."
	case r.Kind == Barred:
		return "Barred: it begins with a seq that did not succeed, because " + why + "."
	case r.Called.Succeeded:
		return "Practical: all its calls were answered 2xx."
	}
	return "Practical, but no longer seq begins with it: " + why + "."
}
