package client

import (
	"fmt"
	"net/textproto"
	"regexp"
	"slices"
	"strings"

	"sonde/model"

	"golang.org/x/net/http/httpguts"
)

// bind builds the request of a call from the values of its arguments.
func bind(op *model.Operation, call model.Call) model.Request {
	r := model.Request{Op: op.ID, Method: op.Method, Header: headers(call)}
	r.URL = FillPath(op.Path, call.Args)
	r.URL += query(r.URL, call.Args)
	if call.Body != nil {
		r.Body = []byte(call.Body.Data)
	}
	return r
}

// headers returns the headers and cookies of a call.
func headers(call model.Call) map[string][]string {
	if call.Body == nil && !slices.ContainsFunc(call.Args, inHeaders) {
		return plainHeaders
	}
	h := map[string][]string{"Accept": plainHeaders["Accept"]}
	for _, a := range call.Args {
		bindHeader(h, a)
	}
	if call.Body != nil {
		h["Content-Type"] = []string{printable(call.Body.Media)}
	}
	return h
}

// plainHeaders are the headers of a call that sets none of its own. The map is shared and must
// not be changed.
var plainHeaders = map[string][]string{"Accept": {"*/*"}}

func inHeaders(a model.Arg) bool { return a.In == model.InHeader || a.In == model.InCookie }

// FillPath fills a path template with the arguments' values, escaped. A parameter without a
// value keeps its placeholder, escaped.
func FillPath(template string, args []model.Arg) string {
	for _, a := range args {
		if a.In == model.InPath {
			template = strings.ReplaceAll(template, "{"+a.Name+"}", a.Encoded())
		}
	}
	if strings.Contains(template, "%") {
		template = loosePercent.ReplaceAllString(template, "%25$1")
	}
	if strings.ContainsFunc(template, unspelt) {
		template = pathSpelling.Replace(template)
	}
	if !strings.HasPrefix(template, "/") {
		return "/" + template
	}
	return template
}

// needsEscape reports whether a character would end the path, or cannot be sent in it.
func unspelt(r rune) bool { return r <= ' ' || r == 0x7f || r == '{' || r == '}' || r == '#' }

// pathEscaper escapes the characters that need it.
var pathSpelling = func() *strings.Replacer {
	var pairs []string
	for r := rune(0); r <= 0x7f; r++ {
		if unspelt(r) {
			pairs = append(pairs, string(r), fmt.Sprintf("%%%02X", r))
		}
	}
	return strings.NewReplacer(pairs...)
}()

// loosePercent matches a percent sign that does not begin an escape; a URL with one cannot be
// sent.
var loosePercent = regexp.MustCompile(`%([^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|.?$)`)

// query returns the query to append to a path. Some specs write a query into the path template
// itself.
func query(path string, args []model.Arg) string {
	var parts []string
	for _, a := range args {
		if a.In == model.InQuery {
			parts = append(parts, model.EscapeQuery(a.Name)+"="+a.Encoded())
		}
	}
	if len(parts) == 0 {
		return ""
	}
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	return mark + strings.Join(parts, "&")
}

// bindHeader adds a header or cookie. Invalid characters are replaced, and a header whose name is
// invalid is left out, so that the request can be sent.
func bindHeader(h map[string][]string, a model.Arg) {
	switch {
	case a.In == model.InHeader && httpguts.ValidHeaderFieldName(a.Name):
		h[textproto.CanonicalMIMEHeaderKey(a.Name)] = []string{printable(a.Value)}
	case a.In == model.InCookie:
		pair := printable(a.Name) + "=" + printable(a.Encoded())
		if have := h["Cookie"]; len(have) > 0 {
			pair = have[0] + "; " + pair
		}
		h["Cookie"] = []string{pair}
	}
}

func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.TrimSpace(value))
}
