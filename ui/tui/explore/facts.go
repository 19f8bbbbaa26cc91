package explore

import (
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/ui/tui/screen"
)

// facts are what the analysis says of an operation.
type facts struct {
	group        int
	takes, emits []flow
}

func factsOf(study *screen.Study, op *model.Operation) facts {
	f := facts{group: study.GroupOf[op.ID]}
	from, to := study.Graph.FedBy(op.ID), study.Graph.Feeds(op.ID)
	for _, u := range once(study.Matcher.Uses(op)) {
		v := u.Value
		if u.Out {
			f.emits = append(f.emits, flow{v, kind(schemaOf(op, v)), sharers(to, u.ID, target)})
			continue
		}
		peers := append(makers(study, op.ID, v), sharers(from, u.ID, source)...)
		f.takes = append(f.takes, flow{v, kind(schemaOf(op, v)), distinct(peers)})
	}
	if made := takers(study, op.ID); len(made) > 0 {
		v := model.Value{Name: "its id", In: model.InResponse}
		f.emits = append([]flow{{v, carrier(op), made}}, f.emits...)
	}
	return f
}

// once drops what is taken, or emitted, a second time.
func once(uses []match.Use) []match.Use {
	type end struct {
		id  string
		out bool
	}
	var list []match.Use
	at := map[end]int{}
	for _, u := range uses {
		i, ok := at[end{u.ID, u.Out}]
		if ok {
			list[i].Required = list[i].Required || u.Required
			continue
		}
		at[end{u.ID, u.Out}] = len(list)
		list = append(list, u)
	}
	return list
}

// sharers are the operations at the other end of edges that carry a value.
func sharers(edges []depend.Edge, name string, end func(depend.Edge) model.OpID) []peer {
	var out []peer
	for _, e := range edges {
		if slices.Contains(e.Values, name) {
			out = append(out, peer{op: end(e)})
		}
	}
	return out
}

func source(e depend.Edge) model.OpID { return e.From }
func target(e depend.Edge) model.OpID { return e.To }

// makers are the operations whose answers give the id that a value is.
func makers(study *screen.Study, op model.OpID, v model.Value) []peer {
	var out []peer
	for _, w := range study.Wires {
		if w.To == op && w.In == v.In && (w.Name == v.Name || w.Name == v.Pointer) {
			out = append(out, peer{w.From, carrier(study.Spec.Operation(w.From))})
		}
	}
	return out
}

// takers are the operations that need the id which an operation's answer gives.
func takers(study *screen.Study, op model.OpID) []peer {
	var out []peer
	for _, w := range study.Wires {
		if w.From == op {
			out = append(out, peer{w.To, receiver(w)})
		}
	}
	return distinct(out)
}

// receiver is the field that takes an id; in a path it is plain to see.
func receiver(w screen.Wire) string {
	if w.In == model.InPath {
		return ""
	}
	return strings.TrimPrefix(w.Name, "/")
}

// distinct drops peers that are there already.
func distinct(peers []peer) []peer {
	var out []peer
	seen := map[model.OpID]bool{}
	for _, p := range peers {
		if !seen[p.op] {
			seen[p.op] = true
			out = append(out, p)
		}
	}
	return out
}

// carrier is where an answer holds the new id: in Location if it is declared,
// else somewhere in its body.
func carrier(op *model.Operation) string {
	for _, r := range op.Responses {
		for _, h := range r.Headers {
			if r.Success() && strings.EqualFold(h.Name, "Location") {
				return "Location"
			}
		}
	}
	return "its id"
}

// schemaOf returns the schema of a value, or nil.
func schemaOf(op *model.Operation, v model.Value) *model.Schema {
	switch v.In {
	case model.InBody:
		return inBody(op.Body, v)
	case model.InResponse:
		return inAnswers(op.Responses, v)
	}
	for _, p := range op.Params {
		if p.Name == v.Name && p.In == v.In {
			return p.Schema
		}
	}
	return nil
}

func inBody(b *model.Body, v model.Value) *model.Schema {
	if b == nil || len(b.Contents) == 0 {
		return nil
	}
	return at(b.Contents[0].Schema, v.Pointer)
}

func inAnswers(all []model.Response, v model.Value) *model.Schema {
	for _, r := range all {
		for _, c := range r.Contents {
			if s := at(c.Schema, v.Pointer); s != nil && (r.Success() || r.Status == "default") {
				return s
			}
		}
	}
	return nil
}

// at returns the schema at a JSON pointer, lists and allOf seen through, or
// nil.
func at(s *model.Schema, place string) *model.Schema {
	if place == "" {
		return s
	}
	for _, step := range strings.Split(place, "/")[1:] {
		if s != nil && step == "0" && s.Items != nil {
			s = s.Items
			continue
		}
		s = property(s, pointer.Unescape(step))
	}
	return s
}

func property(s *model.Schema, name string) *model.Schema {
	for _, p := range properties(s) {
		if p.name == name {
			return p.schema
		}
	}
	return nil
}
