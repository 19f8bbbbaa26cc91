package specdiff

import (
	"strconv"

	"sonde/model"

	"github.com/getkin/kin-openapi/openapi3"
)

// Limits of the documents for oasdiff, because the time and the memory of oasdiff grow quadratically.
const (
	// manyBranches is the maximum number of alternatives of a schema that oasdiff may compare pairwise. If a schema
	// has more alternatives, they are compared by name or by position instead. For that purpose the alternatives get
	// names, and a oneOf is written as an anyOf.
	manyBranches = 64
	// maxDepth is the maximum depth of schemas that are compared.
	maxDepth = 100
)

// writer converts operations of the model to a kin-openapi document for oasdiff. It leaves out
// descriptions, tags and examples, which are not part of the contract.
type writer struct {
	refs   map[*model.Schema]*openapi3.SchemaRef
	queue  []*model.Schema
	depth  map[*model.Schema]int    // minimum depth of the schema in the first operation that has it
	first  map[string]*model.Schema // the first schema with this component name
	copies map[string]int           // number of other schemas with this component name
	level  int                      // the depth of the schemas that are added now
}

// writeDocument returns a document with one operation for each pair. In the document, the path of pair i is "/i",
// because the operations are already paired. side selects the old or the new operation of a pair. newName returns the
// name of an input in the new version.
func writeDocument(pairs []pair, side func(pair) *model.Operation, newName func(pair, model.Location, string) string) *openapi3.T {
	w := &writer{
		refs: map[*model.Schema]*openapi3.SchemaRef{}, depth: map[*model.Schema]int{},
		first: map[string]*model.Schema{}, copies: map[string]int{},
	}
	doc := &openapi3.T{
		OpenAPI: "3.0.3",
		Info:    &openapi3.Info{Title: "spec", Version: "1"},
		Paths:   openapi3.NewPathsWithCapacity(len(pairs)),
	}
	for i, p := range pairs {
		item := &openapi3.PathItem{}
		op := side(p)
		item.SetOperation(op.Method, w.operation(op, func(in model.Location, name string) string { return newName(p, in, name) }))
		doc.Paths.Set("/"+strconv.Itoa(i), item)
		w.drain()
	}
	return doc
}

// input identifies a parameter.
type input struct {
	in   model.Location
	name string
}

func (w *writer) operation(op *model.Operation, newName func(model.Location, string) string) *openapi3.Operation {
	to := &openapi3.Operation{Deprecated: op.Deprecated, Security: security(op)}
	seen := map[input]bool{}
	for _, p := range op.Params {
		p.Name = newName(p.In, p.Name)
		if at := (input{p.In, p.Name}); !seen[at] { // against the standard, a document may declare an input twice
			seen[at] = true
			to.Parameters = append(to.Parameters, &openapi3.ParameterRef{Value: w.param(p)})
		}
	}
	if op.Body != nil {
		body := &openapi3.RequestBody{Required: op.Body.Required, Content: w.contents(op.Body.Contents)}
		to.RequestBody = &openapi3.RequestBodyRef{Value: body}
	}
	to.Responses = openapi3.NewResponsesWithCapacity(len(op.Responses))
	for _, r := range op.Responses {
		answer := &openapi3.Response{Description: openapi3.Ptr(""), Content: w.contents(r.Contents)}
		for _, h := range r.Headers {
			if answer.Headers == nil {
				answer.Headers = openapi3.Headers{}
			}
			header := *w.param(h)
			header.Name, header.In = "", ""
			answer.Headers[h.Name] = &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: header}}
		}
		to.Responses.Set(r.Status, &openapi3.ResponseRef{Value: answer})
	}
	return to
}

// security returns the security alternatives of an operation. If credentials are optional, the empty alternative is
// one of them.
func security(op *model.Operation) *openapi3.SecurityRequirements {
	all := openapi3.SecurityRequirements{}
	for _, schemes := range op.Alternatives {
		one := openapi3.SecurityRequirement{}
		for _, s := range schemes {
			one[s] = []string{}
		}
		all = append(all, one)
	}
	if !op.Secured && len(all) > 0 {
		all = append(all, openapi3.SecurityRequirement{})
	}
	return &all
}

// param returns a parameter without style and explode, for which oasdiff has no rules. oasdiff would also confuse an
// exploded object's properties with parameters of the same name.
func (w *writer) param(p model.Parameter) *openapi3.Parameter {
	return &openapi3.Parameter{Name: p.Name, In: string(p.In), Required: p.Required, Schema: w.schema(p.Schema)}
}

func (w *writer) contents(all []model.Content) openapi3.Content {
	content := openapi3.Content{}
	for _, c := range all {
		media := &openapi3.MediaType{}
		if c.Schema != nil {
			media.Schema = w.schema(c.Schema)
		}
		content[c.Media] = media
	}
	return content
}

