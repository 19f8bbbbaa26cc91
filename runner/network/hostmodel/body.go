package hostmodel

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/encode"
	"sonde/runner/search/gene"
)

// form is the format of a body.
type form uint8

const (
	structured form = iota // a document, such as JSON
	lines                  // lines of words
	page                   // lines of words, declared as HTML
	empty
	long    // one character, repeated
	garbled // lines of words after bytes that are not UTF-8
	databaseReply
	resourceValue // the value of a resource of the environment
)

// mediaTypes are the content types of documents.
var mediaTypes = map[model.Encoding]string{
	model.JSONEncoding: "application/json",
	model.XMLEncoding:  "application/xml",
	model.YAMLEncoding: "application/yaml",
	model.CSVEncoding:  "text/csv",
	model.FormEncoding: "application/x-www-form-urlencoded",
	model.GobEncoding:  "application/octet-stream",
	model.BigEndian:    "application/octet-stream",
	model.LittleEndian: "application/octet-stream",
	model.GRPCEncoding: "application/grpc",

	model.ProtobufEncoding: "application/x-protobuf",
}

// mediaType returns the content type of an answer's form, "" if it has none.
func (a *answer) mediaType() string {
	switch a.form {
	case structured:
		return mediaTypes[a.document.Encoding]
	case page:
		return "text/html"
	case lines, long, garbled:
		return "text/plain"
	}
	return ""
}

// Probabilities with which the properties of a body are drawn.
const (
	declaredChance      = 0.9  // probability that the answer is a response that the host's spec declares, if there is a spec
	knownDocumentChance = 0.7  // probability that a document is one of Vocabulary.Documents
	completeChance      = 0.4  // probability that a document has all optional values
	mediaChance         = 0.2  // probability that the media type is one that the service may look for
	echoChance          = 0.15 // probability that a JSON body has the schema of a request to the host
	oddChance           = 0.1  // probability that the body is empty, long or garbled
	documentChance      = 0.6  // probability that any other body is a document
	learnedChance       = 0.85 // used instead of documentChance if RecordSuccess has recorded a document of the endpoint
)

// Sizes of long bodies in bytes.
const (
	longBody    = 20_000
	maxLongBody = 1 << 20
)

// addBody gives an answer a new body. If schema is not nil, the body is JSON with that schema.
func (sa sampler) addBody(s *Stub, a *answer, schema *model.Schema) {
	a.form, a.document = sa.formFor(s), nil
	switch {
	case schema != nil:
		a.form, a.document = structured, jsonDocument(schema)
	case a.form == structured:
		a.document = sa.vocabulary.document(sa.Rand, s)
	}
	a.body = nil
	sa.addMedia(s, a)
	switch a.form {
	case long:
		a.long = strings.Repeat("x", longBody)
		if len(sa.vocabulary.Lengths) > 0 && sa.IntN(2) == 0 {
			a.long = sa.vocabulary.textOfLength(sa.Rand, maxLongBody)
		}
	case structured:
		a.body = gene.New(a.document.Schema)
	case lines, page, garbled:
		a.format = sa.vocabulary.lineFormat(sa.Rand)
		a.body = gene.New(talkSchema)
	}
	if a.body == nil {
		return
	}
	a.body.Sample(sa.Rand)
	if a.form == structured && sa.Float64() < completeChance {
		gene.FillOptional(sa.Rand, a.body)
	}
	for _, v := range a.values(s) {
		sa.suggest(s.endpoint, v.Field)
	}
}

// addMedia gives an HTTP answer a content type: usually the content type of its form, and sometimes
// one that the service may look for. An answer without a body gets no content type.
func (sa sampler) addMedia(s *Stub, a *answer) {
	a.media = nil
	if s.protocol != model.HTTP || a.mediaType() == "" {
		return
	}
	a.media = gene.New(headerSchema(contentType))
	gene.AssignText(a.media, a.mediaType())
	if sa.Float64() < mediaChance {
		sa.suggest(s.endpoint, gene.Field{Name: contentType, Gene: a.media})
	}
}

