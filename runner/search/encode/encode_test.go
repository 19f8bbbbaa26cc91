package encode_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"sonde/model"
	"sonde/runner/search/encode"
	"sonde/runner/search/gene"
)

// document returns a JSON value as a document. It fails the test if the schema does not allow the value.
func document(t *testing.T, f model.Format, s *model.Schema, value string) []byte {
	t.Helper()
	g := gene.New(s)
	g.Sample(rand.New(rand.NewPCG(1, 1)))
	gene.FillOptional(rand.New(rand.NewPCG(1, 1)), g)
	var v any
	if err := json.Unmarshal([]byte(value), &v); err != nil {
		t.Fatal(err)
	}
	if !gene.AssignValue(g, v) || string(gene.JSON(g)) != value {
		t.Fatalf("%s is not a value of the schema: %s", value, gene.JSON(g))
	}
	return encode.Document(f, s, g)
}

func object(fields ...model.Property) *model.Schema {
	return &model.Schema{Type: "object", Properties: fields}
}

func field(name string, s *model.Schema) model.Property {
	return model.Property{Name: name, Required: true, Schema: s}
}

func listOf(s *model.Schema) *model.Schema { return &model.Schema{Type: "array", Items: s} }

func integer(format string) *model.Schema { return &model.Schema{Type: "integer", Format: format} }

var text = &model.Schema{Type: "string"}

// Decoders of the standard library, and a decoder of YAML, read the encoded documents.
func TestDocuments(t *testing.T) {
	t.Run("XML", func(t *testing.T) {
		s := object(field("id", &model.Schema{Type: "string", XML: &model.XML{Attribute: true}}),
			field("note", &model.Schema{Type: "string", XML: &model.XML{Text: true}}), field("tag", listOf(text)))
		s.Name = "order"
		var got struct {
			XMLName xml.Name `xml:"order"`
			ID      string   `xml:"id,attr"`
			Note    string   `xml:",chardata"`
			Tags    []string `xml:"tag"`
		}
		doc := document(t, model.Format{Encoding: model.XMLEncoding}, s, `{"id":"7","note":"a<b","tag":["x","y"]}`)
		if err := xml.Unmarshal(doc, &got); err != nil || got.ID != "7" || got.Note != "a<b" || !cmp.Equal(got.Tags, []string{"x", "y"}) {
			t.Errorf("%s is %+v, error %v", doc, got, err)
		}
	})
	t.Run("YAML", func(t *testing.T) {
		s := object(field("name", text), field("ports", listOf(integer("int32"))), field("none", listOf(text)))
		doc := document(t, model.Format{Encoding: model.YAMLEncoding}, s, `{"name":"true","ports":[1,2],"none":[]}`)
		want := "name: \"true\"\nports:\n    - 1\n    - 2\nnone: []\n"
		var got struct{ Name string }
		if string(doc) != want || yaml.Unmarshal(doc, &got) != nil || got.Name != "true" {
			t.Errorf("got %q, want %q", doc, want)
		}
	})
	t.Run("form", func(t *testing.T) {
		s := object(field("a b", text), field("c", listOf(text)))
		got, err := url.ParseQuery(string(document(t, model.Format{Encoding: model.FormEncoding}, s, `{"a b":"=&","c":["1","2"]}`)))
		if err != nil || !cmp.Equal(got, url.Values{"a b": {"=&"}, "c": {"1", "2"}}) {
			t.Errorf("got %v, error %v", got, err)
		}
	})
	t.Run("CSV", func(t *testing.T) {
		s := listOf(object(field("a", text), field("b", text)))
		for _, f := range []model.Format{{Encoding: model.CSVEncoding, Comma: ";"}, {Encoding: model.CSVEncoding, Headless: true}} {
			r := csv.NewReader(bytes.NewReader(document(t, f, s, `[{"a":"1;2","b":"x\"y"},{"a":"","b":"z,"}]`)))
			want := [][]string{{"1;2", `x"y`}, {"", "z,"}}
			if f.Comma != "" {
				r.Comma, want = ';', append([][]string{{"a", "b"}}, want...)
			}
			if got, err := r.ReadAll(); err != nil || !cmp.Equal(got, want) {
				t.Errorf("got %q, error %v", got, err)
			}
		}
	})
	t.Run("gob", func(t *testing.T) {
		type entry struct {
			Cents int64
			Kind  string
		}
		type reply struct {
			OK      bool
			Level   uint8
			At      time.Time
			Raw     []byte
			Entries []entry
			Rates   map[string]float64
		}
		s := object(field("OK", &model.Schema{Type: "boolean"}), field("Level", integer("uint8")),
			field("At", &model.Schema{Type: "string", Format: "date-time"}), field("Raw", &model.Schema{Type: "string", Format: "byte"}),
			field("Entries", listOf(object(field("Cents", integer("int64")), field("Kind", text)))),
			field("Rates", &model.Schema{Type: "object", Additional: &model.Schema{Type: "number"}}), field("unexported", text))
		doc := document(t, model.Format{Encoding: model.GobEncoding}, s, `{"OK":true,"Level":200,"At":"2030-01-02T03:04:05Z","Raw":"aGk=",`+
			`"Entries":[{"Cents":-5,"Kind":"fee"}],"Rates":{},"unexported":"x"}`)
		want := reply{
			OK: true, Level: 200, At: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), Raw: []byte("hi"), Entries: []entry{{-5, "fee"}},
			Rates: map[string]float64{},
		}
		var got reply
		if err := gob.NewDecoder(bytes.NewReader(doc)).Decode(&got); err != nil || !cmp.Equal(got, want) {
			t.Errorf("got %+v, error %v", got, err)
		}
	})
}

