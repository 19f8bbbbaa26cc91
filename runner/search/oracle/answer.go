package oracle

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/answer"
)

// examineAnswer checks one answer independently of the other answers.
func (e *examination) examineAnswer(i int, op *operation) {
	x := &e.exchanges[i]
	e.examineTransfer(i, x.Reply)
	e.examineStackTrace(i, x)
	e.examineLocation(i, x)
	e.examineAuth(i, op, x)
	e.examineCreation(i, op, x)
	e.examineRequest(i, op, x)
	response, declared := op.Response(x.Reply.Status)
	byName := response != nil && !response.Default()
	if x.Reply.Status >= 500 {
		e.examineServerError(i, op, byName, x)
	}
	switch status := x.Reply.Status; {
	case status >= 500 && !byName: // examineServerError has judged it
	case !op.addressed(x.Request.URL):
	case !declared && status != tooMany: // a 429 may come from a proxy in front of the service
		e.add(Finding{
			Oracle:    undeclared,
			Call:      i,
			Expected:  op.statuses,
			Actual:    model.Excerpt(x.Reply.Body),
			Signature: strconv.Itoa(status),
		})
	case response != nil:
		e.examineContent(i, op, response, x)
	}
}

// statuses describes the statuses that an operation declares.
func statuses(op *model.Operation) string {
	var all []string
	for _, r := range op.Responses {
		all = append(all, r.Status)
	}
	return "one of " + strings.Join(all, ", ")
}

// addressed reports whether a request with this path certainly reaches the operation. Services route some paths
// elsewhere, such as those with an empty segment or an escaped slash.
func (o *operation) addressed(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	rest, more := strings.CutPrefix(strings.TrimSuffix(path, "/"), "/")
	for _, want := range o.segments {
		if !more {
			return false
		}
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		param := strings.Contains(want, "{")
		if segment == "" || param && isAmbiguous(segment) || !param && segment != want && !strings.Contains(segment, "%") {
			return false
		}
	}
	return !more
}

// isAmbiguous reports whether routers differ in how they read a segment: because it consists of dots, has an
// invalid escape, or contains a semicolon or an escaped slash, backslash, NUL or brace.
func isAmbiguous(segment string) bool {
	if !strings.ContainsAny(segment, "%.;") {
		return false
	}
	text, err := url.PathUnescape(segment)
	return err != nil || strings.Trim(text, ".") == "" || strings.ContainsAny(text, "/\\\x00;{}")
}

// examineContent checks the content type of an answer, and its body if the body is JSON or XML.
func (e *examination) examineContent(i int, op *operation, r *model.Response, x *model.Exchange) {
	if len(r.Contents) == 0 || op.Method == "HEAD" || hasNoBody(x.Reply.Status) {
		return
	}
	media := mediaOf(x.Reply.Header)
	at := slices.IndexFunc(r.Contents, func(c model.Content) bool { return coversMedia(c.Media, media) })
	if at < 0 && len(x.Reply.Body) > 0 {
		actual := cmp.Or(model.Excerpt([]byte(media)), "no content type")
		e.add(Finding{
			Oracle:    undeclaredMedia,
			Call:      i,
			Expected:  mediaTypes(r),
			Actual:    actual,
			Signature: strconv.Itoa(x.Reply.Status) + " " + actual,
		})
	}
	if at < 0 && media != "" && len(x.Reply.Body) > 0 {
		return
	}
	e.examineSchema(i, &r.Contents[max(at, 0)], media, x.Reply)
}

// hasNoBody reports whether an answer with a status has no body (RFC 9110).
func hasNoBody(status int) bool {
	return status/100 == 1 || status == 204 || status == 205 || status == 304
}

// mediaOf returns the media type in a Content-Type header, without parameters, in lower case. It returns ""
// if there is no such header.
func mediaOf(header map[string][]string) string {
	text := firstValue(header, "Content-Type")
	if text == "" {
		return ""
	}
	if media, _, err := mime.ParseMediaType(text); err == nil {
		return media
	}
	media, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// coversMedia reports whether a declared media type or range, such as "text/*", includes the media type
// of an answer.
func coversMedia(declared, actual string) bool {
	declared, _, _ = strings.Cut(declared, ";")
	declared = strings.ToLower(strings.TrimSpace(declared))
	if before, ok := strings.CutSuffix(declared, "*"); ok {
		return before == "*/" || actual != "" && strings.HasPrefix(actual, before)
	}
	return actual == declared
}

func mediaTypes(r *model.Response) string {
	var all []string
	for _, c := range r.Contents {
		all = append(all, c.Media)
	}
	return strings.Join(all, " or ")
}

// firstValue returns the first value of a header, "" if there is none.
func firstValue(header map[string][]string, name string) string {
	if values := header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// validBody identifies a body that matches its schema.
type validBody struct {
	schema *model.Schema
	body   uint64 // hash of the body
}

// maxValidBodies is the size of the cache Rules.valid.
const maxValidBodies = 1 << 16

var bodySeed = maphash.MakeSeed()

// examineSchema checks a body in JSON or XML against its schema.
func (e *examination) examineSchema(i int, c *model.Content, media string, r model.Reply) {
	if media == "" {
		media = c.Media
	}
	isXML := answer.IsXML(media) && answer.IsXML(c.Media) && len(r.Body) > 0
	if c.Schema == nil || isBinary(c.Schema) || !jsonMedia(media) && !isXML || encoded(r) || r.Truncated {
		return
	}
	if !e.rules.on[schemaBroken] {
		return
	}
	key := validBody{c.Schema, maphash.Bytes(bodySeed, r.Body)}
	if e.rules.valid[key] {
		return
	}
	check := e.rules.checks.body
	if isXML {
		check = e.rules.checks.xmlBody
	}
	if wrong, ok := check(c.Schema, r.Body); !ok {
		wrong.Call = i
		wrong.Signature = strconv.Itoa(r.Status) + " " + wrong.Signature
		e.add(wrong)
		return
	}
	if len(e.rules.valid) < maxValidBodies {
		e.rules.valid[key] = true
	}
}

// isBinary reports whether a schema describes raw bytes, such as a file. Specs declare such schemas for
// all media types, even JSON.
func isBinary(s *model.Schema) bool {
	return s.Type == "file" || s.Type == "string" && s.Format == "binary"
}

// encoded reports whether a body is compressed in a way that the client does not decode.
func encoded(r model.Reply) bool {
	encoding := firstValue(r.Header, "Content-Encoding")
	return encoding != "" && !strings.EqualFold(encoding, "identity")
}

func jsonMedia(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// examineLocation checks that the Location header is a valid reference (RFC 3986).
func (e *examination) examineLocation(i int, x *model.Exchange) {
	values := x.Reply.Header["Location"]
	if len(values) == 0 {
		return
	}
	if text := values[0]; !isReference(text) {
		e.add(Finding{
			Oracle:    locationBroken,
			Call:      i,
			Expected:  "a Location that is a URI",
			Actual:    fmt.Sprintf("%q", model.Excerpt([]byte(text))),
			Signature: strconv.Itoa(x.Reply.Status),
		})
	}
}

// isReference reports whether a text is a URI or a relative reference, and not empty.
func isReference(text string) bool {
	for _, r := range text {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"{}|\\^`", r) {
			return false
		}
	}
	_, err := url.Parse(text)
	return err == nil && text != ""
}