// formFor draws the form of a body. Without HTTP, it draws structured only if the vocabulary has documents.
func (sa sampler) formFor(s *Stub) form {
	chance := documentChance
	if len(s.learned) > 0 {
		chance = learnedChance
	}
	switch {
	case sa.Float64() < oddChance:
		return []form{empty, long, garbled}[sa.IntN(3)]
	case s.protocol != model.HTTP && len(sa.vocabulary.Documents) == 0:
		return lines
	case sa.Float64() < chance:
		return structured
	case s.protocol != model.HTTP:
		return lines
	}
	return []form{page, lines}[sa.IntN(2)]
}

// jsonSchemaOf returns the JSON schema of a response, nil if it has none.
func jsonSchemaOf(r model.Response) *model.Schema {
	for _, c := range r.Contents {
		if strings.Contains(c.Media, "json") {
			return c.Schema
		}
	}
	return nil
}

// anySchemas are the schemas from which Vocabulary.document draws if it uses neither a known document nor the schema of a
// request.
var anySchemas = []*model.Schema{
	{Type: "object", Additional: scalar},
	{Type: "array", Items: &model.Schema{Type: "object", Additional: scalar}},
	{Type: "string"},
	{Type: "integer"},
	{Type: "boolean"},
	{Type: "object", Closed: true},
}

var scalar = &model.Schema{AnyOf: []*model.Schema{{Type: "string"}, {Type: "integer"}, {Type: "boolean"}}}

// talkSchema is the schema of lines of words. A word is a text, an integer, a date, or a date with
// a time.
var (
	maxLines, maxWords = 6, 4

	talkSchema = &model.Schema{Type: "array", MinItems: 1, MaxItems: &maxLines, Items: words}
	words      = &model.Schema{Type: "array", MinItems: 1, MaxItems: &maxWords, Items: word}
	word       = &model.Schema{
		AnyOf: []*model.Schema{
			{Type: "string"},
			{Type: "string"},
			{Type: "integer"},
			{Type: "string", Format: "date"},
			{Type: "string", Format: "date-time"},
		},
	}
)

// lineFormat has the text between two words, and the text at the end of a line.
type lineFormat struct{ between, end string }

var (
	wordSeparators = []string{" ", " ", " ", " ", " ", " ", ": ", ":", ",", "=", "\t", "|"}
	pairSeparators = []string{"=", "=", ":", "/", "-"}
	lineEnds       = []string{"\n", "\n", "\n", "\r\n", ""}
)

// knownChance is the probability with which separator draws from a list instead of going to the next list.
const knownChance = 0.6

// separator draws a text from one of the lists. It takes the first list with the probability knownChance, or else the
// second with the same probability, and so on, and finally the last list. It skips empty lists.
func separator(r *rand.Rand, all ...[]string) string {
	for _, some := range all[:len(all)-1] {
		if len(some) > 0 && r.Float64() < knownChance {
			return some[r.IntN(len(some))]
		}
	}
	usual := all[len(all)-1]
	return usual[r.IntN(len(usual))]
}

// content returns the bytes of an answer's body.
func (a *answer) content() []byte {
	switch a.form {
	case structured:
		if a.body != nil {
			return encode.Document(a.document.Format, a.document.Schema, a.body)
		}
	case long:
		return []byte(a.long)
	case lines, page:
		return a.joinedLines()
	case garbled:
		return append([]byte{0xff, 0xfe}, a.joinedLines()...)
	}
	return nil
}

func (a *answer) joinedLines() []byte {
	if a.body == nil {
		return nil
	}
	var out []byte
	for _, line := range gene.Elements(a.body) {
		out = append(out, joinWords(gene.Elements(line), a.format.between)+a.format.end...)
	}
	return out
}

// schemaOf returns a schema for a body that is a JSON object, nil for any other body.
func schemaOf(body []byte) *model.Schema {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v map[string]any
	if len(body) == 0 || d.Decode(&v) != nil {
		return nil
	}
	return schemaOfValue(v, maxDepth)
}

// maxDepth bounds the nesting of schemas that are inferred from values.
const maxDepth = 4

// schemaOfValue infers a schema from a JSON value. The schema of an array's items is inferred from
// its first item.
func schemaOfValue(v any, depth int) *model.Schema {
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
			return &model.Schema{Type: "array", Items: schemaOfValue(v[0], depth-1)}
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
		s.Properties = append(s.Properties, model.Property{Name: name, Required: true, Schema: schemaOfValue(field, depth-1)})
	}
	slices.SortFunc(s.Properties, func(a, b model.Property) int { return strings.Compare(a.Name, b.Name) })
	return s
}
