package rest

import (
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// args prints the parameters outside the body, in OpenAPI's styles.
func (c call) args() []model.Arg {
	var args []model.Arg
	for i, p := range c.op.Params {
		args = appendArgs(args, p, c.genes[i])
	}
	return args
}

// nothing stands for an empty value in a path, where nothing would be another
// path.
const nothing = "-"

// appendArgs appends what a parameter sends. Items and names are separated as
// the style has it; an item with the separator in it reads as two, which
// OpenAPI leaves open for most styles.
func appendArgs(args []model.Arg, p model.Param, g gene.Gene) []model.Arg {
	add := func(name, value string) { args = append(args, model.Arg{In: p.In, Name: name, Value: value}) }
	switch {
	case !gene.Present(g):
	case p.In == model.InPath:
		add(p.Name, inPath(p, g))
	case isMessage(p.Style):
		add(p.Name, inPlace(p.Style, g))
	case gene.Scalar(g):
		add(p.Name, gene.Text(g))
	case p.In == model.InHeader:
		add(p.Name, joined(p, g, ","))
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
		add(p.Name, joined(p, g, separators[p.Style]))
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

// separators are those of styles in the query; others have commas.
var separators = map[string]string{"spaceDelimited": " ", "pipeDelimited": "|", "tsv": "\t"}

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

// joined prints a value as one text.
func joined(p model.Param, g gene.Gene, separator string) string {
	if separator == "" {
		separator = ","
	}
	return strings.Join(pieces(p, g), separator)
}

// pieces returns the texts that a value consists of: itself, a list's items, or
// an object's names and values, which are one piece each where it explodes.
func pieces(p model.Param, g gene.Gene) []string {
	if gene.Scalar(g) {
		return []string{gene.Text(g)}
	}
	var all []string
	for _, item := range gene.Items(g) {
		all = append(all, gene.Text(item))
	}
	for _, f := range gene.Fields(g) {
		if p.Explode {
			all = append(all, f.Name+"="+gene.Text(f.Gene))
		} else {
			all = append(all, f.Name, gene.Text(f.Gene))
		}
	}
	return all
}

// inPath prints a value in a path.
func inPath(p model.Param, g gene.Gene) string {
	switch {
	case isMessage(p.Style):
		return filled(inPlace(p.Style, g))
	case p.Style == "matrix":
		return matrix(p, g)
	case p.Style == "label" && p.Explode:
		return "." + filled(joined(p, g, "."))
	case p.Style == "label":
		return "." + filled(joined(p, g, ","))
	}
	value := gene.Text(g)
	if !gene.Scalar(g) {
		value = joined(p, g, ",")
	}
	if _, locked := g.(*gene.Disruptive); locked {
		value = strings.TrimLeft(value, ".") // what takes its place shall have no dot of the label style
	}
	return filled(value)
}

// matrix prints ;name=a,b, or ;name=a;name=b where it explodes; an object's
// fields then go by their own names.
func matrix(p model.Param, g gene.Gene) string {
	if !p.Explode || gene.Scalar(g) {
		return ";" + p.Name + "=" + filled(joined(p, g, ","))
	}
	var b strings.Builder
	for _, piece := range pieces(p, g) {
		b.WriteString(";")
		if gene.Items(g) != nil {
			b.WriteString(p.Name + "=")
		}
		b.WriteString(filled(piece))
	}
	if b.Len() == 0 {
		return ";" + p.Name
	}
	return b.String()
}

func filled(value string) string {
	if value == "" {
		return nothing
	}
	return value
}
