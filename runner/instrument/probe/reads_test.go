package probe

import (
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// Shapes are made from the types into which the source decodes JSON, also in functions of its own,
// and from the keys that it reads from maps.
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
	text, number, flag := probedata.JSONShape{Type: "string"}, probedata.JSONShape{Type: "number"}, probedata.JSONShape{Type: "boolean"}
	line := probedata.JSONShape{Type: "object", Fields: []probedata.ShapeField{
		{Name: "Price", Shape: number},
		{Name: "Raw", Shape: probedata.JSONShape{Type: "string", Format: "byte"}},
		{Name: "Tags", Shape: probedata.JSONShape{Type: "object", Values: &flag}},
		{
			Name:  "Names",
			Shape: probedata.JSONShape{Type: "object", Values: &text, Fields: []probedata.ShapeField{{Name: "en", Shape: text}}},
		},
	}}
	got := manifestOf(t, Options{Dir: dir}).Shapes
	if len(got) != 3 {
		t.Fatalf("%d shapes: %+v", len(got), got)
	}
	want := []probedata.JSONShape{
		{Type: "object", Fields: []probedata.ShapeField{{Name: "OK", Shape: flag}}},
		{
			Type: "object",
			Fields: []probedata.ShapeField{
				{Name: "approved", Shape: flag},
				{Name: "other", Shape: probedata.JSONShape{}},
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

func fieldNames(s probedata.JSONShape) (all []string) {
	for _, f := range s.Fields {
		all = append(all, f.Name)
	}
	return all
}
