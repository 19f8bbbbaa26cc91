package explore

import "sonde/model"

// part is a row of a schema tree: a property or an alternative.
type part struct {
	name     string
	required bool
	schema   *model.Schema
}

// inside returns the schema of the elements of a list. For a list of lists, it returns the schema of the innermost
// elements. It looks into at most eight lists, because a list may contain itself. It returns other schemas unchanged.
func inside(s *model.Schema) *model.Schema {
	for range 8 {
		if s == nil || s.Items == nil {
			break
		}
		s = s.Items
	}
	return s
}

// parts returns the parts of a schema. For a list these are the parts of its elements. A scalar has no
// parts.
func parts(s *model.Schema) []part {
	s = inside(s)
	if s == nil {
		return nil
	}
	out := properties(s)
	for _, alt := range s.Alternatives() {
		out = append(out, part{name: "or", schema: alt})
	}
	if s.Additional != nil {
		out = append(out, part{name: "*", schema: s.Additional})
	}
	return out
}

// properties returns the properties of a schema and of its allOf parts. Properties with the same name are
// merged.
func properties(s *model.Schema) []part {
	m := merge{seen: map[*model.Schema]bool{}, at: map[string]int{}}
	m.add(s)
	return m.parts
}

// merge collects properties by their names.
type merge struct {
	seen  map[*model.Schema]bool // visited schemas; visiting them again would add nothing
	parts []part
	at    map[string]int // key: name of a property; value: its index in parts
}

func (m *merge) add(s *model.Schema) {
	if s == nil || m.seen[s] {
		return
	}
	m.seen[s] = true
	for _, part := range s.AllOf {
		m.add(part)
	}
	for _, p := range s.Properties {
		if i, ok := m.at[p.Name]; ok {
			m.parts[i].required = m.parts[i].required || p.Required
			continue
		}
		m.at[p.Name] = len(m.parts)
		m.parts = append(m.parts, part{name: p.Name, required: p.Required, schema: p.Schema})
	}
}
