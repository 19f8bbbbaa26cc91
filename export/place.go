package export

import (
	"net/url"
	"regexp"
	"strings"

	"sonde/model"
)

// loosePercent is a percent sign that begins no escape; a URL with one cannot be
// sent.
var loosePercent = regexp.MustCompile(`%([^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|.?$)`)

// pathParts fills a path template. A parameter without a value stays as it is,
// escaped.
func pathParts(template string, args []given) []part {
	parts := []part{{text: loosePercent.ReplaceAllString(template, "%25$1")}}
	for _, a := range args {
		if a.in == model.InPath {
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

// intoPath puts a value into a path, behind what leads it.
func (g given) intoPath(parts []part) []part {
	mark := "{" + g.name + "}"
	if g.value.from == nil {
		return insert(parts, mark, part{text: g.lead + g.value.text}.to("path"))
	}
	for i := range parts {
		parts[i].text = strings.ReplaceAll(parts[i].text, mark, escapeLead(g.lead)+mark)
	}
	return insert(parts, mark, g.value.to("path"))
}

// escapeLead keeps the dot of the label style, which no value of dots alone is.
func escapeLead(lead string) string {
	if lead == "." {
		return lead
	}
	return escape(lead)
}

// insert puts a part wherever the text of parts has a mark.
func insert(parts []part, mark string, p part) []part {
	var all []part
	for _, old := range parts {
		for i, text := range strings.Split(old.text, mark) {
			if i > 0 {
				all = append(all, p)
			}
			all = append(all, part{text: text, from: old.from, as: old.as})
		}
	}
	return all
}

// queryParts returns what stands behind a path: the values in their order.
func queryParts(template string, args []given) []part {
	mark := "?"
	if strings.Contains(template, "?") {
		mark = "&"
	}
	var parts []part
	for _, a := range args {
		if a.in == model.InQuery {
			parts = append(parts, part{text: mark + escapeQuery(a.name) + "="}, a.value.to("query"))
			mark = "&"
		}
	}
	return parts
}

// fields returns the headers and cookies among the values. A body brings its
// own media type.
func fields(args []given, body bool) (headers, cookies []field) {
	for _, a := range args {
		switch {
		case a.in == model.InCookie:
			cookies = append(cookies, field{printable(a.name), a.value.to("query")})
		case a.in == model.InHeader && isToken(a.name) && !(body && strings.EqualFold(a.name, "Content-Type")):
			headers = append(headers, field{a.name, a.value.to("text")})
		}
	}
	return headers, cookies
}

// escape keeps a value within its path segment, also one of dots alone. It
// leaves the separators of lists and of the matrix style, as the client does.
func escape(value string) string {
	if strings.Trim(value, ".") == "" {
		return strings.ReplaceAll(value, ".", "%2E")
	}
	escaped := strings.ReplaceAll(url.PathEscape(value), "%2C", ",")
	if strings.HasPrefix(value, ";") {
		escaped = strings.ReplaceAll(escaped, "%3B", ";")
	}
	return escaped
}

// escapeQuery keeps a value within its place in a query, as the client does.
func escapeQuery(value string) string { return querySpelling.Replace(url.QueryEscape(value)) }

var querySpelling = strings.NewReplacer("+", "%20", "%2C", ",")

// printable replaces what may not stand in a header.
func printable(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.TrimSpace(value))
}

// isToken tells whether a name can be a header's (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	bad := func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	}
	return name != "" && strings.IndexFunc(name, bad) < 0
}
