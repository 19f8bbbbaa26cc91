package hostmodel

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// header is a header of an answer. A search mutates its value.
type header struct {
	name      string
	value     gene.Gene
	isTrailer bool // gRPC only: the host sends the header after the messages
}

const (
	locationChance = 0.9 // probability that a redirect has a Location
	readChance     = 0.3 // probability that an answer gets one more of the headers that the service reads
)

// contentType is the name of the header with the media type of a body.
const contentType = "Content-Type"

// maxHeaders is the maximum number of headers of an answer, besides contentType.
const maxHeaders = 3

// addHeaders replaces the headers of an HTTP answer. A redirect usually gets a Location, and any
// answer may get headers that the service reads.
func (sa sampler) addHeaders(e *endpoint, a *answer) {
	a.headers = nil
	if n := a.statusCode(); n/100 == 3 && n != 304 && sa.Float64() < locationChance {
		sa.addHeader(e, a, "Location")
	}
	for len(sa.vocabulary.Headers) > 0 && len(a.headers) < maxHeaders && sa.Float64() < readChance {
		sa.addHeader(e, a, sa.vocabulary.Headers[sa.IntN(len(sa.vocabulary.Headers))])
	}
}

func (sa sampler) addHeader(e *endpoint, a *answer, name string) {
	if slices.ContainsFunc(a.headers, func(h header) bool { return strings.EqualFold(h.name, name) }) {
		return
	}
	added := header{name: name, value: gene.New(headerSchema(name))}
	added.value.Sample(sa.Rand)
	sa.suggest(e, gene.Field{Name: name, Gene: added.value})
	a.headers = append(a.headers, added)
}

// headerSchema returns the schema of a header's value: one of the values that are usual for the
// header, or any text.
func headerSchema(name string) *model.Schema {
	usual := []any{"1", "no", "a, b", "x=1; y=2"}
	switch strings.ToLower(name) {
	case "location", "content-location", "link":
		usual = []any{"/", "/next", "/a/b?c=d", "next", "//other.example/", "http://other.example/", ":", "mailto:a@b.example"}
	case "content-type":
		usual = []any{
			"application/json", "text/html", "text/html; charset=utf-8", "text/plain", "application/octet-stream",
			"application/xml", "image/png", "a/b; c",
		}
	case "last-modified", "date", "expires", "retry-after":
		usual = []any{"Mon, 02 Jan 2006 15:04:05 GMT", "Fri, 01 Jan 2100 00:00:00 GMT", "0", "1", "-1", "soon"}
	case "etag":
		usual = []any{`"a"`, `"b"`, `W/"a"`, "a"}
	case "content-length":
		usual = []any{"0", "1", "1000000"}
	}
	return &model.Schema{AnyOf: []*model.Schema{{Type: "string", Enum: usual}, {Type: "string"}}}
}

// literalHeaders returns the headers that are sent, with invalid characters replaced and
// without Content-Length.
func (a *answer) literalHeaders() model.HeaderFields {
	all := model.HeaderFields{}
	if a.media != nil {
		all[contentType] = []string{strings.Map(printable, gene.Text(a.media))}
	}
	for _, h := range a.headers {
		all[h.name] = []string{strings.Map(printable, gene.Text(h.value))}
	}
	delete(all, "Content-Length") // the length of the body determines this header
	return all
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}
