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

// Limits of the replacement of variables: how many variables may refer to each other in a row, by how many bytes a text
// may grow, and how many bytes a function that Values returns gives in all.
const (
	maxDepth  = 10
	maxFilled = 1 << 20
	maxValues = 64 << 20
)

// Fill replaces each variable in a text for which value returns true. A variable stays if the text would become longer
// by more than 1 MiB.
func Fill(text string, value func(name string) (string, bool)) string {
	room := maxFilled
	return fill(text, value, &room)
}

// fill replaces the variables in a text, which becomes longer by at most room. It takes the growth from room.
func fill(text string, value func(name string) (string, bool), room *int) string {
	return reference.ReplaceAllStringFunc(text, func(m string) string {
		filled, ok := value(reference.FindStringSubmatch(m)[1])
		growth := len(filled) - len(m)
		if !ok || growth > *room {
			return m
		}
		*room -= max(growth, 0)
		return filled
	})
}

// FillAll replaces the variables in a text, and those in their values, with the same limit. A variable that refers to
// itself stays.
func FillAll(text string, value func(name string) (string, bool)) string {
	room := maxFilled
	for range maxDepth {
		next := fill(text, value, &room)
		if next == text {
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

// Values returns the function that has the values of the variables of a collection. It returns at most 64 MiB in all, so
// that a file cannot fill the memory by texts that repeat a long value; after that, no variable has a value.
func (c Collection) Values() func(name string) (string, bool) {
	values := map[string]string{}
	for _, v := range c.Variables {
		values[v.Name] = v.Value
	}
	room := maxValues
	return func(name string) (string, bool) {
		value, ok := values[name]
		if room -= len(value); !ok || room < 0 {
			return "", false
		}
		return value, true
	}
}

// SetVariables sets variables. Those with the same names are replaced.
func (c *Collection) SetVariables(all []Variable) {
	c.Variables = append(c.Variables, all...)
	c.keepLastValues()
}

// keepLastValues removes variables whose name an earlier one has. The earlier one gets the last value.
func (c *Collection) keepLastValues() {
	at := map[string]int{}
	distinct := c.Variables[:0]
	for _, v := range c.Variables {
		i, known := at[v.Name]
		if known {
			distinct[i].Value = v.Value
			continue
		}
		at[v.Name] = len(distinct)
		distinct = append(distinct, v)
	}
	c.Variables = distinct
}

// addVariable adds a variable. At the end of a file, keepLastValues removes those that are replaced.
func (c *Collection) addVariable(name, value string) {
	c.Variables = append(c.Variables, Variable{Name: name, Value: value})
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
