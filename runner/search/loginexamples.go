package search

import (
	"slices"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/gene"
)

// withLoginExamples returns a plan in which the operations that log users in have the names and passwords of these users
// as examples. Otherwise the search would have to guess a password. The examples refer to secrets by "${NAME}", and so do
// the tests; only the client replaces these references.
func withLoginExamples(p model.Plan) model.Plan {
	spec := *p.Spec
	spec.Operations = slices.Clone(spec.Operations)
	for i, op := range spec.Operations {
		examples := loginExamples(p.Users, op.ID)
		if op.Body == nil || len(examples) == 0 {
			continue
		}
		own, body := *op, *op.Body
		body.Contents = slices.Clone(body.Contents)
		for k, c := range body.Contents {
			for place, values := range examples {
				c.Schema = withExamples(c.Schema, pointer.Tokens(place), values)
			}
			body.Contents[k] = c
		}
		own.Body = &body
		spec.Operations[i] = &own
	}
	p.Spec = &spec
	return p
}

// loginExamples returns the texts in the bodies of the log-ins that are an operation, by their pointers. Those of one
// user have the same index everywhere, because gene.SetExamples takes examples of one index together.
func loginExamples(users []model.User, op model.OpID) map[string][]any {
	all := map[string][]any{}
	for _, u := range users {
		if u.Login == nil || u.Login.Operation() != op {
			continue
		}
		for _, t := range u.Login.BodyTexts() {
			all[t.Pointer] = append(all[t.Pointer], t.Text)
		}
	}
	return all
}

// withExamples returns a copy of a schema in which the schema of the property at a path has further examples, before its
// own ones, if there is such a property.
func withExamples(s *model.Schema, path []string, values []any) *model.Schema {
	if s == nil {
		return nil
	}
	own := *s
	if len(path) == 0 {
		return exampleSchema(own, values)
	}
	own.AllOf = slices.Clone(own.AllOf)
	for i, part := range own.AllOf {
		own.AllOf[i] = withExamples(part, path, values)
	}
	own.Properties = slices.Clone(own.Properties)
	for i, p := range own.Properties {
		if p.Name == path[0] {
			own.Properties[i].Schema = withExamples(p.Schema, path[1:], values)
		}
	}
	return &own
}

// exampleSchema returns a schema with examples before its own ones. If the schema does not allow an example, exampleSchema
// drops the limits of its texts: "${NAME}" may break them, although the value of the variable does not.
func exampleSchema(s model.Schema, values []any) *model.Schema {
	allowed := func(v any) bool { return gene.New(&s).SetValue(v) }
	if !slices.ContainsFunc(values, func(v any) bool { return !allowed(v) }) {
		s.Examples = slices.Concat(values, s.Examples)
		return &s
	}
	s.Format, s.Pattern, s.MinLength, s.MaxLength = "", "", 0, nil
	s.Examples = slices.Concat(values, s.Examples)
	return &s
}
