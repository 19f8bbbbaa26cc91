package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"sort"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// The wire types of fields in Protocol Buffers.
const (
	protobufVarint  = 0
	protobufFixed64 = 1
	protobufBytes   = 2
	protobufFixed32 = 5
)

// maxProtobufDepth bounds messages within messages.
const maxProtobufDepth = 64

// protobufToJSON decodes a message without a description of its fields. It returns an object that maps the number of
// each field to its value, or to a list if the field has several values. The result is false if the data is not a
// message, or if protobufFromJSON would not return the same data. The type of a value is a guess, but its notation
// always says how the value is encoded:
//
//   - 17 and -1 are varints. {"varint": "9007199254740993"} is a varint that many readers of JSON would round.
//   - {"double": 1.5} and {"fixed64": "17"} have 8 bytes, {"float": 1.5} and {"fixed32": "17"} have 4.
//   - "text" is text, {"1": 17} is a message, {"base64": "/w=="} is other data.
func protobufToJSON(data []byte, depth int) (map[string]interface{}, bool) {
	if depth > maxProtobufDepth {
		return nil, false
	}
	fields := map[string]interface{}{}
	for rest := data; len(rest) > 0; {
		tag, n := binary.Uvarint(rest)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
			return nil, false
		}
		value, size := protobufValue(int(tag&7), rest[n:], depth)
		if size < 0 {
			return nil, false
		}
		rest = rest[n+size:]
		name := strconv.FormatUint(tag>>3, 10)
		switch before := fields[name].(type) {
		case nil:
			fields[name] = value
		case []interface{}:
			fields[name] = append(before, value)
		default:
			fields[name] = []interface{}{before, value}
		}
	}
	again, ok := protobufFromJSON(fields)
	return fields, ok && bytes.Equal(again, data)
}

// protobufValue decodes a value at the beginning of data. size is the number of its bytes, or -1 if there is no such value.
func protobufValue(kind int, data []byte, depth int) (value interface{}, size int) {
	switch kind {
	case protobufVarint:
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, -1
		}
		return varintToJSON(v), n
	case protobufFixed64:
		if len(data) < 8 {
			return nil, -1
		}
		v := binary.LittleEndian.Uint64(data)
		if f := math.Float64frombits(v); isUsualNumber(f) {
			return map[string]interface{}{"double": f}, 8
		}
		return map[string]interface{}{"fixed64": strconv.FormatUint(v, 10)}, 8
	case protobufFixed32:
		if len(data) < 4 {
			return nil, -1
		}
		v := binary.LittleEndian.Uint32(data)
		if f := math.Float32frombits(v); isUsualNumber(float64(f)) {
			return map[string]interface{}{"float": f}, 4
		}
		return map[string]interface{}{"fixed32": strconv.FormatUint(uint64(v), 10)}, 4
	case protobufBytes:
		length, n := binary.Uvarint(data)
		if n <= 0 || length > uint64(len(data)-n) {
			return nil, -1
		}
		size = n + int(length)
		return protobufBytesToJSON(data[n:size], depth), size
	}
	return nil, -1
}

// isUsualNumber reports whether f is likely to be a floating-point number, and not an integer with the same bits: the
// bits of a small integer are a tiny floating-point number.
func isUsualNumber(f float64) bool {
	size := math.Abs(f)
	return f == 0 && !math.Signbit(f) || size >= 1e-9 && size <= 1e18
}

// varintToJSON returns the JSON of a varint, as a signed number.
func varintToJSON(v uint64) interface{} {
	const most = 1 << 53 // greater integers are not exact in all programs that read JSON
	if n := int64(v); n >= -most && n <= most {
		return n
	}
	return map[string]interface{}{"varint": strconv.FormatUint(v, 10)}
}

