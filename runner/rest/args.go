package rest

import (
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// args prints the parameters outside the body, in OpenAPI's styles.
func (c call) args() []model.Arg {
	args := make([]model.Arg, 0, len(c.op.Params))
	for i, p := range c.op.Params {
		args = appendArgs(args, p, c.genes[i])
	}
	return args
}

// nothing stands for an empty value in a path, where nothing would be another
// path.
const nothing = "-"

// appendArgs appends what a parameter sends. Items and names are separated as
// the style has it; a separator within an item is escaped, but in a header, where
// OpenAPI leaves it open.
func appendArgs(args []model.Arg, p model.Param, g gene.Gene) []model.Arg {
	add := func(name, value string) { args = append(args, model.Arg{In: p.In, Name: name, Value: value}) }
	switch {
	case !gene.Present(g):
	case p.In == model.InPath:
		args = append(args, inPath(p, g))
	case isMessage(p.Style):
		add(p.Name, inPlace(p.Style, g))
	case gene.Scalar(g):
		add(p.Name, gene.Text(g))
	case p.In == model.InHeader:
		add(p.Name, strings.Join(pieces(p, g, unchanged), ","))
	case p.Style == "deepObject":
		deep(add, p.Name, g)
	case p.Explode && gene.Items(g) != nil:
		for _, item := range gene.Items(g) {
			add(p.Name, gene.Text(item))
		}
	case p.Explode && gene.Fields(g) != nil:
		for _, f := range gene.Fields(g) {
			add(f.Name, gene.Text(f.Gene))
		}
	default:
		joined := strings.Join(pieces(p, g, model.EscapeQuery), separator(p.Style))
		args = append(args, model.Arg{In: p.In, Name: p.Name, Value: joined, Escaped: true})
	}
	return args
}

// isMessage tells that a parameter has a media type instead of a style.
func isMessage(style string) bool { return strings.Contains(style, "/") }

// inPlace prints a value as a small message.
func inPlace(media string, g gene.Gene) string {
	if isJSON(media) {
		return string(gene.JSON(g))
	}
	return gene.Text(g)
}

// separator is that of a style in the query, escaped.
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

// deep adds the fields of an object under names such as filter[price][min], and
// a list's items under the same name.
func deep(add func(name, value string), name string, g gene.Gene) {
	switch {
	case gene.Scalar(g):
		add(name, gene.Text(g))
	case gene.Items(g) != nil:
		for _, item := range gene.Items(g) {
			deep(add, name, item)
		}
	default:
		for _, f := range gene.Fields(g) {
			deep(add, name+"["+f.Name+"]", f.Gene)
		}
	}
}

func unchanged(text string) string { return text }

// pieces returns the texts that a value consists of: itself, a list's items, or
// an object's names and values, which are one piece each where it explodes.
func pieces(p model.Param, g gene.Gene, escape func(string) string) []string {
	if gene.Scalar(g) {
		return []string{escape(gene.Text(g))}
	}
	var all []string
	for _, item := range gene.Items(g) {
		all = append(all, escape(gene.Text(item)))
	}
	for _, f := range gene.Fields(g) {
		if p.Explode {
			all = append(all, escape(f.Name)+"="+escape(gene.Text(f.Gene)))
		} else {
			all = append(all, escape(f.Name), escape(gene.Text(f.Gene)))
		}
	}
	return all
}

// inPath prints a value in a path.
func inPath(p model.Param, g gene.Gene) model.Arg {
	arg := model.Arg{In: p.In, Name: p.Name}
	join := func(separator string) string { return filled(strings.Join(pieces(p, g, escapeItem), separator)) }
	switch {
	case isMessage(p.Style):
		arg.Value = filled(inPlace(p.Style, g))
		return arg
	case p.Style == "matrix":
		arg.Value = matrix(p, g)
	case p.Style == "label" && p.Explode:
		arg.Value = "." + join(".")
	case p.Style == "label":
		arg.Value = "." + join(",")
	case gene.Scalar(g):
		arg.Value = filled(gene.Text(g))
		return arg
	default:
		arg.Value = join(",")
	}
	arg.Escaped = true
	return arg
}

// escapeItem escapes an item in a path, with the separators that paths may have
// in other places: the label style's dot, and what stands between a name and its
// value.
func escapeItem(text string) string { return itemSpelling.Replace(model.EscapePath(text)) }

var itemSpelling = strings.NewReplacer(".", "%2E", "=", "%3D")

// matrix prints ;name=a,b, or ;name=a;name=b where it explodes; an object's
// fields then go by their own names.
func matrix(p model.Param, g gene.Gene) string {
	name, all := model.EscapePath(p.Name), pieces(p, g, escapeItem)
	if !p.Explode || gene.Scalar(g) {
		return ";" + name + "=" + filled(strings.Join(all, ","))
	}
	var b strings.Builder
	for _, piece := range all {
		b.WriteString(";")
		if gene.Items(g) != nil {
			b.WriteString(name + "=")
		}
		b.WriteString(filled(piece))
	}
	if b.Len() == 0 {
		return ";" + name
	}
	return b.String()
}

func filled(value string) string {
	if value == "" {
		return nothing
	}
	return value
}
