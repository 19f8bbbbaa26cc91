package outside

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// header is one of an answer, with a value to search for.
type header struct {
	name  string
	value gene.Gene
}

// The chances of headers.
const (
	locationChance = 0.9 // that an answer which points elsewhere says where
	readChance     = 0.3 // that one is there which the service reads
)

// contentType is the header that every answer has which says something.
const contentType = "Content-Type"

// mostHeaders is how many headers of an answer are searched.
const mostHeaders = 3

// head gives an answer of HTTP headers: those that its status goes with, and some that
// the service reads.
func (w *World) head(r *rand.Rand, p *place, a *answer) {
	a.headers = nil
	if n := a.status(); n/100 == 3 && n != 304 && r.Float64() < locationChance {
		w.add(r, p, a, "Location")
	}
	for len(w.Headers) > 0 && len(a.headers) < mostHeaders && r.Float64() < readChance {
		w.add(r, p, a, w.Headers[r.IntN(len(w.Headers))])
	}
}

func (w *World) add(r *rand.Rand, p *place, a *answer, name string) {
	if slices.ContainsFunc(a.headers, func(h header) bool { return strings.EqualFold(h.name, name) }) {
		return
	}
	h := header{name, gene.New(headerSchema(name))}
	h.value.Sample(r)
	w.season(r, p, gene.Field{Name: name, Gene: h.value})
	a.headers = append(a.headers, h)
}

// headerSchema is what a header may be: a text at least, and what is usual for it.
func headerSchema(name string) *model.Schema {
	usual := []any{"1", "no", "a, b", "x=1; y=2"}
	switch strings.ToLower(name) {
	case "location", "content-location", "link":
		usual = []any{"/", "/next", "/a/b?c=d", "next", "//other.example/", "http://other.example/", ":", "mailto:a@b.example"}
	case "content-type":
		usual = []any{"application/json", "text/html", "text/html; charset=utf-8", "text/plain", "application/octet-stream", "application/xml", "image/png", "a/b; c"}
	case "last-modified", "date", "expires", "retry-after":
		usual = []any{"Mon, 02 Jan 2006 15:04:05 GMT", "Fri, 01 Jan 2100 00:00:00 GMT", "0", "1", "-1", "soon"}
	case "etag":
		usual = []any{`"a"`, `"b"`, `W/"a"`, "a"}
	case "content-length":
		usual = []any{"0", "1", "1000000"}
	}
	return &model.Schema{AnyOf: []*model.Schema{{Type: "string", Enum: usual}, {Type: "string"}}}
}

// sent are the headers as they are sent: what cannot be one is left out.
func (a *answer) sent() map[string]string {
	all := map[string]string{}
	if a.media != nil {
		all[contentType] = strings.Map(printable, gene.Text(a.media))
	}
	for _, h := range a.headers {
		all[h.name] = strings.Map(printable, gene.Text(h.value))
	}
	delete(all, "Content-Length") // which the bytes have
	return all
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}