// schema returns a reference to a schema that is still empty. drain fills it later, so that cycles end and long
// chains of schemas need no deep stack.
func (w *writer) schema(s *model.Schema) *openapi3.SchemaRef {
	if s == nil {
		return nil
	}
	if ref := w.refs[s]; ref != nil {
		return ref
	}
	ref := &openapi3.SchemaRef{Value: &openapi3.Schema{}}
	if s.Name != "" {
		ref.Ref = componentPrefix + w.component(s)
	}
	w.refs[s], w.depth[s] = ref, w.level
	w.queue = append(w.queue, s)
	return ref
}

const componentPrefix = "#/components/schemas/"

// component returns a unique name for a schema. Components of different files may have the same name.
func (w *writer) component(s *model.Schema) string {
	if w.first[s.Name] == nil {
		w.first[s.Name] = s
		return s.Name
	}
	w.copies[s.Name]++
	return s.Name + "~" + strconv.Itoa(w.copies[s.Name])
}

func (w *writer) drain() {
	for i := 0; i < len(w.queue); i++ {
		s := w.queue[i]
		w.level = w.depth[s] + 1
		if w.level <= maxDepth {
			w.fill(s, w.refs[s].Value)
		}
	}
	w.queue, w.level = w.queue[:0], 0
}

func (w *writer) fill(from *model.Schema, to *openapi3.Schema) {
	to.Title, to.Format = from.Title, from.Format
	to.Nullable, to.ReadOnly, to.WriteOnly = from.Nullable, from.ReadOnly, from.WriteOnly
	to.Enum, to.Const, to.Default = from.Enum, from.Const, from.Default
	fillLimits(from, to)
	to.Items, to.Not = w.schema(from.Items), w.schema(from.Not)
	to.AllOf, to.OneOf, to.AnyOf = w.schemas(from.AllOf), w.schemas(from.OneOf), w.schemas(from.AnyOf)
	if len(to.OneOf) > manyBranches {
		to.AnyOf, to.OneOf = append(to.AnyOf, to.OneOf...), nil
	}
	if types := from.Types(); types != nil {
		to.Type = (*openapi3.Types)(&types)
		if from.Type == "" {
			to.AnyOf = nil // to.Type has the types now, and to.AnyOf has nothing else
		}
	}
	for _, p := range from.Properties {
		if to.Properties == nil {
			to.Properties = openapi3.Schemas{}
		}
		to.Properties[p.Name] = w.schema(p.Schema)
		if p.Required {
			to.Required = append(to.Required, p.Name)
		}
	}
	to.Required = append(to.Required, from.Required...)
	switch {
	case from.Closed:
		to.AdditionalProperties.Has = openapi3.Ptr(false)
	case from.Additional != nil:
		to.AdditionalProperties.Schema = w.schema(from.Additional)
	}
	if d := from.Discriminator; d != nil {
		to.Discriminator = &openapi3.Discriminator{PropertyName: d.Property, Mapping: map[string]openapi3.MappingRef{}}
		for _, m := range d.Mapping {
			to.Discriminator.Mapping[m.Value] = openapi3.MappingRef{Ref: w.schema(m.Schema).Ref}
		}
	}
}

func fillLimits(from *model.Schema, to *openapi3.Schema) {
	to.Min, to.Max, to.MultipleOf = from.Min, from.Max, from.MultipleOf
	if from.ExclusiveMin {
		to.ExclusiveMin.Bool = openapi3.Ptr(true)
	}
	if from.ExclusiveMax {
		to.ExclusiveMax.Bool = openapi3.Ptr(true)
	}
	to.MinLength, to.MaxLength, to.Pattern = uint64(from.MinLength), most(from.MaxLength), from.Pattern
	to.MinItems, to.MaxItems, to.UniqueItems = uint64(from.MinItems), most(from.MaxItems), from.Unique
	to.MinProps, to.MaxProps = uint64(from.MinProps), most(from.MaxProps)
}

func most(n *int) *uint64 {
	if n == nil {
		return nil
	}
	return openapi3.Ptr(uint64(*n))
}

// schemas returns references to the given schemas.
func (w *writer) schemas(all []*model.Schema) openapi3.SchemaRefs {
	var refs openapi3.SchemaRefs
	for i, s := range all {
		if s == nil {
			s = &model.Schema{}
		}
		ref := w.schema(s)
		if ref.Ref == "" && len(all) > manyBranches {
			ref = &openapi3.SchemaRef{Ref: componentPrefix + "~" + strconv.Itoa(i), Value: ref.Value}
		}
		refs = append(refs, ref)
	}
	return refs
}
