package answer

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/model/route"
)

// URLValue is a value in a URL of an answer.
type URLValue struct {
	// Header is the name of the header with the URL, "" for a URL in a body.
	Header string
	// Pattern is a regular expression that finds the value in the header or in the text. It is "" if the value is the
	// last path segment of the URL in the header Location or Content-Location, because a test's link takes this segment
	// by default.
	Pattern string
	// Op is an operation whose path template matches the URL. In and Name identify the parameter of Op to which the
	// value belongs.
	Op   *model.Operation
	In   model.Location
	Name string
	// Value is percent-decoded.
	Value string
}

// Limits for the texts of an answer in which URLs are searched.
const (
	maxURL   = 8 << 10 // maximum length of the value of a header, or of a text in a body, in bytes
	maxLinks = 16      // maximum number of links that are read from the headers Link
)

// URLs finds values in URLs: it compares a URL with the path templates of an API. It is safe for concurrent use.
type URLs struct {
	router   *route.Router
	elements map[string]*model.Operation // by the path of a collection, the first operation on its elements
}

// NewURLs returns a URLs for the paths of a spec. In a URL, the base path of a server of the spec may come before the
// path.
func NewURLs(spec *model.Spec) *URLs {
	u := &URLs{router: route.New(spec), elements: map[string]*model.Operation{}}
	for _, op := range spec.Operations {
		path := strings.Trim(op.Path, "/")
		collection, last := path[:max(0, strings.LastIndex(path, "/"))], path[strings.LastIndex(path, "/")+1:]
		if isParam(last) && u.elements[collection] == nil {
			u.elements[collection] = op
		}
	}
	return u
}

func isParam(segment string) bool {
	return strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}") && strings.Count(segment, "{") == 1
}

// methods are the methods of the operations to which a URL in an answer may refer, the likeliest first.
var methods = []string{"GET", "PUT", "PATCH", "DELETE", "POST", "HEAD"}

// relations are the link relations whose URLs are searched for values.
var relations = []string{"self", "edit", "item", "next"}

// linkValue matches a link in the header Link (RFC 8288). Its groups are the target and the parameters of the link.
var linkValue = regexp.MustCompile(`<([^>]*)>([^<]*)`)

// linkRelation matches the relations in the parameters of a link.
var linkRelation = regexp.MustCompile(`(?i);\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))`)

