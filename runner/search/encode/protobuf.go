package encode

import (
	"encoding/json"
	"strconv"
	"time"

	"sonde/assets/wire"
	"sonde/model"
	"sonde/runner/search/gene"
)

// grpcFrame is the number of bytes before a message of gRPC.
const grpcFrame = 5

// toProtobuf returns a message of Protocol Buffers, nil if the value is not a message.
func toProtobuf(s *model.Schema, g gene.Gene) []byte {
	data, ok := wire.GRPCFromJSON(numbered(s, g))
	if !ok || len(data) < grpcFrame {
		return nil
	}
	return data[grpcFrame:]
}

// numbered returns a message, or a list of messages, as JSON with field numbers instead of names, such as {"1": "a"};
// see package wire.
func numbered(s *model.Schema, g gene.Gene) []byte {
	data, err := json.Marshal(protobufValue(s, nil, g))
	if err != nil {
		return nil
	}
	return data
}

// protobufValue returns the value of a field as package wire represents it in JSON. field is nil if the value is a
// message that is not a field.
func protobufValue(s *model.Schema, field *model.ProtobufField, g gene.Gene) any {
	switch s.Type {
	case "array":
		all := []any{}
		for _, item := range gene.Elements(g) {
			all = append(all, protobufValue(s.ItemSchema(), field, item))
		}
		return all
	case "object":
		members := map[string]any{}
		addFields(members, s, g)
		return members
	}
	switch text := gene.Text(g); {
	case s.Type == "boolean":
		return boolByte(text)
	case s.Type == "string" && s.Format == "date-time":
		return timestamp(text)
	case s.Type == "string" && s.Format == "byte":
		return map[string]any{"base64": text}
	case s.Type == "string":
		return text
	default:
		return protobufNumber(s, field, text)
	}
}

// addFields adds the fields of a message that have a value to members. It includes the fields of the message's
// oneofs.
func addFields(members map[string]any, s *model.Schema, g gene.Gene) {
	for _, f := range gene.PresentFields(g) {
		of := s.PropertySchema(f.Name)
		switch {
		case of == nil || of.Protobuf == nil:
		case of.Protobuf.Number == 0:
			addFields(members, alternative(of, f.Gene), f.Gene)
		default:
			members[strconv.Itoa(of.Protobuf.Number)] = protobufValue(of, of.Protobuf, f.Gene)
		}
	}
}

// timestamp returns a time as a message google.protobuf.Timestamp. The message is empty if the text is not a time.
func timestamp(text string) map[string]any {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return map[string]any{}
	}
	return map[string]any{"1": varint(uint64(at.Unix())), "2": at.Nanosecond()}
}

// protobufNumber returns a number in the form that its field has in the JSON of package wire, such as {"float":
// "1.5"}.
func protobufNumber(s *model.Schema, field *model.ProtobufField, text string) any {
	n := integer(text)
	var w model.Wire
	if field != nil {
		w = field.Wire
	}
	switch isFloat := s.Type == "number"; {
	case w == model.Fixed32 && isFloat:
		return map[string]any{"float": text}
	case w == model.Fixed64 && isFloat:
		return map[string]any{"double": text}
	case w == model.Fixed32:
		return map[string]any{"fixed32": strconv.FormatUint(uint64(uint32(n)), 10)}
	case w == model.Fixed64:
		return map[string]any{"fixed64": strconv.FormatUint(uint64(n), 10)}
	case w == model.Zigzag:
		return varint(uint64(n<<1) ^ uint64(n>>63))
	}
	return varint(uint64(n))
}

// varint returns a number that is sent as a varint.
func varint(n uint64) any {
	const most = 1 << 53 // JSON has greater integers as texts
	if v := int64(n); v >= -most && v <= most {
		return v
	}
	return map[string]any{"varint": strconv.FormatUint(n, 10)}
}
