package match

import (
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Limits of what is read of one operation: a hostile document can nest without end, and values at
// depth twenty are of no use. If there are many operations, maxOfAll is shared among them; it needs
// a few hundred MB.
const (
	maxUses   = 20_000
	maxOfAll  = 1_000_000
	fairShare = 100
	maxDepth  = 20
)

// shareOf returns the maximum number of values for each of a number of operations.
func shareOf(ops int) int { return min(maxUses, max(fairShare, maxOfAll/max(1, ops))) }

// walk goes through the schemas of an operation and collects the values that
// they name. A second visit would add nothing, so cycles end.
type walk struct {
	reading Reading
	element string
	most    int // uses
	uses    []ValueUse
	in      model.Location
	out     bool
	// optional reports whether the message is optional.
	optional bool
	seen     map[visit]bool // whether what was visited names values
}

type visit struct {
	schema *model.Schema
	open   bool
}

// spot is the position of a schema.
type spot struct {
	at       string // JSON pointer in the message
	required bool   // all that lead to it are
	owner    string // the outermost component that the schema is a part of
	holder   string // the property that it is the schema of
	depth    int
}

// begin starts a message, or a parameter.
func (w *walk) begin(in model.Location, out bool) {
	w.in, w.out, w.optional = in, out, false
	w.seen = map[visit]bool{}
}

func (w *walk) use(u ValueUse) {
	if len(w.uses) < w.most {
		u.Out, u.Mandatory = w.out, u.Required
		u.Required = u.Required && !w.optional
		w.uses = append(w.uses, u)
	}
}

// schema adds the values of s and reports whether it names any. An object gives
// its properties if open; what an array holds is always open.
func (w *walk) schema(s *model.Schema, at spot, open bool) bool {
	if s == nil || at.depth > maxDepth {
		return false
	}
	v := visit{s, open}
	if named, ok := w.seen[v]; ok {
		return named
	}
	w.seen[v] = true // inside itself
	w.seen[v] = w.visit(s, at, open)
	return w.seen[v]
}

func (w *walk) visit(s *model.Schema, at spot, open bool) bool {
	if at.owner == "" {
		at.owner = s.Name
	}
	at.depth++
	if s.Type == "array" || s.Items != nil {
		at.at, at.owner = at.at+"/0", ""
		return w.schema(s.Items, at, true)
	}
	named := false
	for _, part := range s.AllOf {
		named = w.schema(part, at, open) || named
	}
	if !open {
		return named
	}
	if w.reading == DeepReading {
		named = w.choices(s, at) || named
	}
	for _, p := range s.Properties {
		w.property(p, at)
	}
	return named || len(s.Properties) > 0
}

// choices adds the values of all that a schema may be; none of them must be
// there.
func (w *walk) choices(s *model.Schema, at spot) bool {
	named := false
	at.required = false
	for _, parts := range [][]*model.Schema{s.OneOf, s.AnyOf} {
		for _, part := range parts {
			named = w.schema(part, at, true) || named
		}
	}
	return named
}

func (w *walk) property(p model.Property, at spot) {
	if w.reading == DeepReading && (p.Schema.ReadOnly && !w.out || p.Schema.WriteOnly && w.out) {
		return
	}
	place := at.at + "/" + token(p.Name)
	required := p.Required && at.required
	if w.reading == DeepReading && w.schema(p.Schema, spot{at: place, required: required, holder: p.Name, depth: at.depth}, true) {
		return
	}
	w.use(ValueUse{
		Value:  model.Value{Name: p.Name, Required: required, Type: p.Schema.Type, In: w.in, Pointer: place},
		schema: p.Schema, owner: at.owner, holder: at.holder,
	})
}

// token writes a name into a JSON pointer.
func token(name string) string {
	if strings.ContainsAny(name, "~/") {
		return pointer.Escape(name)
	}
	return name
}
