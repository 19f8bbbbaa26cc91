package model

// FindInParts returns the first result of get that is not nil, for a schema and then for the parts of its
// allOf, oneOf and anyOf. It returns nil for a nil schema.
func FindInParts[T any](s *Schema, get func(*Schema) *T) *T {
	seen := map[*Schema]bool{nil: true}
	var look func(s *Schema) *T
	look = func(s *Schema) *T {
		if seen[s] {
			return nil
		}
		seen[s] = true
		if found := get(s); found != nil {
			return found
		}
		for _, parts := range [][]*Schema{s.AllOf, s.OneOf, s.AnyOf} {
			for _, part := range parts {
				if found := look(part); found != nil {
					return found
				}
			}
		}
		return nil
	}
	return look(s)
}

// XMLHint returns the XML hint of a schema or of the first of its parts that has one. The hint is empty if none of them
// has a hint.
func (s *Schema) XMLHint() XML {
	if x := FindInParts(s, func(s *Schema) *XML { return s.XML }); x != nil {
		return *x
	}
	return XML{}
}

// PropertySchema returns the schema of a property that a schema or one of its parts declares, or else the schema of
// additional properties. It returns nil if there is neither.
func (s *Schema) PropertySchema(name string) *Schema {
	named := FindInParts(s, func(s *Schema) *Schema {
		if p := s.Property(name); p != nil {
			return p.Schema
		}
		return nil
	})
	if named != nil {
		return named
	}
	return FindInParts(s, func(s *Schema) *Schema { return s.Additional })
}

// ItemSchema returns the schema of the items of a list that a schema or one of its parts declares, nil if there is none.
func (s *Schema) ItemSchema() *Schema {
	return FindInParts(s, func(s *Schema) *Schema { return s.Items })
}
