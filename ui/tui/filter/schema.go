package filter

import "sonde/model"

// schemasOf returns the names of all schemas that an operation's messages
// consist of, each once.
func schemasOf(op *model.Operation) []string {
	w := walk{seen: map[*model.Schema]bool{}, had: map[string]bool{}}
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

// walk collects names; what it has seen it enters no second time.
type walk struct {
	seen  map[*model.Schema]bool
	had   map[string]bool
	names []string
}

func (w *walk) params(all []model.Parameter) {
	for _, p := range all {
		w.schema(p.Schema)
	}
}

func (w *walk) body(b *model.RequestBody) {
	if b != nil {
		w.contents(b.Contents)
	}
}

func (w *walk) contents(all []model.Content) {
	for _, c := range all {
		w.schema(c.Schema)
	}
}

func (w *walk) schema(s *model.Schema) {
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
