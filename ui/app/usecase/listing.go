package usecase

import (
	"fmt"
	"sort"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
)

// ListingSettings are the settings of a listing of seqs that are called.
type ListingSettings struct {
	// Analysis has the operations to list seqs of. Operations that the configuration excludes are left out.
	Analysis *analysis.Analysis
	// With limits the listing to the seqs that call this operation. "" means no limit.
	With  model.OpID
	Calls int // the budget: the maximum number of requests
	Surroundings
}

// ListingRun lists seqs by the rules DC and SC and calls each seq, as Algorithm 3 of the distiller paper does with
// INVOKE. A seq that both rules list is called only once. The methods may be called from any goroutine, and return at
// once.
type ListingRun interface {
	Snapshot() ListingSnapshot
	Stop()
}

// ListingSnapshot is the state of a ListingRun. It is immutable.
type ListingSnapshot struct {
	Rules []RuleListing // those of the rules DC and SC, in this order
	// Called has the seqs that were called, in the order of the calls. A later snapshot of the run begins with the
	// same seqs.
	Called  []CalledSeq
	Summary model.Summary
	Used    float64 // the used share of the budget, 0 to 1
	Done    bool
	// Err is the reason why the run ended early, or nil if it did not. After Stop it is the error of the context.
	Err error
	// UsedUp reports whether the run ended because the budget is used up.
	UsedUp bool
}

// RuleListing is the state of the listing by one rule.
type RuleListing struct {
	Rule distil.Rule `json:"rule"`
	SeqCounts
	// More reports whether the spec alone gives more seqs than Listed, which is limited.
	More bool `json:"more"`
	// Reachable is the number of operations that occur in the listed seqs. Operations is the number of those that occur
	// in completed seqs.
	Reachable  int `json:"reachable"`
	Operations int `json:"operations"`
	// Calls is the number of requests for the seqs of this listing. A seq that both rules list counts for both.
	Calls int `json:"calls"`
	// Curve has a point for each completed seq, ascending by Calls.
	Curve []ListingPoint `json:"curve"`
	// Reasons has the obstacles of failed and barred seqs, the most frequent first.
	Reasons []ObstacleCount `json:"reasons"`
	// GaveUp reports whether more seqs could be completed than the limit of the listing.
	GaveUp bool `json:"gave_up"`
	Done   bool `json:"-"` // no further seq is called
}

// At returns the last point of the curve that has at most the given number of calls. It returns a point without calls if
// there is none.
func (l RuleListing) At(calls int) ListingPoint {
	n := sort.Search(len(l.Curve), func(i int) bool { return l.Curve[i].Calls > calls })
	if n == 0 {
		return ListingPoint{}
	}
	return l.Curve[n-1]
}

// SeqCounts counts the seqs that the spec alone gives (Listed). Each of them is in one more count:
//   - Practical: it was completed.
//   - Failed: it was called, but not completed.
//   - Barred: it begins with a seq that did not succeed, so it is never called.
//   - Open: it is none of these.
//
// Successful counts the practical seqs in which all calls were answered with 2xx.
type SeqCounts struct {
	Listed     int `json:"listed"`
	Practical  int `json:"practical"`
	Successful int `json:"successful"`
	Failed     int `json:"failed"`
	Barred     int `json:"barred"`
	Open       int `json:"open"`
}

// Share returns the share of the listed seqs that are practical, from 0 to 1.
func (c SeqCounts) Share() float64 { return float64(c.Practical) / float64(max(1, c.Listed)) }

// ListingPoint has the state of a listing after a number of calls: how many seqs are practical, and how many operations
// occur in completed seqs.
type ListingPoint struct {
	Calls      int `json:"calls"`
	Practical  int `json:"practical"`
	Operations int `json:"operations"`
}

// CalledSeq is a seq that was called. Test is the best of the tries, with the statuses of the answers. Its calls after
// the first failure have no status.
type CalledSeq struct {
	Test model.Test
	// Completed reports whether all calls but the last were answered with 2xx, and the last call got an answer.
	Completed bool
	// Succeeded reports whether all calls were answered with 2xx. Otherwise, Obstacle is the first call that was not.
	Succeeded bool
	Obstacle  Obstacle
}

// Obstacle is the call at which a seq failed.
type Obstacle struct {
	Op     model.OpID `json:"op"`
	Status int        `json:"status,omitempty"` // 0 without a response
}

// AnswerText describes the answer to the call.
func (o Obstacle) AnswerText() string {
	if o.Status == 0 {
		return "gave no answer"
	}
	return fmt.Sprintf("answered %d", o.Status)
}

// ObstacleCount is an obstacle with the number of seqs that failed or are barred because of it.
type ObstacleCount struct {
	Obstacle
	Seqs int `json:"seqs"`
}
