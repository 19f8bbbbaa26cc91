package search

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/network/hostmodel"
)

// readDocuments returns the documents that the service most likely reads from other hosts: those that its source reads,
// except those that its spec declares as request bodies. All binary documents of one encoding are combined into one
// document, a sequence of such documents and of texts.
func readDocuments(all []probedata.Document, spec *model.Spec) (out []*hostmodel.Document) {
	sequences := map[model.Encoding]*hostmodel.Document{}
	for _, d := range all {
		switch {
		case d.Encoding == model.JSONEncoding && slices.ContainsFunc(spec.Operations, func(op *model.Operation) bool {
			return acceptsShape(op, d.Shape)
		}):
		case d.Encoding.IsBinary() && sequences[d.Encoding] != nil:
			s := sequences[d.Encoding]
			s.Lengths = append(s.Lengths, d.Lengths...)
			s.Schema.Items.AnyOf = append(s.Schema.Items.AnyOf, schemaOf(d.Shape, d.Encoding))
		case d.Encoding.IsBinary():
			most := maxSequence
			s := &hostmodel.Document{Format: d.Format, Schema: &model.Schema{Type: "array", MinItems: 1, MaxItems: &most}}
			s.Schema.Items = &model.Schema{AnyOf: []*model.Schema{{Type: "string"}, schemaOf(d.Shape, d.Encoding)}}
			sequences[d.Encoding] = s
			out = append(out, s)
		default:
			s := schemaOf(d.Shape, d.Encoding)
			s.Name = d.Root
			out = append(out, &hostmodel.Document{Format: d.Format, Schema: s})
		}
	}
	return out
}

// maxSequence is the maximum number of items in a sequence of binary documents and texts.
const maxSequence = 4

// acceptsShape reports whether an operation's body has all fields of a shape.
func acceptsShape(op *model.Operation, s probedata.Shape) bool {
	if op.Body == nil || len(s.Fields) == 0 {
		return false
	}
	return slices.ContainsFunc(op.Body.Contents, func(c model.Content) bool {
		lacks := func(f probedata.ShapeField) bool { return c.Schema.Property(f.Name) == nil }
		return c.Schema != nil && !slices.ContainsFunc(s.Fields, lacks)
	})
}

// schemaOf returns the schema of documents from which the service decodes a Go value of the shape s. In CSV and in
// binary encodings, fields are required, because a missing field would move the fields after it. In other encodings,
// fields are optional. Fields are nullable if the encoding has null.
func schemaOf(s probedata.Shape, in model.Encoding) *model.Schema {
	if in == model.ProtobufEncoding {
		return messageSchema(s)
	}
	out := &model.Schema{Type: s.Type, Format: s.Format}
	switch {
	case s.Type == "string" && (in == model.CSVEncoding || in == model.FormEncoding):
		c := *cell
		return &c
	case s.Type == "integer":
		out.Min, out.Max = rangeOf(s.Format)
	case s.Type == "string" && s.Count > 0:
		out.MinLength, out.MaxLength = s.Count, &s.Count
	case s.Type == "array" && s.Count > 0:
		out.MinItems, out.MaxItems = s.Count, &s.Count
	}
	for _, f := range s.Fields {
		field := schemaOf(f.Shape, in)
		field.Nullable = in == model.JSONEncoding || in == model.YAMLEncoding
		if f.Attribute || f.Text {
			field.XML = &model.XML{Attribute: f.Attribute, Text: f.Text}
		}
		required := in.IsBinary() || in == model.CSVEncoding
		out.Properties = append(out.Properties, model.Property{Name: f.Name, Required: required, Schema: field})
	}
	if s.Items != nil {
		out.Items = schemaOf(*s.Items, in)
	}
	if s.Values != nil {
		out.Additional = schemaOf(*s.Values, in)
	}
	return out
}

// cell is the schema of a text that may be a number, as in a column of CSV.
var cell = &model.Schema{
	AnyOf: []*model.Schema{{Type: "string"}, {Type: "string"}, {Type: "integer"}, {Type: "number"}, {Type: "string", Format: "date"}},
}

// rangeOf returns the bounds of integers of a format such as "uint16". A bound is nil if there is none, or if the
// format has no size or more than 32 bits. The lower bound of unsigned integers is always 0.
func rangeOf(format string) (least, most *float64) {
	name := strings.TrimLeft(format, "uint")
	bits, _ := strconv.Atoi(name) // 0 if the format has no size
	unsigned := strings.HasPrefix(format, "u")
	if unsigned {
		least = new(0.0)
	}
	switch {
	case bits == 0 || bits > 32 || format == "":
	case unsigned:
		most = new(float64(uint64(1)<<bits - 1))
	default:
		least, most = new(-float64(uint64(1)<<(bits-1))), new(float64(uint64(1)<<(bits-1)-1))
	}
	return least, most
}

// readQueries returns what the service reads from the results of queries.
func readQueries(all []probedata.QueryResult) (out []*hostmodel.Query) {
	for _, r := range all {
		q := &hostmodel.Query{Parts: r.Parts, Tables: r.Tables, ByName: r.ByName, Single: r.Single, Documents: r.Documents}
		for _, c := range r.Columns {
			q.Columns = append(q.Columns, hostmodel.Column{Name: c.Name, Schema: columnSchema(c)})
		}
		out = append(out, q)
	}
	return out
}

// columnSchema returns the schema of a column, nil if its type is not known.
func columnSchema(c probedata.ResultColumn) *model.Schema {
	var s *model.Schema
	switch {
	case c.Shape.Type == "" && c.Shape.Format == "":
		return nil
	case c.Shape.Type == "":
		s = hostmodel.AnyDocument()
	default:
		s = schemaOf(c.Shape, model.JSONEncoding)
		s.Format = c.Shape.Format
	}
	if s.Type == "integer" && strings.HasSuffix(s.Format, "64") {
		s.Format = "" // a column rarely has numbers beyond 32 bits
	}
	s.Nullable = c.Nullable
	return s
}
