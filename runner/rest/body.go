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
