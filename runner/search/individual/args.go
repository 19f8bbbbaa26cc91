package individual

import (
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
)

// args returns the arguments of the parameters outside the body, written in OpenAPI's styles.
func (c call) args() []model.Arg {
	args := make([]model.Arg, 0, len(c.op.Params))
	for i, p := range c.op.Params {
		args = appendArgs(args, p, c.genes[i])
	}
	if c.accept != "" {
		args = append(args, model.Arg{In: model.InHeader, Name: "Accept", Value: c.accept})
	}
	return args
}

// emptyInPath replaces an empty value in a path, because a path with an empty segment names another
// resource.
const emptyInPath = "-"

// appendArgs appends the arguments of a parameter with the value of g. The parameter's style defines how
// items and names are separated. Separators within an item are escaped, except in headers, for which
// OpenAPI defines no escapes.
func appendArgs(args []model.Arg, p model.Parameter, g gene.Gene) []model.Arg {
	add := func(name, value string) { args = append(args, model.Arg{In: p.In, Name: name, Value: value}) }
	switch {
	case !gene.IsPresent(g):
	case p.In == model.InPath:
		args = append(args, inPath(p, g))
	case isMessage(p.Style):
		add(p.Name, asMessage(p.Style, g))
	case gene.IsScalar(g):
		add(p.Name, gene.Text(g))
	case p.In == model.InHeader:
		add(p.Name, strings.Join(pieces(p, g, unchanged), ","))
	case p.Style == "deepObject":
		addDeep(add, p.Name, g)
	case p.Explode && gene.Elements(g) != nil:
		for _, item := range gene.Elements(g) {
			add(p.Name, gene.Text(item))
		}
	case p.Explode && gene.PresentFields(g) != nil:
		for _, f := range gene.PresentFields(g) {
			add(f.Name, gene.Text(f.Gene))
		}
	default:
		joined := strings.Join(pieces(p, g, model.EscapeQuery), separator(p.Style))
		args = append(args, model.Arg{In: p.In, Name: p.Name, Value: joined, Escaped: true})
	}
	return args
}

// isMessage reports whether the style of a parameter is a media type. Such a parameter is declared with
// a content, not with a style.
func isMessage(style string) bool { return strings.Contains(style, "/") }

// asMessage returns a value as text in the format of a media type.
func asMessage(media string, g gene.Gene) string {
	if isJSON(media) {
		return string(gene.JSON(g))
	}
	return gene.Text(g)
}

// separator returns the escaped separator between the items of a query parameter with a style.
func separator(style string) string {
	switch style {
	case "spaceDelimited":
		return "%20"
	case "pipeDelimited":
		return "%7C"
	case "tsv":
		return "%09"
	}
	return ","
}

// addDeep adds the fields of an object under names such as filter[price][min], and each item of a list under the name
// of the list.
func addDeep(add func(name, value string), name string, g gene.Gene) {
	switch {
	case gene.IsScalar(g):
		add(name, gene.Text(g))
	case gene.Elements(g) != nil:
		for _, item := range gene.Elements(g) {
			addDeep(add, name, item)
		}
	default:
		for _, f := range gene.PresentFields(g) {
			addDeep(add, name+"["+f.Name+"]", f.Gene)
		}
	}
}

func unchanged(text string) string { return text }

// pieces returns the escaped texts of a value: one text for a scalar, a text for each item of a list, or the names
// and values of an object. If the parameter explodes (OpenAPI's explode), a name and its value are one text: "a=1"
// instead of "a" and "1".
func pieces(p model.Parameter, g gene.Gene, escape func(string) string) []string {
	if gene.IsScalar(g) {
		return []string{escape(gene.Text(g))}
	}
	var all []string
	for _, item := range gene.Elements(g) {
		all = append(all, escape(gene.Text(item)))
	}
	for _, f := range gene.PresentFields(g) {
		if p.Explode {
			all = append(all, escape(f.Name)+"="+escape(gene.Text(f.Gene)))
		} else {
			all = append(all, escape(f.Name), escape(gene.Text(f.Gene)))
		}
	}
	return all
}

// inPath returns the argument of a path parameter.
func inPath(p model.Parameter, g gene.Gene) model.Arg {
	arg := model.Arg{In: p.In, Name: p.Name}
	join := func(separator string) string { return filled(strings.Join(pieces(p, g, escapeItem), separator)) }
	switch {
	case isMessage(p.Style):
		arg.Value = filled(asMessage(p.Style, g))
		return arg
	case p.Style == "matrix":
		arg.Value = matrix(p, g)
	case p.Style == "label" && p.Explode:
		arg.Value = "." + join(".")
	case p.Style == "label":
		arg.Value = "." + join(",")
	case gene.IsScalar(g):
		arg.Value = filled(gene.Text(g))
		return arg
	default:
		arg.Value = join(",")
	}
	arg.Escaped = true
	return arg
}

// escapeItem escapes an item in a path. It also escapes dots and equals signs, which are separators of
// some styles.
func escapeItem(text string) string { return itemSpelling.Replace(model.EscapePath(text)) }

var itemSpelling = strings.NewReplacer(".", "%2E", "=", "%3D")

// matrix returns a value in the matrix style: ";name=a,b", or ";name=a;name=b" if the parameter explodes. If an
// object explodes, its fields are written with their own names.
func matrix(p model.Parameter, g gene.Gene) string {
	name, all := model.EscapePath(p.Name), pieces(p, g, escapeItem)
	if !p.Explode || gene.IsScalar(g) {
		return ";" + name + "=" + filled(strings.Join(all, ","))
	}
	var b strings.Builder
	for _, piece := range all {
		b.WriteString(";")
		if gene.Elements(g) != nil {
			b.WriteString(name + "=")
		}
		b.WriteString(filled(piece))
	}
	if b.Len() == 0 {
		return ";" + name
	}
	return b.String()
}

// filled returns a value, or emptyInPath if the value is empty.
func filled(value string) string {
	if value == "" {
		return emptyInPath
	}
	return value
}
