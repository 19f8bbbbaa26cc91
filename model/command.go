package model

// Command is something that a person does to a search while it runs, or before it
// begins. One of its fields is set.
type Command struct {
	Change   *TuningChange `json:"turn,omitempty"`
	Priority *Priority     `json:"stress,omitempty"`
	// Try is a structure of one's own, to be tried before all else.
	Try *Template `json:"try,omitempty"`
	// Stub answers in every test from now on, before those of the test. Without
	// answers it takes away the one that a person put there before.
	Stub *Stub `json:"stub,omitempty"`
}

// Priority says how much some operations matter from now on. What a search finds
// of the others by the way it keeps all the same.
type Priority struct {
	Kind PriorityKind `json:"kind"`
	Ops  []OpID       `json:"ops,omitempty"`
	// Label is what a person calls them, such as "tag orders".
	Label string `json:"label"`
}

// PriorityKind is a way to stress operations.
type PriorityKind string

// The ways to stress operations.
const (
	// PriorityMuted keeps the search from seeking what they answer. They are still called
	// where others need what they create.
	PriorityMuted PriorityKind = "mute"
	// PriorityBoosted has them called and sought Boosted times as often as others.
	PriorityBoosted PriorityKind = "boost"
	// PriorityOnly mutes all others.
	PriorityOnly PriorityKind = "only"
	// PriorityNormal takes back what was said of them, or of all if there are none.
	PriorityNormal PriorityKind = "plain"
)

// BoostedWeight is the weight of an operation that is boosted; others have 1, and 0
// where they are muted.
const BoostedWeight = 4

// AppliedCommand tells that a Steer took effect.
type AppliedCommand struct {
	Call int `json:"call"` // requests that had been counted
	// Asked is the number of tests that had been asked for: a search that is given
	// the same seed and the same steers at the same tests finds the same.
	Asked int `json:"asked"`
	Command
	// Tuning is what is in force from then on.
	Tuning Tuning `json:"tuning"`
}

// Weights are how much each operation matters, 1 for those that are not there.
type Weights map[OpID]float64

// WeightOf returns the weight of an operation.
func (w Weights) WeightOf(op OpID) float64 {
	if weight, ok := w[op]; ok {
		return weight
	}
	return 1
}

// WithPriority returns the weights of a spec's operations after a stress.
func (w Weights) WithPriority(s Priority, all []*Operation) Weights {
	meant := map[OpID]bool{}
	for _, op := range s.Ops {
		meant[op] = true
	}
	next := Weights{}
	for _, op := range all {
		next.set(op.ID, w.after(s.Kind, op.ID, meant[op.ID], len(meant) == 0))
	}
	return next
}

// after is the weight of one operation after a stress.
func (w Weights) after(kind PriorityKind, op OpID, meant, none bool) float64 {
	switch {
	case kind == PriorityOnly && !meant, kind == PriorityMuted && meant:
		return 0
	case kind == PriorityBoosted && meant:
		return BoostedWeight
	case kind == PriorityOnly, kind == PriorityNormal && (meant || none):
		return 1
	}
	return w.WeightOf(op)
}

func (w Weights) set(op OpID, weight float64) {
	if weight != 1 {
		w[op] = weight
	}
}

// TestLineage is how the search came by a test.
type TestLineage struct {
	Call int          `json:"call"` // requests that had been counted when it was asked for
	Rule CreationRule `json:"rule"`
	// Template is the operation that the structure is for, also where that comes
	// from the parent; "" where there is none.
	Template OpID `json:"template,omitempty"`
	// Parent is the ID of the test that was mutated or minimised, which need not be kept, and
	// Target the target that it was drawn for.
	Parent string `json:"parent,omitempty"`
	Target string `json:"target,omitempty"`
	// Change says what a mutation changed: values, structure or user.
	Change string `json:"change,omitempty"`
	// First are the targets that it was the first to cover.
	First []string `json:"first,omitempty"`
	// Code is how many statements, calls and branches it was the first to cover.
	Code int `json:"code,omitempty"`
}

// CreationRule is how a test was made.
type CreationRule string

// The rules.
const (
	FromPerson          CreationRule = "person"   // of a structure that somebody asked for
	FromInitialTemplate CreationRule = "begin"    // after a template, with which each search begins
	FromRecording       CreationRule = "record"   // of a recording with which the search begins
	FromTemplate        CreationRule = "template" // after a template, by smart sampling
	FromSweep           CreationRule = "sweep"    // over the values of one operation; with a parent, what one found, alone
	FromRandomCalls     CreationRule = "chance"   // of random calls
	FromMutation        CreationRule = "mutation" // of another test
	FromMinimisation    CreationRule = "minimise" // another test, with fewer calls or plainer values
)
