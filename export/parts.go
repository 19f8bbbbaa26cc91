package export

import (
	"regexp"
	"strings"

	"sonde/model"
)

// loosePercent matches a percent sign that does not begin an escape, which makes a URL invalid.
var loosePercent = regexp.MustCompile(`%([^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|.?$)`)

// pathParts replaces the parameters of a path template by values. A parameter without a value remains in
// the path, escaped.
func pathParts(template string, args []argValue) []part {
	parts := []part{{text: loosePercent.ReplaceAllString(template, "%25$1")}}
	for _, a := range args {
		if a.In == model.InPath {
			parts = a.intoPath(parts)
		}
	}
	safe := strings.NewReplacer("{", "%7B", "}", "%7D", "#", "%23", " ", "%20")
	for i := range parts {
		parts[i].text = safe.Replace(parts[i].text)
	}
	if !strings.HasPrefix(parts[0].text, "/") {
		parts = append([]part{{text: "/"}}, parts...)
	}
	return parts
}

// intoPath replaces the parameter in the parts of a path by the prefix of the parameter's style, followed by the value.
func (g argValue) intoPath(parts []part) []part {
	mark := "{" + g.Name + "}"
	if g.from != nil {
		for i := range parts {
			parts[i].text = strings.ReplaceAll(parts[i].text, mark, g.Prefix()+mark)
		}
	}
	return insert(parts, mark, g.to("path"))
}

// insert replaces each occurrence of mark in the texts of parts by p.
func insert(parts []part, mark string, p part) []part {
	var all []part
	for _, old := range parts {
		for i, text := range strings.Split(old.text, mark) {
			if i > 0 {
				all = append(all, p)
			}
			old.text = text
			all = append(all, old)
		}
	}
	return all
}

// queryParts returns the query to be appended to a path template, with the values in their order.
func queryParts(template string, args []argValue) []part {
	mark := "?"
	if strings.Contains(template, "?") {
		mark = "&"
	}
	var parts []part
	for _, a := range args {
		if a.In == model.InQuery {
			parts = append(parts, part{text: mark + model.EscapeQuery(a.Name) + "="}, a.to("query"))
			mark = "&"
		}
	}
	return parts
}

// fields returns the headers and cookies among the values. A header with an invalid name is left out, and
// so is the Content-Type if the request has a body.
func fields(args []argValue, body bool) (headers, cookies []field) {
	for _, a := range args {
		switch {
		case a.In == model.InCookie:
			cookies = append(cookies, field{printable(a.Name), a.to("query")})
		case a.In == model.InHeader && isToken(a.Name) && !(body && strings.EqualFold(a.Name, "Content-Type")):
			headers = append(headers, field{a.Name, a.to("text")})
		}
	}
	return headers, cookies
}

// printable makes a value valid in a header. It replaces all characters except printable ASCII, and removes
// spaces at the ends.
func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.TrimSpace(value))
}

// isToken reports whether a text is a valid header name (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	bad := func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}
	return name != "" && strings.IndexFunc(name, bad) < 0
}
