package depend

import (
	"sonde/model"
	"sonde/model/match"
)

// Connector returns a function that gives a seq its links, as templates have
// them: each path parameter, required query parameter and required field of
// the body takes the id from the latest earlier call that created the
// resource; where none did, from one that listed the resources, or else it has
// the value of the first call that names the same resource in its path. The
// function may be called from several goroutines. Operations that the spec
// does not know get no links.
func Connector(spec *model.Spec) func(model.Seq) model.Template {
	x := newIndex(match.New(spec.Operations, match.Usual), spec.Operations)
	ops := make(map[model.OpID]*model.Operation, len(spec.Operations))
	for _, op := range spec.Operations {
		ops[op.ID] = op
	}
	return func(seq model.Seq) model.Template {
		w := x.wiring(requiredFields, "")
		t := model.Template{Weight: 1}
		for i, id := range seq {
			if op := ops[id]; op != nil {
				t.Links = append(t.Links, w.call(op, i)...)
			}
			t.Steps = append(t.Steps, model.Step{Op: id, Min: 1, Max: 1})
		}
		return t
	}
}