// protobufBytesToJSON returns the JSON of a text, of a message or of other bytes. It assumes that a valid text
// without control characters is a text, and that other data is a message if it can be decoded as one.
func protobufBytesToJSON(data []byte, depth int) interface{} {
	isText := utf8.Valid(data)
	if isText && bytes.IndexFunc(data, unicode.IsControl) < 0 {
		return string(data)
	}
	if fields, ok := protobufToJSON(data, depth+1); ok {
		return fields
	}
	if isText {
		return string(data)
	}
	return map[string]interface{}{"base64": base64.StdEncoding.EncodeToString(data)}
}

// protobufFromJSON encodes a message in the notation of protobufToJSON, in the order of the fields' numbers. The
// result is false if v is not in that notation.
func protobufFromJSON(v map[string]interface{}) ([]byte, bool) {
	var numbers []int
	for name := range v {
		number, err := strconv.Atoi(name)
		if err != nil || number <= 0 || number > 1<<29-1 || strconv.Itoa(number) != name {
			return nil, false
		}
		numbers = append(numbers, number)
	}
	sort.Ints(numbers)
	var all []byte
	for _, number := range numbers {
		values, ok := v[strconv.Itoa(number)].([]interface{})
		if !ok {
			values = []interface{}{v[strconv.Itoa(number)]}
		}
		for _, value := range values {
			kind, data, ok := protobufValueFromJSON(value)
			if !ok {
				return nil, false
			}
			all = appendUvarint(all, uint64(number)<<3|uint64(kind))
			if kind == protobufBytes {
				all = appendUvarint(all, uint64(len(data)))
			}
			all = append(all, data...)
		}
	}
	return all, true
}

// protobufValueFromJSON encodes a value. kind is its wire type. If that is protobufBytes, data does not begin with
// the length.
func protobufValueFromJSON(v interface{}) (kind int, data []byte, ok bool) {
	switch v := v.(type) {
	case int64:
		return protobufVarint, appendUvarint(nil, uint64(v)), true
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		return protobufVarint, appendUvarint(nil, uint64(n)), err == nil
	case string:
		return protobufBytes, []byte(v), true
	case map[string]interface{}:
		if len(v) == 1 {
			for name, value := range v {
				if kind, data, ok := protobufScalarFromJSON(name, value); ok {
					return kind, data, true
				}
			}
		}
		data, ok = protobufFromJSON(v)
		return protobufBytes, data, ok
	}
	return 0, nil, false
}

// protobufScalarFromJSON encodes the value of an object with one member, such as {"double": 1.5}.
func protobufScalarFromJSON(name string, v interface{}) (kind int, data []byte, ok bool) {
	text := numberOrText(v)
	var err error
	var n uint64
	var f float64
	switch name {
	case "varint":
		n, err = strconv.ParseUint(text, 10, 64)
		return protobufVarint, appendUvarint(nil, n), err == nil
	case "double":
		f, err = strconv.ParseFloat(text, 64)
		return protobufFixed64, littleEndian(math.Float64bits(f), 8), err == nil
	case "fixed64":
		n, err = strconv.ParseUint(text, 10, 64)
		return protobufFixed64, littleEndian(n, 8), err == nil
	case "float":
		f, err = strconv.ParseFloat(text, 32)
		return protobufFixed32, littleEndian(uint64(math.Float32bits(float32(f))), 4), err == nil
	case "fixed32":
		n, err = strconv.ParseUint(text, 10, 32)
		return protobufFixed32, littleEndian(n, 4), err == nil
	case "base64":
		data, err = base64.StdEncoding.DecodeString(text)
		return protobufBytes, data, err == nil
	}
	return 0, nil, false
}

// numberOrText returns the text of a string or a number of JSON, "" for anything else.
func numberOrText(v interface{}) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	}
	return ""
}

func littleEndian(v uint64, size int) []byte {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	return all[:size]
}

func appendUvarint(to []byte, v uint64) []byte {
	var part [binary.MaxVarintLen64]byte
	return append(to, part[:binary.PutUvarint(part[:], v)]...)
}
