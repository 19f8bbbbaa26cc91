package collection

import (
	"net/url"
	"regexp"
	"strings"
)

// reference matches a variable in a text.
var reference = regexp.MustCompile(`\{\{\s*([^{}\n]+?)\s*\}\}`)

// References returns the names of the variables in a text, in order.
func References(text string) []string {
	var names []string
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// Fill replaces each variable in a text for which value returns true.
func Fill(text string, value func(name string) (string, bool)) string {
	return reference.ReplaceAllStringFunc(text, func(m string) string {
		filled, ok := value(reference.FindStringSubmatch(m)[1])
		if !ok {
			return m
		}
		return filled
	})
}

// maxDepth is the maximum number of variables that refer to each other in a row. maxFilled is the maximum length of a
// text after its variables were replaced.
const (
	maxDepth  = 10
	maxFilled = 1 << 20
)

// FillAll replaces the variables in a text, and those in their values. A variable that refers to itself stays.
func FillAll(text string, value func(name string) (string, bool)) string {
	for range maxDepth {
		next := Fill(text, value)
		if next == text || len(next) > maxFilled {
			return text
		}
		text = next
	}
	return text
}

// outsideReferences applies f to the parts of a text that are not variables.
func outsideReferences(text string, f func(string) string) string {
	var b strings.Builder
	done := 0
	for _, at := range reference.FindAllStringIndex(text, -1) {
		b.WriteString(f(text[done:at[0]]))
		b.WriteString(text[at[0]:at[1]])
		done = at[1]
	}
	b.WriteString(f(text[done:]))
	return b.String()
}

// escapeForm escapes a text for a form or a query. Variables stay as they are.
func escapeForm(text string) string {
	return outsideReferences(text, func(part string) string {
		return strings.ReplaceAll(url.QueryEscape(part), "+", "%20")
	})
}

// unescapeForm is the opposite of escapeForm. It returns false for a text with a wrong escape.
func unescapeForm(text string) (string, bool) {
	ok := true
	plain := outsideReferences(text, func(part string) string {
		unescaped, err := url.QueryUnescape(part)
		ok = ok && err == nil
		return unescaped
	})
	// A plain text that looks like a variable would become one.
	return plain, ok && len(References(plain)) == len(References(text))
}

// parseForm parses the fields of a form, which may be on several lines. It returns false if the text is no form, or
// has escapes from which the same fields would not be written again.
func parseForm(text string) ([]Field, bool) {
	var fields []Field
	for pair := range strings.SplitSeq(joinedLines(text), "&") {
		name, value, found := strings.Cut(pair, "=")
		plainName, ok := unescapeForm(name)
		plainValue, okValue := unescapeForm(value)
		if !ok || !okValue || !found || plainName == "" {
			return nil, false
		}
		fields = append(fields, Field{Name: plainName, Value: plainValue})
	}
	return fields, true
}

// joinedLines joins the lines of a form.
func joinedLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(line))
	}
	return b.String()
}

// formText returns fields as the text of a form.
func formText(fields []Field) string {
	var pairs []string
	for _, f := range fields {
		pairs = append(pairs, escapeForm(f.Name)+"="+escapeForm(f.Value))
	}
	return strings.Join(pairs, "&")
}

// withQuery adds parameters to the query of a URL.
func withQuery(target string, fields []Field) string {
	if len(fields) == 0 {
		return target
	}
	target, fragment, hasFragment := strings.Cut(target, "#")
	mark := "?"
	if strings.Contains(target, "?") {
		mark = "&"
	}
	target += mark + formText(fields)
	if hasFragment {
		target += "#" + fragment
	}
	return target
}

// Values returns the function that has the values of the variables of a collection.
func (c Collection) Values() func(name string) (string, bool) {
	values := map[string]string{}
	for _, v := range c.Variables {
		values[v.Name] = v.Value
	}
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

// RoutedURL returns a URL in the form in which its operation can be looked up: a URL that begins with a variable becomes
// a path, and a URL without a scheme gets one.
func RoutedURL(text string) string {
	if rest, found := strings.CutPrefix(text, "{{"); found {
		_, rest, _ = strings.Cut(rest, "}}")
		if strings.HasPrefix(rest, ":") { // after the variable for a scheme or a host
			_, rest, _ = strings.Cut(strings.TrimPrefix(rest, "://"), "/")
		}
		return "/" + strings.TrimPrefix(rest, "/")
	}
	if strings.HasPrefix(text, "/") || strings.Contains(text, "://") {
		return text
	}
	return "http://" + text
}
