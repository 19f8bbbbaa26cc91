package codec

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sonde/model"
)

// maxText is the maximum total size of all bodies in a HAR file, in bytes. It is so small that ReadRequestSeqs
// can read the file even if JSON needs two bytes for each byte of a body.
const maxText = maxBytes / 4

// newHAR returns the traffic of tests, with one page for each test of which a call was sent.
func newHAR(h RunHeader, played []model.PlayedTest) *HAR {
	t := traffic{room: maxText}
	t.log = HAR{Version: "1.2", Creator: harCreator{"Sonde", h.Release}, Pages: []harPageOut{}, Entries: []harEntryOut{}}
	for _, p := range played {
		t.test(p)
	}
	return &t.log
}

// traffic builds a HAR file.
type traffic struct {
	log  HAR
	room int // bytes of bodies that may still be written
}

// test adds the calls of a test that were sent.
func (t *traffic) test(p model.PlayedTest) {
	first := true
	for i, x := range p.Exchanges {
		if x.At.IsZero() {
			continue
		}
		if first {
			t.log.Pages = append(t.log.Pages, harPageOut{ID: p.Test.ID, Title: p.Test.ID, Started: stamp(x.At)})
			first = false
		}
		e := harEntryOut{Page: p.Test.ID, Started: stamp(x.At), Request: t.request(x), Response: t.response(x)}
		e.Time = float64(x.Took) / float64(time.Millisecond)
		e.Timings.Wait = e.Time
		if user := p.Test.Calls[i].User; user != "" {
			e.Comment = "sent as " + user
		}
		t.log.Entries = append(t.log.Entries, e)
	}
}

// stamp formats a time for HAR with microseconds, because there may be several calls in a millisecond.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000000Z") }

func (t *traffic) request(x model.Exchange) harRequest {
	r := harRequest{
		Method:      x.Request.Method,
		URL:         x.Base + x.Request.URL,
		Proto:       proto(x),
		Cookies:     []struct{}{},
		Headers:     headers(x.Request.Header),
		Query:       query(x.Request.URL),
		HeadersSize: -1,
		BodySize:    len(x.Request.Body),
	}
	if len(x.Request.Body) > 0 {
		r.Post = t.post(x.Request)
	}
	return r
}

// post returns the body of a request. HAR has a field for the encoding of a response's body, but no field for the
// encoding of a request's body. So post states base64 in a comment, unless a part of the body is missing and the
// comment says this.
func (t *traffic) post(r model.Request) *harPost {
	p := &harPost{Media: value(r.Header, "Content-Type")}
	fits := t.fits(r.Body)
	encoding := ""
	if fits {
		p.Text, encoding = text(r.Body)
	}
	if encoding != "" {
		p.Comment = "the text is " + encoding + " for what is no text"
	}
	if !fits || r.Truncated {
		p.Comment = "more was sent than is kept here"
	}
	return p
}

// fits reports whether there is room for a body. After the first body that does not fit, it returns false for all
// bodies. Bodies are therefore only missing in the last part of the file.
func (t *traffic) fits(body []byte) bool {
	t.room -= len(body)
	return t.room >= 0
}

func (t *traffic) response(x model.Exchange) harResponse {
	r := harResponse{
		Status: x.Reply.Status, Proto: proto(x), Cookies: []struct{}{}, Headers: headers(x.Reply.Header),
		Redirect: value(x.Reply.Header, "Location"), HeadersSize: -1, BodySize: len(x.Reply.Body),
	}
	r.Content = harContent{Size: len(x.Reply.Body), Media: value(x.Reply.Header, "Content-Type")}
	fits := t.fits(x.Reply.Body)
	if fits {
		r.Content.Text, r.Content.Encoding = text(x.Reply.Body)
	}
	if !fits || x.Reply.Truncated {
		r.Content.Comment = "more came than is kept here"
	}
	if x.Err != nil {
		r.Comment = model.Excerpt([]byte(x.Err.Error()))
	}
	return r
}

// proto returns the version of HTTP of the answer, or "unknown".
func proto(x model.Exchange) string { return cmp.Or(x.Reply.Proto, "unknown") }

// text returns a body unchanged, or in base64 if it is not UTF-8 or has control characters. encoding is ""
// or "base64".
func text(body []byte) (text, encoding string) {
	if utf8.Valid(body) && !slices.ContainsFunc(body, unprintable) {
		return string(body), ""
	}
	return base64.StdEncoding.EncodeToString(body), "base64"
}

func unprintable(b byte) bool { return b < ' ' && b != '\n' && b != '\r' && b != '\t' || b == 0x7f }

// secretHeader matches the names of headers that may have credentials.
var secretHeader = regexp.MustCompile(`(?i)^(proxy-)?authorization$|cookie|token|secret|api-?key`)

// headers returns headers sorted by name. The values of secret headers are masked.
func headers(all map[string][]string) []harPair {
	pairs := []harPair{}
	for name, values := range all {
		for _, v := range values {
			if secretHeader.MatchString(name) {
				v = "***"
			}
			pairs = append(pairs, harPair{name, v})
		}
	}
	slices.SortStableFunc(pairs, func(a, b harPair) int { return strings.Compare(a.Name, b.Name) })
	return pairs
}

// value returns the first value of a header, "" if there is none.
func value(all map[string][]string, name string) string {
	if values := all[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// query returns the query parameters of a URL, in order.
func query(target string) []harPair {
	pairs := []harPair{}
	_, raw, _ := strings.Cut(target, "?")
	for _, pair := range strings.FieldsFunc(raw, func(r rune) bool { return r == '&' }) {
		name, value, _ := strings.Cut(pair, "=")
		pairs = append(pairs, harPair{unescaped(name), unescaped(value)})
	}
	return pairs
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}
