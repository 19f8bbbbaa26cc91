package model

// Command is a change that the user makes to a search, before it starts or while it runs.
// Exactly one field is set.
type Command struct {
	Change   *TuningChange `json:"turn,omitempty"`
	Priority *Priority     `json:"stress,omitempty"`
	// Try is the structure of a test that the user asks for. The search tries it next.
	Try *Template `json:"try,omitempty"`
	// Stub is added to every test from now on, before the stubs of the test. A stub without answers removes an
	// earlier stub for the same messages.
	Stub *Stub `json:"stub,omitempty"`
}

// Priority sets how often the search chooses some operations from now on. Findings about other operations
// are still kept.
type Priority struct {
	Kind PriorityKind `json:"kind"`
	Ops  []OpID       `json:"ops,omitempty"`
	// Label describes the operations on screens, such as "tag orders".
	Label string `json:"label"`
}

// PriorityKind is how the priority of operations changes.
type PriorityKind string

// The kinds of priorities.
const (
	// PriorityMuted removes the operations' targets from the search. The search still calls an operation if another
	// operation needs a resource that it creates.
	PriorityMuted PriorityKind = "mute"
	// PriorityBoosted makes the search choose the operations BoostedWeight times as often as by default.
	PriorityBoosted PriorityKind = "boost"
	// PriorityOnly resets the priority of the operations and mutes all others.
	PriorityOnly PriorityKind = "only"
	// PriorityNormal resets the priority of the operations. Without operations, it resets the priority of all.
	PriorityNormal PriorityKind = "plain"
)

// BoostedWeight is the weight of a boosted operation. The default is 1; a muted operation
// has 0.
const BoostedWeight = 4

// AppliedCommand is a Command that took effect.
type AppliedCommand struct {
	Call int `json:"call"` // number of requests before the command
	// Asked is the number of tests that the search had generated before the command. A search with the same
	// seed and the same commands after the same numbers of tests gives the same results.
	Asked int `json:"asked"`
	Command
	// Tuning is the tuning after the command.
	Tuning Tuning `json:"tuning"`
}

// Weights are the weights of operations that differ from 1, the default.
type Weights map[OpID]float64

// WeightOf returns the weight of an operation: 1 if none is set.
func (w Weights) WeightOf(op OpID) float64 {
	if weight, ok := w[op]; ok {
		return weight
	}
	return 1
}

// WithPriority returns the weights of all operations after a change of priority.
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

// after returns the weight of one operation after a change of priority. meant reports whether the change
// names the operation. none reports whether the change names no operation at all.
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

// TestLineage describes how the search made a test.
type TestLineage struct {
	Call int          `json:"call"` // number of requests before it was generated
	Rule CreationRule `json:"rule"`
	// Template is the last operation of the template that the test or its parent follows, "" if there is no template.
	Template OpID `json:"template,omitempty"`
	// Parent is the ID of the test from which this one was made: the test that was mutated or minimised, or the sweep
	// with the finding. The parent may have been discarded later. Target is the target for which the parent was
	// sampled.
	Parent string `json:"parent,omitempty"`
	Target string `json:"target,omitempty"`
	// Change is the kind of a mutation: values, structure, user, rows, or outside (the answers of other hosts).
	Change string `json:"change,omitempty"`
	// First are the targets that this test was the first to cover. Targets in the source are not listed; see Code.
	First []string `json:"first,omitempty"`
	// Code is the number of statements, calls, branches and conditions that this test was the first to cover.
	Code int `json:"code,omitempty"`
}

// CreationRule is the rule by which the search made a test.
type CreationRule string

// The creation rules.
const (
	FromPerson          CreationRule = "person"      // a structure that the user asked for
	FromInitialTemplate CreationRule = "begin"       // a template, in the first phase of a search
	FromRecording       CreationRule = "record"      // a recorded test with which the search starts
	FromTemplate        CreationRule = "template"    // a template, by smart sampling
	FromSweep           CreationRule = "sweep"       // many values of one operation; with a parent, a test for one finding of a sweep
	FromNegative        CreationRule = "negative"    // edge cases of one operation; with a parent, a test for one finding
	FromInteraction     CreationRule = "interaction" // a call of an operation after another one has changed what it depends on
	FromAttempt         CreationRule = "attempt"     // a call of an operation that has not succeeded, with other sources of its inputs
	FromRandomCalls     CreationRule = "chance"      // random calls
	FromMigration       CreationRule = "migration"   // a test of another island
	FromMutation        CreationRule = "mutation"    // another test, mutated
	FromMinimisation    CreationRule = "minimise"    // another test, with fewer calls or simpler values
)
