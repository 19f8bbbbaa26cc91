package depend

import (
	"fmt"
	"regexp"
	"strings"

	"sonde/model"
	"sonde/model/match"
)

func plannerOf(spec *model.Spec) *Planner {
	return NewPlanner(match.New(spec.Operations, match.DefaultMode), spec.Operations)
}

// op returns the operation with an ID such as "POST /products/{id}", including its path parameters.
func op(id string, fill ...func(*model.Operation)) *model.Operation {
	method, path, _ := strings.Cut(id, " ")
	o := &model.Operation{ID: model.OpID(id), Method: method, Path: path}
	for _, m := range regexp.MustCompile(`\{([^{}]*)\}`).FindAllStringSubmatch(path, -1) {
		o.Params = append(o.Params, model.Parameter{
			Name: m[1], In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"},
		})
	}
	for _, f := range fill {
		f(o)
	}
	return o
}

func ops(ids ...string) []*model.Operation {
	var list []*model.Operation
	for _, id := range ids {
		list = append(list, op(id))
	}
	return list
}

// body sets the JSON body of an operation.
func body(s *model.Schema) func(*model.Operation) {
	return func(o *model.Operation) {
		o.Body = &model.RequestBody{Name: "body", Contents: []model.Content{{Media: "application/json", Schema: s}}}
	}
}

// query adds a required query parameter to an operation.
func query(name string) func(*model.Operation) {
	return func(o *model.Operation) {
		o.Params = append(o.Params, model.Parameter{
			Name: name, In: model.InQuery, Required: true, Schema: &model.Schema{Type: "string"},
		})
	}
}

// object returns a schema with required string properties.
func object(names ...string) *model.Schema {
	s := &model.Schema{Type: "object"}
	for _, n := range names {
		s.Properties = append(s.Properties, model.Property{Name: n, Required: true, Schema: &model.Schema{Type: "string"}})
	}
	return s
}

// with adds a required property to a schema.
func with(s *model.Schema, name string, of *model.Schema) *model.Schema {
	s.Properties = append(s.Properties, model.Property{Name: name, Required: true, Schema: of})
	return s
}

func list(of *model.Schema) *model.Schema { return &model.Schema{Type: "array", Items: of} }

// show returns a template as one line: its weight and its steps, each followed by its links. "id<0" is a link that
// takes the value from the answer of step 0. "id=0.code" is a link that takes the value from the path parameter code
// of step 0.
func show(t model.Template) string {
	var b strings.Builder
	if t.Weight != 1 {
		fmt.Fprintf(&b, "%g: ", t.Weight)
	}
	for i, s := range t.Steps {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(string(s.Op))
		if s.Max > 1 {
			fmt.Fprintf(&b, " x%d-%d", s.Min, s.Max)
		}
		for _, l := range t.Links {
			if l.To != i {
				continue
			}
			fmt.Fprintf(&b, " [%s", l.Name)
			if l.Param != "" {
				fmt.Fprintf(&b, "=%d.%s]", l.From, l.Param)
			} else {
				fmt.Fprintf(&b, "<%d%s%s]", l.From, l.Header, l.Pointer)
			}
		}
	}
	return b.String()
}

func showAll(list []model.Template) string {
	lines := make([]string, len(list))
	for i, t := range list {
		lines[i] = show(t)
	}
	return strings.Join(lines, "\n")
}
