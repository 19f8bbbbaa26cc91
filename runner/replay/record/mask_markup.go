package record

import (
	"html"
	"strings"
)

// attribute is an attribute of a tag, with the position of its value without quotes.
type attribute struct {
	name     string
	from, to int
}

// attributesOf returns the attributes of a tag that have values.
func attributesOf(tag string) (all []attribute) {
	for i := 0; i < len(tag); {
		equals := strings.IndexByte(tag[i:], '=')
		if equals < 0 {
			return all
		}
		equals += i
		name := strings.TrimRight(tag[i:equals], " \t\r\n")
		name = name[strings.LastIndexAny(name, " \t\r\n\"'")+1:]
		from := equals + 1
		for from < len(tag) && strings.IndexByte(" \t\r\n", tag[from]) >= 0 {
			from++
		}
		ends := " \t\r\n>"
		if from < len(tag) && (tag[from] == '"' || tag[from] == '\'') {
			ends = tag[from : from+1]
			from++
		}
		to := len(tag)
		if end := strings.IndexAny(tag[from:], ends); end >= 0 {
			to = from + end
		}
		all = append(all, attribute{name: localName(name), from: from, to: to})
		i = to
	}
	return all
}

// Attributes that name the content of an element, and attributes that have this content. In <input name="token"
// value="x">, the attribute name says that x is a token.
var (
	// nameAttributes are attributes whose value names the content of the element.
	nameAttributes = map[string]bool{"name": true, "id": true, "key": true, "property": true, "k": true, "type": true}
	// valueAttributes are attributes that may have the content of the element.
	valueAttributes = map[string]bool{"value": true, "content": true, "v": true, "data": true}
)

// markup masks XML or HTML by the names of elements and attributes. The text may be incomplete.
func (m *masker) markup(s string) string {
	var out strings.Builder
	secret := false // the current element is secret
	for s != "" {
		at := strings.IndexByte(s, '<')
		if at < 0 {
			at = len(s)
		}
		out.WriteString(m.content(s[:at], secret))
		s = s[at:]
		if s == "" {
			break
		}
		const cdata, cdataEnd = "<![CDATA[", "]]>"
		if rest, ok := strings.CutPrefix(s, cdata); ok {
			inner, after, closed := strings.Cut(rest, cdataEnd)
			out.WriteString(cdata + m.plainContent(inner, secret))
			if closed {
				out.WriteString(cdataEnd)
			}
			s = after
			continue
		}
		end := tagEnd(s)
		var tag string
		tag, secret = m.tag(s[:end])
		out.WriteString(tag)
		s = s[end:]
	}
	return out.String()
}

// tagEnd returns where the tag at the start of a text ends.
func tagEnd(s string) int {
	var quote byte
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		case c == '<':
			return i
		}
	}
	return len(s)
}

// tag masks a tag, and reports whether the content of its element is secret.
func (m *masker) tag(tag string) (masked string, secret bool) {
	if strings.HasPrefix(tag, "</") || strings.HasPrefix(tag, "<!--") {
		return m.text(tag), false
	}
	name := strings.TrimLeft(tag, "<?!")
	if end := strings.IndexAny(name, " \t\r\n/>"); end >= 0 {
		name = name[:end]
	}
	secret = m.isSecretName(localName(name))
	all := attributesOf(tag)
	for _, a := range all {
		secret = secret || nameAttributes[strings.ToLower(a.name)] && m.isSecretName(tag[a.from:a.to])
	}
	var out strings.Builder
	done := 0
	for _, a := range all {
		raw := tag[a.from:a.to]
		v := html.UnescapeString(raw)
		if now := m.attribute(a.name, v, secret); now != v {
			out.WriteString(tag[done:a.from])
			out.WriteString(html.EscapeString(now))
			done = a.to
		}
	}
	out.WriteString(tag[done:])
	return out.String(), secret
}

// attribute masks the value of an attribute. secret reports that the element's content is secret.
func (m *masker) attribute(name, v string, secret bool) string {
	switch lower := strings.ToLower(name); {
	case secret && valueAttributes[lower] && v != "":
		return m.pseudonymFor(v)
	case nameAttributes[lower]:
		return v
	}
	return m.value(name, v)
}

// localName returns a name without its namespace prefix.
func localName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// content masks the text of an element, which may have escapes.
func (m *masker) content(s string, secret bool) string {
	if !secret && strings.IndexByte(s, '&') < 0 {
		return m.text(s)
	}
	v := html.UnescapeString(s)
	now := m.plainContent(v, secret)
	if now == v {
		return s
	}
	return html.EscapeString(now)
}

// plainContent masks the text of an element, without escapes.
func (m *masker) plainContent(s string, secret bool) string {
	word := strings.TrimSpace(s)
	if !secret || word == "" {
		return m.text(s)
	}
	return strings.Replace(s, word, m.pseudonymFor(word), 1)
}
