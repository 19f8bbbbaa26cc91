package openapi_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"sonde/model"
)

// render returns all of a spec as text for a golden file.
func render(s *model.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, version %s, %s, servers %q\n", s.Title, s.Version, s.Format, s.Servers)
	for _, scheme := range s.SecuritySchemes {
		fmt.Fprintf(&b, "scheme %+v\n", scheme)
	}
	for _, op := range s.Operations {
		renderOperation(&b, op)
	}
	for _, w := range s.Webhooks {
		fmt.Fprintf(&b, "\nwebhook %q line %d", w.Name, w.Request.Line)
		renderOperation(&b, w.Request)
	}
	for _, p := range s.Problems {
		fmt.Fprintf(&b, "problem %s line %d: %s\n", p.Pointer, p.Line, p.Text)
	}
	return b.String()
}

func renderOperation(b *strings.Builder, op *model.Operation) {
	fmt.Fprintf(b, "\n%s name=%q summary=%q description=%q tags=%q%s%s\n", op.ID, op.Name, op.Summary, op.Description, op.Tags,
		yes(op.Deprecated, " deprecated"), yes(op.Secured, fmt.Sprintf(" secured by %q", op.Schemes)))
	for _, p := range op.Params {
		renderParam(b, "  ", p)
	}
	renderBody(b, op.Body)
	for _, r := range op.Responses {
		fmt.Fprintf(b, "  %s %q\n", r.Status, r.Description)
		for _, h := range r.Headers {
			renderParam(b, "    ", h)
		}
		renderContents(b, r.Contents)
		for _, f := range r.Links {
			fmt.Fprintf(b, "    link %q to %q %+v\n", f.Name, f.Op, f.Inputs)
		}
	}
	for _, c := range op.Callbacks {
		fmt.Fprintf(b, "  callback %q %s %q\n", c.Name, c.Method, c.To)
		renderBody(b, c.Body)
	}
}

func renderBody(b *strings.Builder, body *model.RequestBody) {
	if body != nil {
		fmt.Fprintf(b, "  body %q%s %q\n", body.Name, yes(body.Required, " required"), body.Description)
		renderContents(b, body.Contents)
	}
}

func renderParam(b *strings.Builder, indent string, p model.Parameter) {
	fmt.Fprintf(b, "%s%s %q%s %s%s %q: %s\n", indent, p.In, p.Name, yes(p.Required, " required"), p.Style, yes(p.Explode, "*"),
		p.Description, schema(p.Schema))
}

func renderContents(b *strings.Builder, contents []model.Content) {
	for _, c := range contents {
		fmt.Fprintf(b, "    %s: %s\n", c.Media, schema(c.Schema))
		for _, p := range c.Parts {
			fmt.Fprintf(b, "      part %q is %s\n", p.Name, p.Media)
		}
	}
}

func yes(set bool, word string) string {
	if set {
		return word
	}
	return ""
}

func schema(s *model.Schema) string { return schemaWithin(s, map[*model.Schema]bool{}) }

// schemaWithin returns a schema as one line. For a schema that contains the current one, it returns only the name.
func schemaWithin(s *model.Schema, within map[*model.Schema]bool) string {
	switch {
	case s == nil:
		return "nothing"
	case within[s]:
		return "(" + s.Name + " again)"
	}
	within[s] = true
	defer delete(within, s)
	parts := []string{yes(s.Name != "", "#"+s.Name), s.Type, yes(s.Format != "", "/"+s.Format)}
	parts = append(parts, details(s)...)
	for _, p := range s.Properties {
		parts = append(parts, "."+p.Name+yes(p.Required, "!")+"="+schemaWithin(p.Schema, within))
	}
	if s.Items != nil {
		parts = append(parts, "items="+schemaWithin(s.Items, within))
	}
	if s.Additional != nil {
		parts = append(parts, "additional="+schemaWithin(s.Additional, within))
	}
	if s.Not != nil {
		parts = append(parts, "not="+schemaWithin(s.Not, within))
	}
	if d := s.Discriminator; d != nil {
		parts = append(parts, "by="+d.Property)
		for _, m := range d.Mapping {
			parts = append(parts, m.Value+"→#"+m.Schema.Name)
		}
	}
	for i, list := range [][]*model.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range list {
			parts = append(parts, []string{"all=", "one=", "any="}[i]+schemaWithin(part, within))
		}
	}
	return "{" + strings.Join(nonEmpty(parts), " ") + "}"
}

// details returns the constraints of a schema as text.
func details(s *model.Schema) []string {
	parts := []string{
		yes(s.Title != "", "title="+s.Title), yes(s.Description != "", fmt.Sprintf("%q", s.Description)),
		yes(s.ContentMedia != "", "content="+s.ContentMedia), yes(s.Nullable, "nullable"), yes(s.Closed, "closed"),
		yes(s.ReadOnly, "readonly"), yes(s.WriteOnly, "writeonly"), yes(s.Unique, "unique"),
		yes(s.Pattern != "", "pattern="+s.Pattern),
		yes(s.ExclusiveMin, "exclusive"), number("min", s.Min), yes(s.ExclusiveMax, "exclusive"), number("max", s.Max),
		number("multiple", s.MultipleOf),
	}
	for _, size := range []struct {
		name string
		min  int
		max  *int
	}{{"length", s.MinLength, s.MaxLength}, {"items", s.MinItems, s.MaxItems}, {"properties", s.MinProps, s.MaxProps}} {
		if size.max != nil {
			parts = append(parts, fmt.Sprintf("%s=%d..%d", size.name, size.min, *size.max))
		} else if size.min > 0 {
			parts = append(parts, fmt.Sprintf("%s=%d..", size.name, size.min))
		}
	}
	if s.Required != nil {
		parts = append(parts, fmt.Sprintf("required=%q", s.Required))
	}
	if s.XML != nil {
		parts = append(parts, fmt.Sprintf("xml=%+v", *s.XML))
	}
	if s.Const != nil {
		parts = append(parts, "const="+compact(s.Const))
	}
	if s.Default != nil {
		parts = append(parts, "default="+compact(s.Default))
	}
	if s.Enum != nil {
		parts = append(parts, "enum="+compact(s.Enum))
	}
	if s.Examples != nil {
		parts = append(parts, "examples="+compact(s.Examples))
	}
	return parts
}

func number(name string, f *float64) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s=%v", name, *f)
}

func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func nonEmpty(parts []string) []string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return all
}
