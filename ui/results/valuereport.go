package results

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// ValueReport is the JSON of a value: its identity and its kinds.
type ValueReport struct {
	Value string `json:"value"`
	// Entity is the entity to which the value belongs. It is "" if the value belongs to no entity, and if values are
	// matched by name.
	Entity string `json:"entity,omitempty"`
	// Kinds are the kinds of the value in its places, without duplicates, in order of first appearance. A
	// value may be an identifier in one place and a reference in another.
	Kinds []match.Kind `json:"kinds,omitempty"`
}

// NewValueReports returns the values that some operations take or emit, in order of first appearance.
func NewValueReports(m *match.Matcher, ops []*model.Operation) []ValueReport {
	all, at := []ValueReport{}, map[string]int{}
	for _, op := range ops {
		for _, u := range m.UsesOf(op) {
			i, known := at[u.ID]
			if !known {
				i = len(all)
				at[u.ID] = i
				all = append(all, ValueReport{Value: u.ID, Entity: u.Entity()})
			}
			if u.Kind != "" && !slices.Contains(all[i].Kinds, u.Kind) {
				all[i].Kinds = append(all[i].Kinds, u.Kind)
			}
		}
	}
	return all
}
