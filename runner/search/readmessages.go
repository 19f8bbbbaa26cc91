package search

import (
	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/network/hostmodel"
)

// maxMessages is the maximum number of messages in a gRPC stream.
const maxMessages = 4

// readMethods returns the replies of hosts to the gRPC methods that the service can call.
func readMethods(all []probedata.GRPCMethod) map[string]*hostmodel.Document {
	methods := map[string]*hostmodel.Document{}
	for _, m := range all {
		s := messageSchema(m.Reply)
		if m.Stream {
			most := maxMessages
			s = &model.Schema{Type: "array", MaxItems: &most, Items: s}
		}
		methods[m.Path] = &hostmodel.Document{Format: model.Format{Encoding: model.GRPCEncoding}, Schema: s}
	}
	return methods
}

// messageSchema returns the schema of a value in a message of Protocol Buffers. Fields are optional. All fields of a
// oneof are combined into one property: an object that has one of these fields.
func messageSchema(s probedata.Shape) *model.Schema {
	out := &model.Schema{Type: s.Type, Format: s.Format, Closed: s.Type == "object"}
	switch {
	case len(s.Enum) > 0:
		return enumSchema(s)
	case s.Type == "integer":
		out.Min, out.Max = rangeOf(s.Format)
	case s.Items != nil:
		out.Items = messageSchema(*s.Items)
	}
	for _, f := range s.Fields {
		field := messageSchema(f.Shape)
		field.Protobuf = &model.ProtobufField{Number: f.Number, Wire: f.Wire}
		if f.Oneof == "" {
			out.Properties = append(out.Properties, model.Property{Name: f.Name, Schema: field})
			continue
		}
		one := &model.Schema{Type: "object", Closed: true}
		one.Properties = []model.Property{{Name: f.Name, Required: true, Schema: field}}
		all := out.Property(f.Oneof)
		if all == nil {
			out.Properties = append(out.Properties, model.Property{Name: f.Oneof, Schema: &model.Schema{Protobuf: &model.ProtobufField{}}})
			all = &out.Properties[len(out.Properties)-1]
		}
		all.Schema.AnyOf = append(all.Schema.AnyOf, one)
	}
	return out
}

// enumSchema returns the schema of an enum. Generated values are mostly declared ones, but other integers are
// allowed, too.
func enumSchema(s probedata.Shape) *model.Schema {
	declared := &model.Schema{Type: "integer"}
	for _, n := range s.Enum {
		declared.Enum = append(declared.Enum, float64(n))
	}
	other := &model.Schema{Type: "integer"}
	other.Min, other.Max = rangeOf("int32")
	return &model.Schema{AnyOf: []*model.Schema{declared, declared, declared, declared, other}}
}
