package depend

import (
	"sonde/model"
	"sonde/model/match"
)

// NewGraph returns the dependency graph of a table's operations, which shows the values that they pass to each other.
func NewGraph(t *match.ValuesTable) *Graph {
	ids := make([]model.OpID, len(t.Ops))
	takes, emits := make([][]string, len(t.Ops)), make([][]string, len(t.Ops))
	for i, op := range t.Ops {
		ids[i] = op.ID
		takes[i], emits[i] = namesOf(t, t.In[i]), namesOf(t, t.Out[i])
	}
	return newGraph(ids, takes, emits)
}

func namesOf(t *match.ValuesTable, values []int) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = t.Names[v]
	}
	return list
}
