package screen

import (
	"context"

	"sonde/analysis/depend"
	"sonde/analysis/distil"
	"sonde/analysis/share"
	"sonde/model"
	"sonde/model/match"
)

// NewStudy analyses a spec, its values read and matched in one way. It is slow for large
// specs and belongs into a Cmd. Its error is the context's.
func NewStudy(ctx context.Context, spec *model.Spec, way match.Way) (*Study, error) {
	matcher := match.New(spec.Operations, way)
	table := matcher.Table(spec.Operations)
	listed, err := distil.List(ctx, table, distil.Options{Rule: distil.DC})
	if err != nil {
		return nil, err
	}
	s := &Study{
		Spec: spec, Matcher: matcher,
		Groups: share.Groups(table), GroupOf: map[model.OpID]int{},
		Graph: depend.Dependencies(table),
		Wires: wires(spec),
		Seqs:  listed.Seqs, GaveUp: listed.GaveUp,
	}
	for i, g := range s.Groups {
		for _, op := range g.Operations {
			s.GroupOf[op] = i
		}
	}
	return s, nil
}

// Wire tells that the answer of one operation gives the id that another needs,
// by what the paths and names say. Often that id travels in Location or under
// another name, where the groups and the graph, which know values by their
// names alone, don't see it.
type Wire struct {
	From, To model.OpID
	In       model.Place // where To takes it
	Name     string      // the parameter's, or a JSON pointer in the body
}

// wires collects the open links of all templates, each once.
func wires(spec *model.Spec) []Wire {
	var out []Wire
	seen := map[Wire]bool{}
	for _, t := range depend.Templates(spec) {
		for _, l := range t.Links {
			w := Wire{t.Steps[l.From].Op, t.Steps[l.To].Op, l.In, l.Name}
			if l.Open() && w.From != w.To && !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}
