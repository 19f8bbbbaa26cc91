package runner

import (
	"net"
	"slices"

	"sonde/model"
	"sonde/model/route"
	"sonde/runner/outside"
	"sonde/runner/probe"
)

// tellOf lets the search know what the service reads of others.
func (c *crew) tellOf(w *outside.World) {
	w.Provided = newProviders(c.plan.Net).answers
	if c.source != nil && !c.blind() {
		m := c.source.manifest
		w.Shapes, w.Headers, w.Readable, w.Patterns, w.Lengths = c.shapes(), m.Headers, m.Readable, m.Patterns, m.Lengths
		if m.Separators != nil {
			w.Words, w.Parts = m.Separators.Words, m.Separators.Parts
		}
	}
}

// shapes are of the JSON that the service's source reads from others, as schemas: all
// that it reads, but for what its own spec has as the body of a request.
func (c *crew) shapes() (all []*model.Schema) {
	for _, s := range c.source.manifest.Shapes {
		if !slices.ContainsFunc(c.plan.Spec.Operations, func(op *model.Operation) bool { return takes(op, s) }) {
			all = append(all, schemaOf(s))
		}
	}
	return all
}

// takes reports whether an operation's body has all fields of a shape.
func takes(op *model.Operation, s probe.Shape) bool {
	if op.Body == nil || len(s.Fields) == 0 {
		return false
	}
	return slices.ContainsFunc(op.Body.Contents, func(c model.Content) bool {
		return c.Schema != nil && !slices.ContainsFunc(s.Fields, func(f probe.Field) bool { return c.Schema.Property(f.Name) == nil })
	})
}

// schemaOf is a shape as a schema. No field needs to be there, or to have a value.
func schemaOf(s probe.Shape) *model.Schema {
	out := &model.Schema{Type: s.Type, Format: s.Format}
	for _, f := range s.Fields {
		field := schemaOf(f.Shape)
		field.Nullable = true
		out.Properties = append(out.Properties, model.Property{Name: f.Name, Schema: field})
	}
	if s.Items != nil {
		out.Items = schemaOf(*s.Items)
	}
	if s.Values != nil {
		out.Additional = schemaOf(*s.Values)
	}
	return out
}

// providers are the specs of hosts, ready to be asked.
type providers map[string]*route.Router

func newProviders(n *model.Net) providers {
	all := providers{}
	if n != nil {
		for host, spec := range n.Providers {
			all[host] = route.New(spec)
		}
	}
	return all
}

// answers returns what the spec of a host declares to answer; nil where it has none.
// The host may be named with its port or without.
func (p providers) answers(host, method, path string) []model.Response {
	router := p[host]
	if router == nil {
		name, _, _ := net.SplitHostPort(host)
		router = p[name]
	}
	if router == nil {
		return nil
	}
	m, ok := router.Find(method, path)
	if !ok {
		return nil
	}
	return m.Op.Responses
}
