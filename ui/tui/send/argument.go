package send

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// field is a parameter outside the body that the operation declares.
type field struct {
	param   model.Parameter
	args    []model.Arg // empty if the parameter is left out
	example []model.Arg // arguments with an example value
	typed   bool        // the user typed the value: no link provides it
}

// extra is an argument that the operation does not declare.
type extra struct {
	model.Arg
	omitted bool // the argument is not sent
}

// owner returns the index of the parameter to which an argument belongs, -1 if there is none. An argument belongs to the
// parameter with its name. An object may be sent as arguments with the names of its properties.
func owner(params []model.Parameter, a model.Arg) int {
	named := slices.IndexFunc(params, func(p model.Parameter) bool { return p.In == a.In && sameName(a.In, p.Name, a.Name) })
	if named >= 0 {
		return named
	}
	return slices.IndexFunc(params, func(p model.Parameter) bool { return p.In == a.In && isPropertyOf(p, a.Name) })
}

// sameName reports whether two names mean the same input. The case of header names does not matter.
func sameName(in model.Location, a, b string) bool {
	return a == b || in == model.InHeader && strings.EqualFold(a, b)
}

// isPropertyOf reports whether a parameter that is an object is sent as several arguments, one of which has the name.
func isPropertyOf(p model.Parameter, name string) bool {
	if p.Style == "deepObject" {
		return strings.HasPrefix(name, p.Name+"[")
	}
	declared := model.FindInParts(p.Schema, func(s *model.Schema) *model.Property { return s.Property(name) })
	return p.Explode && declared != nil
}

// isObject reports whether the arguments of the field have the names of properties.
func (d field) isObject() bool {
	args := d.args
	if len(args) == 0 {
		args = d.example
	}
	return slices.ContainsFunc(args, func(a model.Arg) bool { return !sameName(a.In, a.Name, d.param.Name) })
}

// isExplodedList reports whether each item of the field's list is an argument.
func (d field) isExplodedList() bool {
	list := d.param.Schema.Type == "array" || d.param.Schema.Items != nil
	return len(d.args) > 1 || list && d.param.In == model.InQuery && d.param.Explode
}

// text returns the field's value in the form in which the user types it. Commas separate the items of a list. The
// properties of an object are written as in a query.
func (d field) text() string { return textOf(d.args, d.isObject()) }

// exampleText returns the text of the example.
func (d field) exampleText() string { return textOf(d.example, d.isObject()) }

func textOf(args []model.Arg, object bool) string {
	var all []string
	for _, a := range args {
		if object {
			all = append(all, model.EscapeQuery(a.Name)+"="+model.EscapeQuery(a.PlainValue()))
		} else {
			all = append(all, a.PlainValue())
		}
	}
	if object {
		return strings.Join(all, "&")
	}
	return strings.Join(all, ",")
}

// set sets the field to a typed text. A list that is sent as several arguments stays a list.
func (d *field) set(text string) {
	object := d.isObject()
	base := model.Arg{In: d.param.In, Name: d.param.Name}
	switch {
	case len(d.args) > 0:
		base = d.args[0]
	case len(d.example) > 0:
		base = d.example[0]
	}
	list := d.isExplodedList()
	d.typed, d.args = true, nil
	switch {
	case object:
		d.setProperties(text)
	case list:
		for part := range strings.SplitSeq(text, ",") {
			d.args = append(d.args, base.WithValue(part))
		}
	default:
		d.args = []model.Arg{base.WithValue(text)}
	}
}

// setProperties sets an object to properties that are written as in a query.
func (d *field) setProperties(text string) {
	for pair := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name != "" {
			d.args = append(d.args, model.Arg{In: d.param.In, Name: unescaped(name), Value: unescaped(value)})
		}
	}
}

// unescaped undoes the escapes of a query. It returns a text with invalid escapes unchanged.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// toggle leaves out an optional field. If the field is left out already, toggle sends it with an example value.
func (d *field) toggle() {
	switch {
	case len(d.args) > 0 && !d.param.Required:
		d.args = nil
	case len(d.args) == 0:
		d.args, d.typed = slices.Clone(d.example), true
		if len(d.args) == 0 {
			d.set("")
		}
	}
}

// text returns the argument in the form in which the user types it: "Name: value" for a header, "name=value" for others.
func (e extra) text() string {
	if e.In == model.InHeader {
		return e.Name + ": " + e.PlainValue()
	}
	return e.Name + "=" + e.PlainValue()
}

// argumentForm returns the form of the text of an argument.
func argumentForm(in model.Location) string {
	if in == model.InHeader {
		return "Name: value"
	}
	return "name=value"
}

// usualHeaders are headers that users often add.
var usualHeaders = []string{
	"Accept", "Accept-Language", "Authorization", "Cache-Control", "Content-Type", "Idempotency-Key", "If-Match",
	"If-Modified-Since", "If-None-Match", "Origin", "Prefer", "Range", "Referer", "User-Agent", "X-Forwarded-For", "X-Request-ID",
}

// extraHint returns the hint for an argument that is typed: its form and, while the name of a header is typed, usual names.
func extraHint(in model.Location, typed string) hint {
	h := hint{schema: draw.TextLine(argumentForm(in), theme.Dim)}
	if in != model.InHeader || typed == "" {
		return h
	}
	var all []candidate
	for _, name := range usualHeaders {
		all = append(all, candidate{shown: name, insert: name + ": "})
	}
	h.completion = completion{candidates: withPrefix(all, typed), end: len(typed)}
	return h
}

// readExtra reads an argument from a typed text.
func readExtra(in model.Location, text string) (extra, error) {
	separator := "="
	if in == model.InHeader {
		separator = ":"
	}
	name, value, found := strings.Cut(text, separator)
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !found || name == "":
		return extra{}, fmt.Errorf("type a %s as %s", in, argumentForm(in))
	case in != model.InQuery && !isToken(name):
		return extra{}, fmt.Errorf("%q cannot be the name of a %s: names have letters, digits and hyphens", name, in)
	case in == model.InHeader && strings.EqualFold(name, "Cookie"):
		return extra{}, errors.New("add the cookie as a cookie: ← and → on the row \"add\" choose")
	}
	return extra{Arg: model.Arg{In: in, Name: name, Value: value}}, nil
}

// isToken reports whether a text is a valid name of a header or a cookie (RFC 9110, section 5.6.2).
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}
