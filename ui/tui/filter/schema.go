package filter

import "sonde/model"

// schemasOf returns the names of all schemas in an operation's messages, each once.
func schemasOf(op *model.Operation) []string {
	w := schemaWalk{seen: map[*model.Schema]bool{}, had: map[string]bool{}}
	w.params(op.Params)
	w.body(op.Body)
	for _, c := range op.Callbacks {
		w.body(c.Body)
	}
	for _, r := range op.Responses {
		w.params(r.Headers)
		w.contents(r.Contents)
	}
	return w.names
}

// schemaWalk collects the names of schemas. It visits each schema once, so that cycles end.
type schemaWalk struct {
	seen  map[*model.Schema]bool
	had   map[string]bool
	names []string
}

func (w *schemaWalk) params(all []model.Parameter) {
	for _, p := range all {
		w.schema(p.Schema)
	}
}

func (w *schemaWalk) body(b *model.RequestBody) {
	if b != nil {
		w.contents(b.Contents)
	}
}

func (w *schemaWalk) contents(all []model.Content) {
	for _, c := range all {
		w.schema(c.Schema)
	}
}

func (w *schemaWalk) schema(s *model.Schema) {
	if s == nil || w.seen[s] {
		return
	}
	w.seen[s] = true
	if s.Name != "" && !w.had[s.Name] {
		w.had[s.Name] = true
		w.names = append(w.names, s.Name)
	}
	w.schema(s.Items)
	w.schema(s.Additional)
	for _, p := range s.Properties {
		w.schema(p.Schema)
	}
	for _, parts := range [][]*model.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range parts {
			w.schema(part)
		}
	}
}
