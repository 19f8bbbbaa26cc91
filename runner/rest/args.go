package rest

import (
	"bytes"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strings"

	"sonde/model"
	"sonde/runner/gene"
)

// args prints the parameters outside the body, in OpenAPI's styles.
func (c call) args() []model.Arg {
	var args []model.Arg
	for i, p := range c.op.Params {
		from := len(args)
		args = appendArgs(args, p, c.genes[i])
		for j := from; j < len(args); j++ {
			if p.In == model.InPath && args[j].Value == "" {
				args[j].Value = nothing
			}
		}
	}
	return args
}

// nothing stands for an empty value in a path, where nothing would be another
// path.
const nothing = "-"

func appendArgs(args []model.Arg, p model.Param, g gene.Gene) []model.Arg {
	add := func(name, value string) { args = append(args, model.Arg{In: p.In, Name: name, Value: value}) }
	fields, items := gene.Fields(g), gene.Items(g)
	switch {
	case !gene.Present(g):
	case gene.Scalar(g):
		add(p.Name, gene.Text(g))
	case p.In == model.InQuery && p.Style == "deepObject":
		for _, f := range fields {
			add(p.Name+"["+f.Name+"]", gene.Text(f.Gene))
		}
	case p.In == model.InQuery && p.Explode && items != nil:
		for _, item := range items {
			add(p.Name, gene.Text(item))
		}
	case p.In == model.InQuery && p.Explode && fields != nil:
		for _, f := range fields {
			add(f.Name, gene.Text(f.Gene))
		}
	default:
		add(p.Name, join(p, fields, items))
	}
	return args
}

// join prints a list or an object as one value.
func join(p model.Param, fields []gene.Field, items []gene.Gene) string {
	var parts []string
	for _, item := range items {
		parts = append(parts, gene.Text(item))
	}
	for _, f := range fields {
		if p.Explode {
			parts = append(parts, f.Name+"="+gene.Text(f.Gene))
		} else {
			parts = append(parts, f.Name, gene.Text(f.Gene))
		}
	}
	separator := map[string]string{"spaceDelimited": " ", "pipeDelimited": "|", "tsv": "\t"}[p.Style]
	if separator == "" {
		separator = ","
	}
	return strings.Join(parts, separator)
}

// message prints the body; nil where there is none.
func (c call) message() *model.Payload {
	if c.payload == nil || !gene.Present(c.payload) {
		return nil
	}
	switch {
	case isJSON(c.media):
		return &model.Payload{Media: jsonMedia(c.media), Data: string(gene.JSON(c.payload))}
	case c.media == "multipart/form-data":
		return parts(gene.Fields(c.payload), c.files)
	case c.media == "application/x-www-form-urlencoded":
		return &model.Payload{Media: c.media, Data: form(gene.Fields(c.payload))}
	}
	return &model.Payload{Media: c.media, Data: gene.Text(c.payload)}
}

func jsonMedia(media string) string {
	if media == "*/*" {
		return "application/json"
	}
	return media
}

func form(fields []gene.Field) string {
	var pairs []string
	for _, f := range fields {
		for _, text := range texts(f.Gene) {
			pairs = append(pairs, url.QueryEscape(f.Name)+"="+url.QueryEscape(text))
		}
	}
	return strings.Join(pairs, "&")
}

func texts(g gene.Gene) []string {
	items := gene.Items(g)
	if items == nil {
		return []string{gene.Text(g)}
	}
	var out []string
	for _, item := range items {
		out = append(out, gene.Text(item))
	}
	return out
}

// boundary is always the same, so that equal tests are equal bytes.
const boundary = "sonde-part-8c1f0a5e"

func parts(fields []gene.Field, files map[string]bool) *model.Payload {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.SetBoundary(boundary); err != nil {
		return nil
	}
	for _, f := range fields {
		for _, text := range texts(f.Gene) {
			head := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + quote(f.Name) + `"`}}
			if files[f.Name] {
				head["Content-Disposition"][0] += `; filename="file.bin"`
				head["Content-Type"] = []string{"application/octet-stream"}
			}
			if part, err := w.CreatePart(head); err == nil {
				part.Write([]byte(text))
			}
		}
	}
	w.Close()
	return &model.Payload{Media: w.FormDataContentType(), Data: b.String()}
}

func quote(name string) string {
	return strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A").Replace(name)
}
