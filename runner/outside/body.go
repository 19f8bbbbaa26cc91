package outside

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// form is how what a place says is written.
type form uint8

// The forms. What is not UTF-8 is a text with a byte that no text has.
const (
	asJSON form = iota
	lines
	page
	empty
	long
	garbled
)

func (f form) media() string {
	switch f {
	case asJSON:
		return "application/json"
	case page:
		return "text/html"
	case lines, long, garbled:
		return "text/plain"
	}
	return ""
}

// The chances of what is said.
const (
	providedChance = 0.9 // that it is what the host's spec declares, where there is one
	shapedChance   = 0.7 // that JSON has the shape of something that the service reads
	wholeChance    = 0.4 // that nothing is left out of it
	labelChance    = 0.2 // that its media type is one that the service may look for
	echoChance     = 0.15
	oddChance      = 0.1 // that it is empty, long or no text
	jsonChance     = 0.6 // that HTTP says JSON
	usualLong      = 20_000
	longest        = 1 << 20
)

// say gives an answer something to say.
func (w *World) say(r *rand.Rand, s *Stub, a *answer, schema *model.Schema) {
	a.form = formFor(r, s)
	if schema != nil {
		a.form = asJSON
	}
	a.body = nil
	w.label(r, s, a)
	switch a.form {
	case long:
		a.long = strings.Repeat("x", usualLong)
		if len(w.Lengths) > 0 && r.IntN(2) == 0 {
			a.long = w.ofLength(r, longest)
		}
	case asJSON:
		if schema == nil {
			schema = w.shape(r, s.place)
		}
		a.body = gene.New(schema)
	case lines, page, garbled:
		a.text = w.texture(r)
		a.body = gene.New(talk)
	}
	if a.body == nil {
		return
	}
	a.body.Sample(r)
	if a.form == asJSON && r.Float64() < wholeChance {
		gene.Fill(r, a.body)
	}
	for _, v := range a.said(s) {
		w.season(r, s.place, v.Field)
	}
}

// label says what is said by HTTP: mostly what it is.
func (w *World) label(r *rand.Rand, s *Stub, a *answer) {
	a.media = nil
	if s.protocol != model.HTTP || a.form.media() == "" {
		return
	}
	a.media = gene.New(headerSchema(contentType))
	gene.Take(a.media, a.form.media())
	if r.Float64() < labelChance {
		w.season(r, s.place, gene.Field{Name: contentType, Gene: a.media})
	}
}

func formFor(r *rand.Rand, s *Stub) form {
	switch {
	case r.Float64() < oddChance:
		return []form{empty, long, garbled}[r.IntN(3)]
	case s.protocol != model.HTTP:
		return lines
	case r.Float64() < jsonChance:
		return asJSON
	}
	return []form{page, lines}[r.IntN(2)]
}

// shape is a schema for JSON that a place may answer: of something that the service
// reads, of what it sent there, or any.
func (w *World) shape(r *rand.Rand, p *place) *model.Schema {
	switch {
	case len(w.Shapes) > 0 && r.Float64() < shapedChance:
		return w.Shapes[r.IntN(len(w.Shapes))]
	case len(p.asks) > 0 && r.Float64() < echoChance:
		return p.asks[r.IntN(len(p.asks))]
	}
	return anything[r.IntN(len(anything))]
}

// jsonOf is the schema of a response's JSON, nil where it has none.
func jsonOf(r model.Response) *model.Schema {
	for _, c := range r.Contents {
		if strings.Contains(c.Media, "json") {
			return c.Schema
		}
	}
	return nil
}

// anything are shapes for what nothing is known of.
var anything = []*model.Schema{
	{Type: "object", Additional: scalar}, {Type: "array", Items: &model.Schema{Type: "object", Additional: scalar}},
	{Type: "string"}, {Type: "integer"}, {Type: "boolean"}, {Type: "object", Closed: true},
}

var scalar = &model.Schema{AnyOf: []*model.Schema{{Type: "string"}, {Type: "integer"}, {Type: "boolean"}}}

// talk is lines of words, of which each is a text, a number or a day.
var (
	mostLines, mostWords = 6, 4

	talk  = &model.Schema{Type: "array", MinItems: 1, MaxItems: &mostLines, Items: words}
	words = &model.Schema{Type: "array", MinItems: 1, MaxItems: &mostWords, Items: word}
	word  = &model.Schema{AnyOf: []*model.Schema{{Type: "string"}, {Type: "string"}, {Type: "integer"}, {Type: "string", Format: "date"}, {Type: "string", Format: "date-time"}}}
)

// texture is how words and lines are put together.
type texture struct{ between, end string }

var (
	betweens = []string{" ", " ", " ", " ", " ", " ", ": ", ":", ",", "=", "\t", "|"}
	insides  = []string{"=", "=", ":", "/", "-"}
	ends     = []string{"\n", "\n", "\n", "\r\n", ""}
)

// knownChance is how often words are put together by what the service takes them apart
// with, where that is known.
const knownChance = 0.6

func (w *World) texture(r *rand.Rand) texture {
	return texture{separator(r, w.Words, w.Parts, betweens), ends[r.IntN(len(ends))]}
}

// separator is one of the first texts, or else of the next, or else of the last.
func separator(r *rand.Rand, all ...[]string) string {
	for _, some := range all[:len(all)-1] {
		if len(some) > 0 && r.Float64() < knownChance {
			return some[r.IntN(len(some))]
		}
	}
	usual := all[len(all)-1]
	return usual[r.IntN(len(usual))]
}

// bytes is what the answer says.
func (a *answer) bytes() []byte {
	switch a.form {
	case asJSON:
		if a.body != nil {
			return gene.JSON(a.body)
		}
	case long:
		return []byte(a.long)
	case lines, page:
		return a.lines()
	case garbled:
		return append([]byte{0xff, 0xfe}, a.lines()...)
	}
	return nil
}

func (a *answer) lines() []byte {
	if a.body == nil {
		return nil
	}
	var out []byte
	for _, line := range gene.Items(a.body) {
		out = append(out, join(gene.Items(line), a.text.between)+a.text.end...)
	}
	return out
}

// shapeOf is the shape of a JSON object, nil of anything else.
func shapeOf(body []byte) *model.Schema {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v map[string]any
	if len(body) == 0 || d.Decode(&v) != nil {
		return nil
	}
	return shape(v, maxDepth)
}

const maxDepth = 4

// shape is a schema that a value keeps.
func shape(v any, depth int) *model.Schema {
	switch v := v.(type) {
	case string:
		return &model.Schema{Type: "string", Examples: []any{v}}
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return &model.Schema{Type: "number"}
		}
		return &model.Schema{Type: "integer"}
	case bool:
		return &model.Schema{Type: "boolean"}
	case []any:
		if len(v) > 0 && depth > 0 {
			return &model.Schema{Type: "array", Items: shape(v[0], depth-1)}
		}
		return &model.Schema{Type: "array", Items: scalar}
	case map[string]any:
		return object(v, depth)
	}
	return scalar
}

func object(v map[string]any, depth int) *model.Schema {
	s := &model.Schema{Type: "object"}
	if depth == 0 {
		return s
	}
	for name, field := range v {
		s.Properties = append(s.Properties, model.Property{Name: name, Required: true, Schema: shape(field, depth-1)})
	}
	slices.SortFunc(s.Properties, func(a, b model.Property) int { return strings.Compare(a.Name, b.Name) })
	return s
}
