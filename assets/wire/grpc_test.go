package wire

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// frame returns a message of gRPC.
func frame(flag byte, data []byte) []byte {
	head := [5]byte{flag}
	binary.BigEndian.PutUint32(head[1:], uint32(len(data)))
	return append(head[:], data...)
}

func TestGRPCToJSON(t *testing.T) {
	var compressed bytes.Buffer
	z := gzip.NewWriter(&compressed)
	z.Write([]byte("\x0a\x03abc"))
	z.Close()
	for name, tt := range map[string]struct{ body, want string }{
		"empty message":   {string(frame(0, nil)), `{}`},
		"text":            {string(frame(0, []byte("\x0a\x05apple"))), `{"1":"apple"}`},
		"text of lines":   {string(frame(0, []byte("\x0a\x03a\nb"))), `{"1":"a\nb"}`},
		"number":          {string(frame(0, []byte("\x10\x11"))), `{"2":17}`},
		"negative number": {string(frame(0, []byte("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))), `{"2":-1}`},
		"large number": {
			string(frame(0, []byte("\x10\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))), `{"2":{"varint":"9223372036854775807"}}`,
		},
		"double":      {string(frame(0, []byte("\x09\x00\x00\x00\x00\x00\x00\xf8\x3f"))), `{"1":{"double":1.5}}`},
		"fixed64":     {string(frame(0, []byte("\x09\x11\x00\x00\x00\x00\x00\x00\x00"))), `{"1":{"fixed64":"17"}}`},
		"float":       {string(frame(0, []byte("\x0d\xcd\xcc\xcc\x3d"))), `{"1":{"float":0.1}}`},
		"fixed32":     {string(frame(0, []byte("\x0d\x11\x00\x00\x00"))), `{"1":{"fixed32":"17"}}`},
		"message":     {string(frame(0, []byte("\x1a\x04\x0a\x02ab"))), `{"3":{"1":"ab"}}`},
		"bytes":       {string(frame(0, []byte("\x0a\x02\xff\xfe"))), `{"1":{"base64":"//4="}}`},
		"repeated":    {string(frame(0, []byte("\x0a\x01a\x0a\x01b\x10\x01"))), `{"1":["a","b"],"2":1}`},
		"stream":      {string(append(frame(0, []byte("\x08\x01")), frame(0, []byte("\x08\x02"))...)), `[{"1":1},{"1":2}]`},
		"gzip":        {string(frame(1, compressed.Bytes())), `{"1":"abc"}`},
		"no frame":    {"abc", ""},
		"half":        {"\x00\x00\x00\x00\x05ab", ""},
		"no message":  {string(frame(0, []byte("\x07"))), ""},
		"long varint": {string(frame(0, []byte("\x08\x81\x00"))), ""}, // GRPCFromJSON would encode the number as one byte
		"out of order": {
			string(frame(0, []byte("\x10\x01\x08\x01"))), "",
		},
		"no body": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := GRPCToJSON([]byte(tt.body))
			if got != tt.want || ok != (tt.want != "") {
				t.Fatalf("got %s, %v, want %s", got, ok, tt.want)
			}
			if back, isJSON := GRPCFromJSON([]byte(got)); ok && (!isJSON || tt.body[0] == 0 && string(back) != tt.body) {
				t.Errorf("%s became %q, want %q", got, back, tt.body)
			}
		})
	}
}

func TestGRPCFromOtherJSON(t *testing.T) {
	for _, text := range []string{
		"", "x", "17", `"a"`, `{"a":1}`, `{"0":1}`, `{"01":1}`, `{"1":1.5}`, `{"1":true}`, `{"1":null}`, `[[]]`, `{} {}`,
		`{"1":{"fixed32":"5000000000"}}`, `{"1":{"base64":"!"}}`,
	} {
		if got, ok := GRPCFromJSON([]byte(text)); ok {
			t.Errorf("%s became %q", text, got)
		}
	}
}

// If GRPCToJSON converts a message, GRPCFromJSON returns the same bytes.
func FuzzGRPC(f *testing.F) {
	f.Add([]byte("\x0a\x05apple\x1a\x04\x0a\x02ab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		body := frame(0, data)
		text, ok := GRPCToJSON(body)
		if !ok {
			return
		}
		if back, ok := GRPCFromJSON([]byte(text)); !ok || !bytes.Equal(back, body) {
			t.Errorf("%q became %s, and that %q", body, text, back)
		}
	})
}

func TestGRPCMessagesKeepTheirBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for number := range rapid.IntRange(0, 5).Draw(t, "fields") {
			kind := rapid.SampledFrom([]uint64{protobufVarint, protobufFixed64, protobufBytes, protobufFixed32}).Draw(t, "kind")
			data = appendUvarint(data, uint64(number+1)<<3|kind)
			switch kind {
			case protobufVarint:
				data = appendUvarint(data, rapid.Uint64().Draw(t, "varint"))
			case protobufFixed64:
				data = append(data, littleEndian(rapid.Uint64().Draw(t, "fixed64"), 8)...)
			case protobufFixed32:
				data = append(data, littleEndian(rapid.Uint64().Draw(t, "fixed32"), 4)...)
			default:
				text := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")
				data = append(appendUvarint(data, uint64(len(text))), text...)
			}
		}
		body := frame(0, data)
		text, ok := GRPCToJSON(body)
		back, isJSON := GRPCFromJSON([]byte(text))
		if !ok || !isJSON || !bytes.Equal(back, body) {
			t.Fatalf("%q became %s, and that %q", body, text, back)
		}
	})
}
