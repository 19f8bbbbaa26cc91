package depend

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/model/resource"
)

// demand is a value that an operation needs and that the client cannot make
// up, because it names a thing or lets somebody in.
type demand struct {
	op    int
	value int
}

// demander tells which of the values that operations take are demands.
type demander struct {
	things map[string]bool // what the API's entities are called
	known  map[model.OpID]*Entity
	at     map[*model.Operation]*resource.Resource
}

// demands tells whether a value is one.
func (d demander) demands(op *model.Operation, u match.Use) bool {
	if u.Out || !u.Required || given(schemaOf(op, u)) {
		return false
	}
	switch u.In {
	case model.InPath:
		return d.inPath(op, u)
	case model.InHeader, model.InCookie:
		return credential(u.Name)
	}
	return credential(u.Name) || plainType(u.Type) && d.names(u.Name) && !d.own(op, u.Name)
}

// inPath tells whether a path parameter names something that must be there: not
// the id that the client chooses for what it creates, and not a bare number
// such as the sides of a triangle.
func (d demander) inPath(op *model.Operation, u match.Use) bool {
	r := d.at[op]
	if placeOf(r, op, u.Name) == r && created(r, op) {
		return false
	}
	return u.Type != "integer" && u.Type != "number" || match.Identifies(u.Name) || d.kept(d.known[op.ID])
}

// kept tells whether an entity is more than something to be computed.
func (d demander) kept(e *Entity) bool {
	for _, role := range []Role{Create, Update, Delete} {
		if len(e.Operations[role]) > 0 {
			return true
		}
	}
	return len(e.Operations[Read]) > 1
}

// names tells whether a field's name says that it holds an id. A code or a
// number may be anything, unless it is one of a thing that the API keeps.
func (d demander) names(field string) bool {
	if !match.Identifies(field) {
		return false
	}
	for _, thing := range match.Things(field) {
		if d.things[thing] {
			return true
		}
	}
	lower := strings.ToLower(field)
	return !strings.HasSuffix(lower, "code") && !strings.HasSuffix(lower, "number")
}

// own tells whether a field is the id of the very thing that an operation
// creates, which the client may choose.
func (d demander) own(op *model.Operation, field string) bool {
	e := d.known[op.ID]
	if !slices.Contains(e.Operations[Create], op.ID) {
		return false
	}
	things := match.Things(field)
	return len(things) == 0 || slices.Contains(things, match.Thing(match.Resource(e.Path)))
}

// credential tells whether a name says that the value lets somebody in. The key
// of a request, by which a repetition is known, does not.
func credential(name string) bool {
	lower := strings.ToLower(name)
	if strings.Contains(lower, "idempotency") {
		return false
	}
	return strings.HasSuffix(lower, "token") || strings.HasSuffix(lower, "apikey") ||
		strings.HasSuffix(lower, "api-key") || strings.HasSuffix(lower, "api_key") || lower == "authorization"
}

func plainType(t string) bool { return t == "string" || t == "integer" || t == "number" || t == "" }

// given tells whether the document itself says what a value may be.
func given(s *model.Schema) bool {
	return s != nil && (len(s.Enum) > 0 || s.Const != nil || s.Default != nil || s.Type == "boolean")
}

// schemaOf returns the schema of a value that an operation takes, nil where it
// is not to be found.
func schemaOf(op *model.Operation, u match.Use) *model.Schema {
	if u.In == model.InBody {
		return inside(bodyOf(op), strings.Split(u.Pointer, "/")[1:], 0)
	}
	for _, p := range op.Params {
		if p.In == u.In && p.Name == u.Name {
			return p.Schema
		}
	}
	return nil
}

// maxNesting is how deep a schema is followed.
const maxNesting = 20

// inside returns the schema at a JSON pointer's steps below one.
func inside(s *model.Schema, steps []string, depth int) *model.Schema {
	switch {
	case s == nil || len(steps) == 0 || depth > maxNesting:
		return s
	case s.Items != nil:
		return inside(s.Items, steps[1:], depth+1)
	}
	if p := s.Property(pointer.Unescape(steps[0])); p != nil {
		return inside(p.Schema, steps[1:], depth+1)
	}
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		if found := inside(part, steps, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// placeOf returns the place on an operation's path whose parameter is called
// so, or nil.
func placeOf(r *resource.Resource, op *model.Operation, param string) *resource.Resource {
	for _, p := range places(r, resource.Segments(op.Path)) {
		if slices.Contains(p.names, param) {
			return p.at
		}
	}
	return nil
}