// InHeaders returns the values in the headers Location, Content-Location and Link of an answer. It ignores URLs that do
// not have the path of an operation, and links whose relation is not in relations.
func (u *URLs) InHeaders(header map[string][]string) (all []URLValue) {
	for _, name := range []string{"Location", "Content-Location"} {
		if texts := header[name]; len(texts) > 0 && len(texts[0]) <= maxURL {
			for _, v := range u.find(texts[0], urlEnd, urlQueryEnd) {
				v.Header = name
				if last, ok := match.LastSegment(texts[0]); ok && last == v.Value && v.isLast() {
					v.Pattern = ""
				} else if !v.isFoundIn(texts[0]) {
					continue
				}
				all = append(all, v)
			}
		}
	}
	text := strings.Join(header["Link"], ", ")
	if len(text) > maxURL {
		return all
	}
	for _, l := range linkValue.FindAllStringSubmatch(text, maxLinks) {
		rel := linkRelation.FindStringSubmatch(l[2])
		if rel == nil {
			continue
		}
		for _, word := range strings.Fields(rel[1] + rel[2]) {
			if !slices.Contains(relations, strings.ToLower(word)) {
				continue
			}
			after := `[^<]*;\s*[rR][eE][lL]\s*=\s*"?(?:[^"<]*\s)?` + regexp.QuoteMeta(word) + `\b`
			for _, v := range u.find(l[1], `/?(?:[?#][^>]*)?>`+after, `(?:[&#][^>]*)?>`+after) {
				v.Header = "Link"
				if v.isFoundIn(text) {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// isLast reports whether the value is the last path segment of the URL.
func (v URLValue) isLast() bool {
	return v.In == model.InPath && strings.HasSuffix(strings.TrimRight(v.Op.Path, "/"), "{"+v.Name+"}")
}

// InText returns the values in a text that is an HTTP URL or an absolute path. It returns nil for other texts.
func (u *URLs) InText(text string) []URLValue {
	if len(text) > maxURL || !strings.Contains(text, "/") || strings.ContainsAny(text, " \t\r\n<>") {
		return nil
	}
	if !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
		return nil
	}
	return slices.DeleteFunc(u.find(text, urlEnd, urlQueryEnd), func(v URLValue) bool { return !v.isFoundIn(text) })
}

// isFoundIn reports whether the pattern finds the value in a text.
func (v URLValue) isFoundIn(text string) bool {
	got, ok := URLPart(text, v.Pattern)
	return ok && got == v.Value
}

// Patterns for the text that follows the path of a URL, and for the text that follows a value in the query.
const (
	urlEnd      = `/?(?:[?#]|$)`
	urlQueryEnd = `(?:[&#]|$)`
)

// find returns the values in a URL: the parameters of the path template that the URL matches, and the parameters in the
// query. If the URL is that of a collection, find also returns the id of an element in the query. It returns nil if no
// path template matches. pathEnd is a pattern for the text that follows the path. queryEnd is a pattern for the text
// that follows a value in the query.
func (u *URLs) find(text, pathEnd, queryEnd string) (all []URLValue) {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Opaque != "" {
		return nil
	}
	found, ok := u.operation(parsed.EscapedPath())
	if !ok {
		return nil
	}
	for _, a := range found.Args {
		all = append(all, URLValue{
			Op: found.Op, In: model.InPath, Name: a.Name, Value: a.Value, Pattern: pathPattern(found.Op.Path, a.Name) + pathEnd,
		})
	}
	query := parsed.Query()
	value := func(op *model.Operation, in model.Location, name, key string) {
		if text := query.Get(key); text != "" {
			pattern := `[?&]` + regexp.QuoteMeta(url.QueryEscape(key)) + `=([^&#>]*)` + queryEnd
			all = append(all, URLValue{Op: op, In: in, Name: name, Value: text, Pattern: pattern})
		}
	}
	for _, p := range found.Op.Params {
		if p.In == model.InQuery {
			value(found.Op, model.InQuery, p.Name, p.Name)
		}
	}
	if op := u.elements[strings.Trim(found.Op.Path, "/")]; op != nil && len(query) > 0 {
		param := strings.Trim(op.Path[strings.LastIndex(strings.TrimRight(op.Path, "/"), "/")+1:], "{}/")
		if key, ok := idInQuery(param, match.ResourceName(found.Op.Path), query); ok {
			value(op, model.InPath, param, key)
		}
	}
	return all
}

// maxPrefix is the maximum number of segments before a path of the API in a URL, such as segments that a proxy adds.
const maxPrefix = 3

// operation returns the operation whose template matches a path. It tries the methods in the order of methods. The path
// may be relative, and may begin with up to maxPrefix additional segments. With additional segments, a template without
// a fixed segment does not match.
func (u *URLs) operation(path string) (route.MatchedOperation, bool) {
	path = "/" + strings.TrimPrefix(path, "/")
	for i := range maxPrefix + 1 {
		for _, method := range methods {
			found, ok := u.router.FindOperation(method, path)
			if ok && (i == 0 || strings.Trim(paramMark.ReplaceAllString(found.Op.Path, ""), "/") != "") {
				return found, true
			}
		}
		next := strings.IndexByte(path[1:], '/')
		if next < 0 {
			break
		}
		path = path[1+next:]
	}
	return route.MatchedOperation{}, false
}

// idInQuery returns the name of the query parameter that has the id for the path parameter param. See
// match.FindIDField.
func idInQuery(param, resource string, query url.Values) (string, bool) {
	fields := make(map[string]any, len(query))
	for name, values := range query {
		fields[name] = values[0]
	}
	place, ok := match.FindIDField(param, resource, fields)
	if !ok {
		return "", false
	}
	return pointer.LastToken(place), true
}

// paramMark matches a parameter in a path template.
var paramMark = regexp.MustCompile(`\{([^{}]*)\}`)

// pathPattern returns the pattern for a path. The group of the pattern is the value of the parameter param. If param is
// "", the pattern has no group.
func pathPattern(template, param string) string {
	path := strings.Trim(template, "/")
	var b strings.Builder
	b.WriteString(`(?:^|[/<])`)
	end := 0
	for _, at := range paramMark.FindAllStringSubmatchIndex(path, -1) {
		b.WriteString(regexp.QuoteMeta(path[end:at[0]]))
		if path[at[2]:at[3]] == param {
			b.WriteString(`([^/?#>]+)`)
		} else {
			b.WriteString(`[^/?#>]+`)
		}
		end = at[1]
	}
	b.WriteString(regexp.QuoteMeta(path[end:]))
	return b.String()
}

// URLPart returns the first match of the only group of a pattern in a text, percent-decoded. It returns false if there
// is none, or if the match is not percent-encoded correctly.
func URLPart(text, pattern string) (string, bool) {
	part, ok := Part(text, pattern)
	if !ok {
		return "", false
	}
	plain, err := url.PathUnescape(part)
	return plain, err == nil
}

// nextSegment is appended to the pattern of a path. The group of the combined pattern is the path segment after this
// path.
const nextSegment = `/([^/?#]+)(?:[/?#]|$)`

// ElementInURL finds, in a URL, the value for an input of an operation. The parameters in and name are the location and
// the name of the input, and to is the operation that has it. text is the URL. It comes from an answer of the operation
// from, which may have created the resource to which the URL refers.
//
// ElementInURL searches the URL for two paths: first the part of to.Path before the input, then from.Path. The value is
// the segment after such a path, or an id in the query after it. If these give no value, the value is the last path
// segment of the URL; ok is false if there is none. pattern is a regular expression that finds the value in the URL. It
// is "" if the value is the last path segment.
func ElementInURL(text string, from, to *model.Operation, in model.Location, name string) (pattern, value string, ok bool) {
	last, isPath := match.LastSegment(text)
	for _, path := range []string{pathBefore(to.Path, in, name), strings.Trim(from.Path, "/")} {
		if paramMark.ReplaceAllString(path, "") == "" {
			continue // a path without a fixed segment would match every URL
		}
		start := pathPattern(path, "")
		if value, ok := URLPart(text, start+nextSegment); ok {
			if isLast, ok := URLPart(text, start+`/([^/?#]+)`+urlEnd); ok && isPath && isLast == last {
				return "", last, true
			}
			return start + nextSegment, value, true
		}
		_, query, _ := strings.Cut(text, "?")
		fields, err := url.ParseQuery(query)
		if err != nil || query == "" {
			continue
		}
		if key, ok := idInQuery(pointer.LastToken(name), match.ResourceName("/"+path), fields); ok {
			pattern := start + `/?\?(?:[^#]*&)?` + regexp.QuoteMeta(url.QueryEscape(key)) + `=([^&#]*)`
			if value, ok := URLPart(text, pattern); ok {
				return pattern, value, true
			}
		}
	}
	return "", last, isPath
}

// PathPatternFor returns a pattern that finds the value of the path parameter param of op in a URL. text is the URL.
// PathPatternFor returns "" if the URL has no such value, or if op.Path has no fixed segment before the parameter.
func PathPatternFor(text string, op *model.Operation, param string) string {
	before := pathBefore(op.Path, model.InPath, param)
	if paramMark.ReplaceAllString(before, "") == "" {
		return ""
	}
	pattern := pathPattern(before, "") + nextSegment
	if _, ok := URLPart(text, pattern); !ok {
		return ""
	}
	return pattern
}

// pathBefore returns the part of a path before a parameter, without slashes at its ends. It returns "" for an input
// outside the path.
func pathBefore(path string, in model.Location, name string) string {
	i := strings.Index(path, "{"+name+"}")
	if in != model.InPath || i < 0 {
		return ""
	}
	return strings.Trim(path[:i], "/")
}
