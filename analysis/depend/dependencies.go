package depend

import (
	"sonde/model"
	"sonde/model/match"
)

// Dependencies returns the graph of the values that operations pass to each
// other by name, in a reading of their schemas.
func Dependencies(ops []*model.Operation, reading match.Reading) *Graph {
	ids := make([]model.OpID, len(ops))
	takes, emits := make([][]string, len(ops)), make([][]string, len(ops))
	for i, op := range ops {
		v := match.Read(op, reading)
		ids[i] = op.ID
		takes[i], emits[i] = nameAll(v.In), nameAll(v.Out)
	}
	return newGraph(ids, takes, emits)
}

func nameAll(values []model.Value) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = v.Name
	}
	return list
}
