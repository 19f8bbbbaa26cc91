package individual

import (
	"bytes"
	"mime/multipart"
	"net/textproto"
	"strings"

	"sonde/model"
	"sonde/runner/search/encode"
	"sonde/runner/search/gene"
	"sonde/runner/search/upload"
)

// message returns the body of the call, nil if it has none.
func (c call) message() *model.Payload {
	if c.payload == nil || !gene.IsPresent(c.payload) {
		return nil
	}
	switch c.kind {
	case asJSON:
		return &model.Payload{Media: c.media, Data: string(gene.JSON(c.payload))}
	case asXML:
		return &model.Payload{Media: c.media, Data: encode.XML(c.schema, c.payload)}
	case asParts:
		return c.parts()
	case asForm:
		return &model.Payload{Media: c.media, Data: encode.Form(c.payload)}
	case asFile:
		f := c.file("", c.payload)
		return &model.Payload{Media: f.Media, Data: f.Data}
	}
	return &model.Payload{Media: c.media, Data: gene.Text(c.payload)}
}

// kind is the format in which a body is written.
type kind uint8

const (
	asText kind = iota
	asJSON
	asXML
	asForm
	asParts
	asFile
)

// kindOf returns the format of a body of a media type.
func kindOf(media string) kind {
	base := baseMedia(concrete(media))
	switch {
	case strings.HasSuffix(base, "/json") || strings.HasSuffix(base, "+json"):
		return asJSON
	case strings.HasSuffix(base, "/xml") || strings.HasSuffix(base, "+xml"):
		return asXML
	case base == "application/x-www-form-urlencoded":
		return asForm
	case base == "multipart/form-data":
		return asParts
	}
	return asText
}

func isJSON(media string) bool { return kindOf(media) == asJSON }

func isForm(media string) bool { return kindOf(media) == asForm || kindOf(media) == asParts }

// concrete returns a media type to send for a range such as "text/*". A media type that is not a range is
// returned unchanged.
func concrete(media string) string {
	if one, isRange := ranges[baseMedia(media)]; isRange {
		return one
	}
	return media
}

var ranges = map[string]string{
	"*/*": "application/json", "application/*": "application/json", "text/*": "text/plain", "image/*": "image/png",
	"audio/*": "audio/mpeg", "video/*": "video/mp4", "multipart/*": "multipart/form-data",
}

// baseMedia returns a media type without its parameters.
func baseMedia(media string) string {
	base, _, _ := strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

// each returns the items of a list, or the value itself.
func each(g gene.Gene) []gene.Gene {
	if items := gene.Elements(g); items != nil {
		return items
	}
	return []gene.Gene{g}
}

// boundary separates the parts of a multipart body. It is constant, so that equal tests have equal bodies.
const boundary = "sonde-part-8c1f0a5e"

// parts returns a multipart body. As OpenAPI defines, files have a file name, and objects are JSON. It
// returns nil if the body cannot be written.
func (c call) parts() *model.Payload {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.SetBoundary(boundary); err != nil {
		return nil
	}
	for _, f := range gene.PresentFields(c.payload) {
		if c.violation.file == upload.Missing && c.violation.name == f.Name {
			continue
		}
		for _, item := range each(f.Gene) {
			head, data := c.part(f.Name, item)
			if part, err := w.CreatePart(head); err == nil {
				part.Write([]byte(data))
			}
		}
	}
	w.Close()
	return &model.Payload{Media: w.FormDataContentType(), Data: b.String()}
}

// part returns the headers and the content of a part.
func (c call) part(name string, g gene.Gene) (textproto.MIMEHeader, string) {
	head, data := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + quote(name) + `"`}}, gene.Text(g)
	switch {
	case c.files[name] != nil:
		f := c.file(name, g)
		head["Content-Disposition"][0] += `; filename="` + quote(f.Name) + `"`
		head["Content-Type"] = []string{f.Media}
		data = f.Data
	case !gene.IsScalar(g):
		head["Content-Type"] = []string{"application/json"}
	}
	return head, data
}

// quote escapes a name for a Content-Disposition header.
func quote(name string) string {
	return strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A").Replace(name)
}
