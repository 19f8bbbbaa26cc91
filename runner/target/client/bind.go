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

// bind returns the request of a call: the operation's method and path, with the call's arguments
// and body.
func bind(op *model.Operation, call model.Call) model.Request {
	r := model.Request{Op: op.ID, Method: op.Method, Header: headers(call)}
	r.URL = FillPath(op.Path, call.Args)
	r.URL += query(r.URL, call.Args)
	if call.Body != nil {
		r.Body = []byte(call.Body.Data)
	}
	return r
}

// headers returns the headers of a call's request, with its cookies and an Accept header.
func headers(call model.Call) map[string][]string {
	if call.Body == nil && !slices.ContainsFunc(call.Args, inHeaders) {
		return plainHeaders
	}
	h := map[string][]string{}
	for _, a := range call.Args {
		bindHeader(h, a)
	}
	if h["Accept"] == nil {
		h["Accept"] = plainHeaders["Accept"]
	}
	if call.Body != nil {
		h["Content-Type"] = []string{printable(call.Body.Media)}
	}
	return h
}

// plainHeaders are the headers of a call that sets no headers itself. The map is shared and must not be
// changed.
var plainHeaders = map[string][]string{"Accept": {"*/*"}}

func inHeaders(a model.Arg) bool { return a.In == model.InHeader || a.In == model.InCookie }

// FillPath replaces the parameters in a path template by the escaped values of the arguments. If there
// is no argument for a parameter, its name stays in braces, which are escaped. The result begins with a
// slash.
func FillPath(template string, args []model.Arg) string {
	for _, a := range args {
		if a.In == model.InPath {
			template = strings.ReplaceAll(template, "{"+a.Name+"}", a.Encoded())
		}
	}
	if strings.Contains(template, "%") {
		template = barePercent.ReplaceAllString(template, "%25$1")
	}
	if strings.ContainsFunc(template, needsEscape) {
		template = pathEscaper.Replace(template)
	}
	if !strings.HasPrefix(template, "/") {
		return "/" + template
	}
	return template
}

// needsEscape reports whether a character would begin a fragment, or cannot be sent in a URL.
func needsEscape(r rune) bool { return r <= ' ' || r == 0x7f || r == '{' || r == '}' || r == '#' }

// pathEscaper percent-encodes each character for which needsEscape is true.
var pathEscaper = func() *strings.Replacer {
	var pairs []string
	for r := rune(0); r <= 0x7f; r++ {
		if needsEscape(r) {
			pairs = append(pairs, string(r), fmt.Sprintf("%%%02X", r))
		}
	}
	return strings.NewReplacer(pairs...)
}()

// barePercent matches a percent sign that does not begin an escape, and the characters after it. net/url cannot parse
// a URL with such a percent sign.
var barePercent = regexp.MustCompile(`%([^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|.?$)`)

// query returns the text that appends the query arguments to a path, "" if there are none. It
// begins with "&" if the path already has a query, as the path templates of some specs do.
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

// bindHeader adds a header or cookie argument to h. A header may have several values, except Accept, of which the last
// value is sent. To keep the request valid, bindHeader replaces invalid characters in values, and leaves out a header
// with an invalid name.
func bindHeader(h map[string][]string, a model.Arg) {
	switch {
	case a.In == model.InHeader && httpguts.ValidHeaderFieldName(a.Name):
		name := textproto.CanonicalMIMEHeaderKey(a.Name)
		if name == "Accept" {
			h[name] = nil
		}
		h[name] = append(h[name], printable(a.Value))
	case a.In == model.InCookie:
		pair := printable(a.Name) + "=" + printable(a.Encoded())
		if have := h["Cookie"]; len(have) > 0 {
			pair = have[0] + "; " + pair
		}
		h["Cookie"] = []string{pair}
	}
}

// printable replaces each character that is not printable ASCII by a question mark, and trims
// spaces.
func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.TrimSpace(value))
}
