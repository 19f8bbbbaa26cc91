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
)

// judgeAnswer judges one answer independently of the others.
func (v *verdict) judgeAnswer(i int, op *operation) {
	x := &v.exchanges[i]
	v.judgeTransfer(i, x.Reply)
	v.judgeStackTrace(i, x)
	v.judgeLocation(i, x)
	v.judgeAuth(i, op, x)
	v.judgeCreation(i, op, x)
	v.judgeRequest(i, op, x)
	response, declared := op.Response(x.Reply.Status)
	byName := response != nil && !response.Default()
	if x.Reply.Status >= 500 {
		v.judgeServerError(i, op, byName, x)
	}
	switch status := x.Reply.Status; {
	case status >= 500 && !byName:
	case !op.addressed(x.Request.URL):
	case !declared && status != tooMany: // a proxy in front of the service may limit it
		v.add(Finding{
			Oracle:    undeclared,
			Call:      i,
			Expected:  op.statuses,
			Actual:    model.Excerpt(x.Reply.Body),
			Signature: strconv.Itoa(status),
		})
	case response != nil:
		v.judgeContent(i, op, response, x)
	}
}

// statuses describes the statuses that the spec declares.
func statuses(op *model.Operation) string {
	var all []string
	for _, r := range op.Responses {
		all = append(all, r.Status)
	}
	return "one of " + strings.Join(all, ", ")
}

// addressed reports whether a request certainly reaches the operation: services route paths with an
// empty segment, or with a slash inside a segment, elsewhere.
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

// isAmbiguous reports whether routers interpret a segment differently: one that consists of dots, has
// an escaped slash or NUL, or has a parameter without a value.
func isAmbiguous(segment string) bool {
	if !strings.ContainsAny(segment, "%.;") {
		return false
	}
	text, err := url.PathUnescape(segment)
	return err != nil || strings.Trim(text, ".") == "" || strings.ContainsAny(text, "/\\\x00;{}")
}

// judgeContent judges the content type, and the body if it is JSON.
func (v *verdict) judgeContent(i int, op *operation, r *model.Response, x *model.Exchange) {
	if len(r.Contents) == 0 || op.Method == "HEAD" || bodiless(x.Reply.Status) {
		return
	}
	media := mediaOf(x.Reply.Header)
	at := slices.IndexFunc(r.Contents, func(c model.Content) bool { return coversMedia(c.Media, media) })
	if at < 0 && len(x.Reply.Body) > 0 {
		came := cmp.Or(model.Excerpt([]byte(media)), "no content type")
		v.add(Finding{
			Oracle:    undeclaredMedia,
			Call:      i,
			Expected:  medias(r),
			Actual:    came,
			Signature: strconv.Itoa(x.Reply.Status) + " " + came,
		})
	}
	if at < 0 && media != "" && len(x.Reply.Body) > 0 {
		return
	}
	v.judgeSchema(i, &r.Contents[max(at, 0)], media, x.Reply)
}

// bodiless reports whether an answer with the status has no body.
func bodiless(status int) bool {
	return status/100 == 1 || status == 204 || status == 205 || status == 304
}

func mediaOf(header map[string][]string) string {
	text := first(header, "Content-Type")
	if text == "" {
		return ""
	}
	if media, _, err := mime.ParseMediaType(text); err == nil {
		return media
	}
	media, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// coversMedia reports whether a media type or range of a spec includes the media type of an answer.
func coversMedia(declared, came string) bool {
	declared, _, _ = strings.Cut(declared, ";")
	declared = strings.ToLower(strings.TrimSpace(declared))
	if before, ok := strings.CutSuffix(declared, "*"); ok {
		return before == "*/" || came != "" && strings.HasPrefix(came, before)
	}
	return came == declared
}

func medias(r *model.Response) string {
	var all []string
	for _, c := range r.Contents {
		all = append(all, c.Media)
	}
	return strings.Join(all, " or ")
}

func first(header map[string][]string, name string) string {
	if values := header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// validBody identifies a body that was found to be valid for its schema.
type validBody struct {
	schema *model.Schema
	body   uint64
}

const maxSound = 1 << 16

var bodySeed = maphash.MakeSeed()

// judgeSchema judges a JSON body.
func (v *verdict) judgeSchema(i int, c *model.Content, media string, r model.Reply) {
	if media == "" {
		media = c.Media
	}
	if c.Schema == nil || isBinary(c.Schema) || !jsonMedia(media) || encoded(r) || r.Truncated {
		return
	}
	if !v.judge.on[schemaBroken] {
		return
	}
	key := validBody{c.Schema, maphash.Bytes(bodySeed, r.Body)}
	if v.judge.valid[key] {
		return
	}
	if wrong, ok := v.judge.checks.body(c.Schema, r.Body); !ok {
		wrong.Call = i
		wrong.Signature = strconv.Itoa(r.Status) + " " + wrong.Signature
		v.add(wrong)
		return
	}
	if len(v.judge.valid) < maxSound {
		v.judge.valid[key] = true
	}
}

// isBinary reports whether a schema describes raw bytes, such as a file. Specs declare those under any
// media type.
func isBinary(s *model.Schema) bool {
	return s.Type == "file" || s.Type == "string" && s.Format == "binary"
}

// encoded reports whether a body is compressed in a way that the client does not decode.
func encoded(r model.Reply) bool {
	encoding := first(r.Header, "Content-Encoding")
	return encoding != "" && !strings.EqualFold(encoding, "identity")
}

func jsonMedia(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// judgeLocation judges whether a Location is a valid reference (RFC 3986).
func (v *verdict) judgeLocation(i int, x *model.Exchange) {
	values := x.Reply.Header["Location"]
	if len(values) == 0 {
		return
	}
	if text := values[0]; !isReference(text) {
		v.add(Finding{
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
