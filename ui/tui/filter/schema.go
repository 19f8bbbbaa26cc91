package filter

import "sonde/model"

// components finds the named schemas of messages. It caches the named schemas inside each schema, because
// most operations of a large document share most schemas.
type components struct {
	inside map[*model.Schema][]*model.Schema
}

// names returns the names of all schemas in an operation's messages, without duplicates.
func (c *components) names(op *model.Operation) []string {
	var names []string
	seen, had := map[*model.Schema]bool{}, map[string]bool{}
	next := namedIn(rootsOf(op)...)
	for len(next) > 0 {
		s := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		if !had[s.Name] {
			had[s.Name] = true
			names = append(names, s.Name)
		}
		inside, known := c.inside[s]
		if !known {
			inside = namedIn(partsOf(s)...)
			c.inside[s] = inside
		}
		next = append(next, inside...)
	}
	return names
}

// rootsOf returns the schemas of an operation's messages.
func rootsOf(op *model.Operation) []*model.Schema {
	var roots []*model.Schema
	contents := func(all []model.Content) {
		for _, c := range all {
			roots = append(roots, c.Schema)
		}
	}
	body := func(b *model.RequestBody) {
		if b != nil {
			contents(b.Contents)
		}
	}
	params := func(all []model.Parameter) {
		for _, p := range all {
			roots = append(roots, p.Schema)
		}
	}
	params(op.Params)
	body(op.Body)
	for _, c := range op.Callbacks {
		body(c.Body)
	}
	for _, r := range op.Responses {
		params(r.Headers)
		contents(r.Contents)
	}
	return roots
}

// namedIn returns the first named schemas on each path into schemas. It does not search inside a named schema.
// Schemas may contain themselves.
func namedIn(schemas ...*model.Schema) []*model.Schema {
	var named []*model.Schema
	seen := map[*model.Schema]bool{}
	for len(schemas) > 0 {
		s := schemas[len(schemas)-1]
		schemas = schemas[:len(schemas)-1]
		switch {
		case s == nil || seen[s]:
		case s.Name != "":
			named = append(named, s)
		default:
			schemas = append(schemas, partsOf(s)...)
		}
		seen[s] = true
	}
	return named
}

// partsOf returns the direct parts of a schema. Some may be nil.
func partsOf(s *model.Schema) []*model.Schema {
	parts := []*model.Schema{s.Items, s.Additional}
	for _, p := range s.Properties {
		parts = append(parts, p.Schema)
	}
	parts = append(parts, s.AllOf...)
	parts = append(parts, s.OneOf...)
	return append(parts, s.AnyOf...)
}
