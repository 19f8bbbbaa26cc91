package wire

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"strings"
)

// maxGRPCMessage is the maximum size of a decompressed message, in bytes.
const maxGRPCMessage = 16 << 20

// IsGRPC reports whether a body with this Content-Type has messages of gRPC in Protocol Buffers.
func IsGRPC(contentType string) bool {
	media := strings.ToLower(strings.TrimSpace(strings.SplitN(contentType, ";", 2)[0]))
	return media == "application/grpc" || media == "application/grpc+proto"
}

// GRPCToJSON returns the messages in a body of gRPC as JSON. A message becomes an object that maps the numbers of
// fields to their values; see protobufToJSON. Several messages become a list of such objects. ok is false if the body
// has no message, or if GRPCFromJSON would not encode the same messages.
func GRPCToJSON(body []byte) (text string, ok bool) {
	var all []interface{}
	for len(body) > 0 {
		if len(body) < 5 {
			return "", false
		}
		size := binary.BigEndian.Uint32(body[1:])
		if uint64(size) > uint64(len(body)-5) {
			return "", false
		}
		data, ok := uncompressed(body[0], body[5:5+size])
		if !ok {
			return "", false
		}
		fields, ok := protobufToJSON(data, 0)
		if !ok {
			return "", false
		}
		all, body = append(all, fields), body[5+size:]
	}
	switch len(all) {
	case 0:
		return "", false
	case 1:
		return encodeJSON(all[0]), true
	}
	return encodeJSON(all), true
}

// uncompressed returns the content of a message. If flag is 1, data is compressed by gzip. If flag is 0, data is the
// content. It returns false for any other flag, and for a content of more than maxGRPCMessage bytes.
func uncompressed(flag byte, data []byte) ([]byte, bool) {
	if flag != 1 {
		return data, flag == 0
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	plain, err := io.ReadAll(io.LimitReader(r, maxGRPCMessage+1))
	return plain, err == nil && len(plain) <= maxGRPCMessage
}

// GRPCFromJSON returns the body of gRPC for a text in the form that GRPCToJSON returns. ok is false if the text has
// another form.
func GRPCFromJSON(text []byte) (body []byte, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v interface{}
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	all, ok := v.([]interface{})
	if !ok {
		all = []interface{}{v}
	}
	for _, one := range all {
		fields, ok := one.(map[string]interface{})
		if !ok {
			return nil, false
		}
		data, ok := protobufFromJSON(fields)
		if !ok {
			return nil, false
		}
		var head [5]byte
		binary.BigEndian.PutUint32(head[1:], uint32(len(data)))
		body = append(append(body, head[:]...), data...)
	}
	return body, true
}
