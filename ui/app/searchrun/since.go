package searchrun

import (
	"sonde/analysis"
	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/ui/words"
)

// ChangedSince says which operations of a spec changed since an older version of it.
type ChangedSince struct {
	// Operations are the operations that are new, have moved, have another contract, or take a value from other
	// operations than before, in the order of the spec.
	Operations []model.OpID
	Removed    int // number of operations that only the older version has
	// ContractError is the reason why contracts could not be compared, nil if they were compared.
	ContractError error
}

// CompareSpecs compares a spec with an older version of it.
func CompareSpecs(older, newer *model.Spec) ChangedSince {
	d := specdiff.Compare(analysis.Analyze(older, analysis.Options{}), analysis.Analyze(newer, analysis.Options{}))
	c := ChangedSince{ContractError: d.ContractError}
	changed := map[model.OpID]bool{}
	for _, op := range d.Operations {
		switch {
		case op.Status == specdiff.StatusRemoved:
			c.Removed++
		case op.Status != specdiff.StatusRenamed || len(op.Changes) > 0:
			changed[op.New] = true
		}
	}
	for _, f := range d.Feeders {
		changed[f.Operation] = true
	}
	for _, op := range newer.Operations {
		if changed[op.ID] {
			c.Operations = append(c.Operations, op.ID)
		}
	}
	return c
}

// Commands returns the commands by which a search spends its budget on what changed. It returns none if no operation of
// the spec changed. label names the older version.
func (c ChangedSince) Commands(label string) []model.AppliedCommand {
	if len(c.Operations) == 0 {
		return nil
	}
	only := model.Priority{
		Kind: model.PriorityOnly, Ops: c.Operations,
		Label: words.Plural(len(c.Operations), "operation") + " that changed since " + label,
	}
	return []model.AppliedCommand{{Command: model.Command{Priority: &only}}}
}
