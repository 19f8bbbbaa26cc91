package probe

import (
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// Shapes are made from the types into which the source decodes JSON, even through functions of its own, and
// from the keys that the source reads from maps.
func TestShapes(t *testing.T) {
	dir := module(t, `-- go.mod --
module example.com/reads

go 1.22
-- main.go --
package main

import (
	"encoding/json"
	"io"
	"time"
)

type base struct {
	ID int `+"`json:\"id\"`"+`
}

type order struct {
	base
	Lines  []line `+"`json:\"lines,omitempty\"`"+`
	At     time.Time
	Hidden string `+"`json:\"-\"`"+`
	secret string
	Next   *order `+"`json:\"next\"`"+`
}

type line struct {
	Price float64
	Raw   []byte
	Tags  map[string]bool
	Names map[string]string
}

type ping struct{ OK bool }

func read(r io.Reader, into any) error { return json.NewDecoder(r).Decode(into) }

func readTwice(r io.Reader, into any) error { return read(r, into) }

func as[T any](data []byte) (t T, err error) {
	err = json.Unmarshal(data, &t)
	return t, err
}

func main() {
	var o order
	_ = readTwice(nil, &o)
	_, _ = as[ping](nil)
	var said map[string]any
	_ = json.Unmarshal(nil, &said)
	if said["approved"] != true {
		println(said["receipt"].(string), said["other"])
	}
	o.Lines[0].Names["own"] = o.Lines[0].Names["en"]
}
`)
	text, number, flag := probedata.Shape{Type: "string"}, probedata.Shape{Type: "number"}, probedata.Shape{Type: "boolean"}
	line := probedata.Shape{Type: "object", Fields: []probedata.ShapeField{
		{Name: "Price", Shape: number},
		{Name: "Raw", Shape: probedata.Shape{Type: "string", Format: "byte"}},
		{Name: "Tags", Shape: probedata.Shape{Type: "object", Values: &flag}},
		{
			Name:  "Names",
			Shape: probedata.Shape{Type: "object", Values: &text, Fields: []probedata.ShapeField{{Name: "en", Shape: text}}},
		},
	}}
	var got []probedata.Shape
	for _, d := range manifestOf(t, Options{Dir: dir}).Documents {
		if d.Encoding != model.JSONEncoding {
			t.Errorf("a document in %s", d.Encoding)
		}
		got = append(got, d.Shape)
	}
	if len(got) != 3 {
		t.Fatalf("%d shapes: %+v", len(got), got)
	}
	want := []probedata.Shape{
		{Type: "object", Fields: []probedata.ShapeField{{Name: "OK", Shape: flag}}},
		{
			Type: "object",
			Fields: []probedata.ShapeField{
				{Name: "approved", Shape: flag},
				{Name: "other", Shape: probedata.Shape{}},
				{Name: "receipt", Shape: text},
			},
		},
	}
	if diff := cmp.Diff(want, got[:2]); diff != "" {
		t.Error(diff)
	}
	if names := fieldNames(got[2]); !cmp.Equal(names, []string{"id", "lines", "At", "next"}) || fieldNames(got[2].Fields[3].Shape) == nil {
		t.Errorf("an order has %q", names)
	}
	if diff := cmp.Diff(line, *got[2].Fields[1].Shape.Items); diff != "" {
		t.Error(diff)
	}
}

func fieldNames(s probedata.Shape) (all []string) {
	for _, f := range s.Fields {
		all = append(all, f.Name)
	}
	return all
}

// Documents of other encodings are made from types, too, and from the names, columns and offsets that the
// source reads. Documents in requests to the service are left out.
func TestDocuments(t *testing.T) {
	dir := module(t, `-- go.mod --
module example.com/documents

go 1.22
-- main.go --
package main

import (
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
)

type order struct{ ID int }

type page struct {
	XMLName xml.Name `+"`xml:\"urn:x page\"`"+`
	Lang    string   `+"`xml:\"lang,attr\"`"+`
	Title   string   `+"`xml:\"head>title\"`"+`
	Links   []string `+"`xml:\"head>link\"`"+`
	Text    string   `+"`xml:\",chardata\"`"+`
}

type head struct {
	Magic  [2]byte
	Length uint16
	Level  int8
}

type balance struct{ Cents uint32 }

func as[T any](r io.Reader) (t T, err error) { return t, json.NewDecoder(r).Decode(&t) }

func read(w http.ResponseWriter, r *http.Request) {
	var asked order
	data, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(data, &asked)
	}
	_, _ = as[struct{ Name string }](r.Body)
	_, _ = as[struct{ Reply string }](nil)

	var p page
	_ = xml.Unmarshal(nil, &p)
	var b balance
	_ = gob.NewDecoder(nil).Decode(&b)
	var h head
	_ = binary.Read(nil, binary.LittleEndian, &h)
	_ = make([]byte, h.Length)
}

func main() {
	buffer := make([]byte, 8)
	kind := buffer[1] & 7
	size := binary.BigEndian.Uint16(buffer[4:6])
	println(kind, string(buffer[:size]))
}
-- form.go --
package main

import "net/url"

func form(text string) string {
	v, _ := url.ParseQuery(text)
	v["sent"] = []string{v.Get("token")}
	return v["scope"][0] + v.Encode()
}
-- table.go --
package main

import "encoding/csv"

func table(columns map[string]int) string {
	r := csv.NewReader(nil)
	r.Comma = '\t'
	row, _ := r.Read()
	return row[columns["rate"]]
}
`)
	text := probedata.Shape{Type: "string"}
	field := func(name string, s probedata.Shape) probedata.ShapeField {
		return probedata.ShapeField{Name: name, Shape: s}
	}
	object := func(fields ...probedata.ShapeField) probedata.Shape {
		return probedata.Shape{Type: "object", Fields: fields}
	}
	number := func(format string) probedata.Shape { return probedata.Shape{Type: "integer", Format: format} }
	list := func(of probedata.Shape) probedata.Shape { return probedata.Shape{Type: "array", Items: &of} }
	want := []probedata.Document{
		{
			Format: model.Format{Encoding: model.BigEndian, Lengths: []string{"size"}},
			Shape: object(field("bytes0", probedata.Shape{Type: "string", Count: 1}), field("kind", number("uint8")),
				field("bytes2", probedata.Shape{Type: "string", Count: 2}), field("size", number("uint16")),
				field("bytes6", probedata.Shape{Type: "string", Count: 2})),
		},
		{Format: model.Format{Encoding: model.CSVEncoding, Comma: "\t"}, Shape: list(object(field("rate", text)))},
		{Format: model.Format{Encoding: model.FormEncoding}, Shape: object(field("token", text), field("scope", text))},
		{Format: model.Format{Encoding: model.GobEncoding}, Shape: object(field("Cents", number("uint32")))},
		{Format: model.Format{Encoding: model.JSONEncoding}, Shape: object(field("Reply", text))},
		{
			Format: model.Format{Encoding: model.LittleEndian, Lengths: []string{"Length"}},
			Shape: object(field("Magic", probedata.Shape{Type: "string", Count: 2}), field("Length", number("uint16")),
				field("Level", number("int8"))),
		},
		{
			Format: model.Format{Encoding: model.XMLEncoding}, Root: "page",
			Shape: object(probedata.ShapeField{Name: "lang", Attribute: true, Shape: text},
				field("head", object(field("title", text), field("link", list(text)))),
				probedata.ShapeField{Name: "Text", Text: true, Shape: text}),
		},
	}
	if diff := cmp.Diff(want, manifestOf(t, Options{Dir: dir}).Documents); diff != "" {
		t.Error(diff)
	}
}