// XML documents declare each namespace once, where it is needed, and have valid names for any text.
func TestXMLHints(t *testing.T) {
	named := func(x model.XML, s model.Schema) *model.Schema {
		s.XML = &x
		return &s
	}
	inner := object(field("a", &model.Schema{Type: "string"}))
	inner.XML = &model.XML{Prefix: "p", Namespace: "urn:p"}
	s := object(
		field("1 of<", text),
		field("list", named(model.XML{Wrapped: true, Name: "items"}, *listOf(named(model.XML{Name: "item"}, *text)))),
		field("in", inner),
		field("at", named(model.XML{Attribute: true, Prefix: "q"}, *text)),
	)
	s.XML = &model.XML{Prefix: "p", Namespace: "urn:p"}
	got := document(t, model.Format{Encoding: model.XMLEncoding}, s, `{"1 of<":"<","list":["x","y"],"in":{"a":"b"},"at":"\""}`)
	want := xml.Header + `<p:root xmlns:p="urn:p" at="&#34;"><_1_of_>&lt;</_1_of_><items><item>x</item><item>y</item></items>` +
		`<p:in><a>b</a></p:in></p:root>`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Document returns nil if gob has no type for the schema.
func TestNoGob(t *testing.T) {
	for _, s := range []*model.Schema{{Type: "integer", Format: "int128"}, listOf(&model.Schema{Type: "null"})} {
		if doc := encode.Document(model.Format{Encoding: model.GobEncoding}, s, gene.New(s)); doc != nil {
			t.Errorf("%s: got %q", s.Type, doc)
		}
	}
}

// A field whose name is in Lengths gets the number of bytes that come after its document. Here, a list is a sequence
// of several documents.
func TestFixedSize(t *testing.T) {
	four := 4
	head := object(field("Magic", &model.Schema{Type: "string", MinLength: 4, MaxLength: &four}), field("Length", integer("uint16")),
		field("Level", integer("int8")))
	body := object(field("On", &model.Schema{Type: "boolean"}), field("Share", &model.Schema{Type: "number", Format: "float32"}))
	s := listOf(&model.Schema{AnyOf: []*model.Schema{text, head, body}})
	const value = `[{"Magic":"abcd","Length":9,"Level":-2},{"On":true,"Share":0.5},"end"]`
	doc := document(t, model.Format{Encoding: model.LittleEndian, Lengths: []string{"Length"}}, s, value)
	var got struct {
		Magic  [4]byte
		Length uint16
		Level  int8
		On     bool
		Share  float32
		End    [3]byte
	}
	if n, err := binary.Decode(doc, binary.LittleEndian, &got); err != nil || n != len(doc) {
		t.Fatalf("%d of %d bytes, error %v", n, len(doc), err)
	}
	if string(got.Magic[:]) != "abcd" || got.Length != 8 || got.Level != -2 || !got.On || got.Share != 0.5 || string(got.End[:]) != "end" {
		t.Errorf("got %+v", got)
	}
	big := document(t, model.Format{Encoding: model.BigEndian}, object(field("N", integer("uint32"))), `{"N":1}`)
	if !strings.HasSuffix(string(big), "\x00\x00\x00\x01") || len(big) != 4 {
		t.Errorf("got %q", big)
	}
}

// In a message of Protocol Buffers, field numbers replace the names of fields, and each number has the encoding of
// its field. A gRPC message is JSON in the form of package wire.
func TestProtobuf(t *testing.T) {
	numbered := func(n int, w model.Wire, s *model.Schema) *model.Schema {
		c := *s
		c.Protobuf = &model.ProtobufField{Number: n, Wire: w}
		return &c
	}
	field := func(n int, w model.Wire, s *model.Schema) model.Property {
		return model.Property{Name: "f" + strconv.Itoa(n), Schema: numbered(n, w, s)}
	}
	one := object(field(5, "", text))
	one.Properties[0].Required = true
	choice := &model.Schema{AnyOf: []*model.Schema{one}, Protobuf: &model.ProtobufField{}}
	number := &model.Schema{Type: "number", Format: "float64"}
	s := object(
		field(1, model.Varint, integer("int32")), field(2, model.Zigzag, integer("int32")), field(3, model.Fixed32, integer("uint32")),
		field(4, model.Fixed64, number), model.Property{Name: "choice", Schema: choice},
		field(6, "", &model.Schema{Type: "string", Format: "byte"}),
		field(7, model.Varint, &model.Schema{Type: "boolean"}), field(8, "", &model.Schema{Type: "string", Format: "date-time"}),
		field(9, model.Varint, listOf(integer("int32"))), field(10, "", object(field(1, model.Varint, integer("int64")))),
		field(11, model.Fixed32, &model.Schema{Type: "number", Format: "float32"}),
	)
	const value = `{"f1":-1,"f2":-5,"f3":7,"f4":0.5,"choice":{"f5":"x"},"f6":"aGk=","f7":true,"f8":"1970-01-01T00:00:09Z",` +
		`"f9":[1,300],"f10":{"f1":9007199254740994},"f11":1.5}`
	got := document(t, model.Format{Encoding: model.GRPCEncoding}, s, value)
	want := `{"1":-1,"10":{"1":{"varint":"9007199254740994"}},"11":{"float":"1.5"},"2":9,"3":{"fixed32":"7"},"4":{"double":"0.5"},` +
		`"5":"x","6":{"base64":"aGk="},"7":1,"8":{"1":9,"2":0},"9":[1,300]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got = document(t, model.Format{Encoding: model.ProtobufEncoding}, object(field(2, model.Zigzag, integer("int32")), field(5, "", text)),
		`{"f2":-5,"f5":"ab"}`)
	if string(got) != "\x10\x09\x2a\x02ab" {
		t.Errorf("got %q", got)
	}
}
