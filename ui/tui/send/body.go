package send

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// body is a body of one media type, which the user can edit: a form with its fields, a file, or a text.
type body struct {
	media  string        // with parameters, such as the boundary
	schema *model.Schema // nil if the spec declares none for the media type
	text   string        // the whole body if it is neither a form nor a file
	form   bool
	fields []formField
	file   *upload
	draft  model.Payload // what is sent while nothing was changed
	edited bool
}

// formField is a field of a form, or a part of a multipart body.
type formField struct {
	name     string
	value    string
	header   textproto.MIMEHeader // of a part
	fileName string               // of a part that is a file
	file     *upload              // replaces value
	required bool
	binary   bool // the spec says that the value is a file
	omitted  bool // the field is not sent
}

// upload is a file that is read when the request is sent.
type upload struct {
	path string
	size int64 // -1 before it is known
}

// describe returns the name and the size of the file.
func (u *upload) describe() string {
	name := draw.Clean(filepath.Base(u.path))
	if u.size < 0 {
		return name
	}
	return name + ", " + words.Plural(int(u.size), "byte")
}

// media returns the media type for the ending of the file's name. It returns the declared type if the ending is unknown.
func (u *upload) media(declared string) string {
	return cmp.Or(mime.TypeByExtension(filepath.Ext(u.path)), declared, "application/octet-stream")
}

// newBody returns the body for a payload. content is what the spec declares for the media type.
func newBody(p model.Payload, content model.Content) body {
	b := body{media: p.Media, schema: content.Schema, text: indented(p.Data), draft: p}
	b.draft.Data = b.text
	if fields, ok := readForm(p); ok {
		b.form, b.fields, b.draft = true, fields, p
		b.declareFields(content)
	}
	return b
}

// indented returns indented JSON. It returns any other text unchanged.
func indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// baseMedia returns a media type without its parameters, in lower case.
func baseMedia(media string) string {
	base, _, _ := strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

const (
	urlencoded = "application/x-www-form-urlencoded"
	parts      = "multipart/form-data"
)

// isJSON reports whether the body is JSON by its media type.
func (b *body) isJSON() bool {
	base := baseMedia(b.media)
	return strings.HasSuffix(base, "/json") || strings.HasSuffix(base, "+json")
}

// problem returns why an edited JSON body is not JSON, "" for nothing. Large bodies are not examined.
func (b *body) problem() string {
	if !b.isJSON() || !b.edited || b.file != nil || len(b.text) > maxHinted {
		return ""
	}
	return jsonProblem(b.text)
}

// isText reports whether the user can edit the whole body as a text.
func (b *body) isText() bool {
	return !b.form && b.file == nil && model.Payload{Media: b.media, Data: b.text}.IsText()
}

// readForm returns the fields of a body if it is a form that can be read.
func readForm(p model.Payload) (fields []formField, ok bool) {
	switch baseMedia(p.Media) {
	case urlencoded:
		return readPairs(p.Data)
	case parts:
		_, params, err := mime.ParseMediaType(p.Media)
		if err != nil || params["boundary"] == "" {
			return nil, false
		}
		return readParts(p.Data, params["boundary"])
	}
	return nil, false
}

// readPairs returns the fields of a form of the media type application/x-www-form-urlencoded.
func readPairs(data string) (fields []formField, ok bool) {
	if data == "" {
		return nil, true
	}
	for pair := range strings.SplitSeq(data, "&") {
		name, value, _ := strings.Cut(pair, "=")
		plainName, err := url.QueryUnescape(name)
		plainValue, err2 := url.QueryUnescape(value)
		if err != nil || err2 != nil {
			return nil, false
		}
		fields = append(fields, formField{name: plainName, value: plainValue})
	}
	return fields, true
}

// readParts returns the parts of a multipart body.
func readParts(data, boundary string) (fields []formField, ok bool) {
	for r := multipart.NewReader(strings.NewReader(data), boundary); ; {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return fields, true
		}
		if err != nil {
			return nil, false
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, false
		}
		fields = append(fields, formField{
			name: part.FormName(), value: string(content), header: part.Header, fileName: part.FileName(),
		})
	}
}

// declareFields marks the fields that the schema requires, and adds the properties that the form lacks as omitted fields.
func (b *body) declareFields(content model.Content) {
	if b.schema == nil {
		return
	}
	for i := range b.fields {
		b.fields[i].required = b.schema.Requires(b.fields[i].name)
	}
	for _, part := range partsOf(b.schema) {
		for _, p := range part.Properties {
			if !p.Schema.ReadOnly && !slices.ContainsFunc(b.fields, func(f formField) bool { return f.name == p.Name }) {
				b.fields = append(b.fields, omittedField(p, content, b.schema.Requires(p.Name)))
			}
		}
	}
}

// omittedField returns a field for a property. Its value is the first that the schema suggests.
func omittedField(p model.Property, content model.Content, required bool) formField {
	f := formField{name: p.Name, omitted: true, required: required}
	for _, part := range content.Parts {
		if part.Name == p.Name && !strings.ContainsAny(part.Media, ",*") && part.Media != "" {
			f.header = textproto.MIMEHeader{"Content-Type": {part.Media}}
		}
	}
	if texts := valueTexts(p.Schema, nil); len(texts) > 0 {
		f.value = texts[0]
	}
	f.binary = p.Schema.Format == "binary"
	if items := p.Schema.ItemSchema(); items != nil {
		f.binary = items.Format == "binary"
	}
	return f
}

// isFile reports whether the field's value is a file.
func (f *formField) isFile() bool { return f.file != nil || f.fileName != "" || f.binary }

// text returns the field's value as it is shown: a file's name and size, not its bytes.
func (f *formField) text() string {
	switch {
	case f.file != nil:
		return f.file.describe()
	case f.fileName != "":
		return draw.Clean(f.fileName) + ", " + words.Plural(len(f.value), "byte")
	}
	return draw.Clean(model.Payload{Media: cmp.Or(f.header.Get("Content-Type"), "text/plain"), Data: f.value}.Describe())
}

// lines returns the lines of the body that is not a form: its text, or a file's name and size.
func (b *body) lines() []string {
	switch {
	case b.form:
		return nil
	case b.file != nil:
		return []string{b.file.describe()}
	}
	return strings.Split(draw.CleanLines(model.Payload{Media: b.media, Data: b.text}.Describe()), "\n")
}

// setText replaces the whole text of a body that is no form.
func (b *body) setText(text string) { b.text, b.file, b.edited = text, nil, true }

// setMedia replaces the media type of the body. A form keeps its own.
func (b *body) setMedia(media string) error {
	if b.form && baseMedia(media) != baseMedia(b.media) {
		return fmt.Errorf("the body is a form of the type %s: leave it out to send another type", baseMedia(b.media))
	}
	if !b.form {
		b.media, b.edited = media, true
	}
	return nil
}

// useFile makes the body a file. The media type of the file replaces a media type that says little about the content.
func (b *body) useFile(u *upload) {
	b.file, b.edited = u, true
	if baseMedia(b.media) == "application/octet-stream" || strings.HasSuffix(baseMedia(b.media), "/*") {
		b.media = u.media(b.media)
	}
}

// clone returns a copy that does not change with the body.
func (b *body) clone() *body {
	c := *b
	c.fields = slices.Clone(b.fields)
	return &c
}

// files returns the files that the body is read from.
func (b *body) files() (all []*upload) {
	if b.file != nil {
		all = append(all, b.file)
	}
	for i := range b.fields {
		if f := &b.fields[i]; f.file != nil && !f.omitted {
			all = append(all, f.file)
		}
	}
	return all
}

// payload returns the body as it is sent. read returns the content of a file.
func (b *body) payload(read func(path string) (string, error)) (*model.Payload, error) {
	switch {
	case !b.edited:
		draft := b.draft
		return &draft, nil
	case b.file != nil:
		content, err := read(b.file.path)
		return &model.Payload{Media: b.media, Data: content, FromFile: true}, err
	case !b.form:
		return &model.Payload{Media: b.media, Data: b.text}, nil
	case baseMedia(b.media) == urlencoded:
		return b.pairs(read)
	}
	return b.multipart(read)
}

// pairs returns a form of the media type application/x-www-form-urlencoded.
func (b *body) pairs(read func(path string) (string, error)) (*model.Payload, error) {
	var pairs []string
	for _, f := range b.fields {
		if f.omitted {
			continue
		}
		if err := f.load(read); err != nil {
			return nil, err
		}
		pairs = append(pairs, url.QueryEscape(f.name)+"="+url.QueryEscape(f.value))
	}
	return &model.Payload{Media: b.media, Data: strings.Join(pairs, "&")}, nil
}

// multipart returns a multipart body. It keeps the boundary of the draft unless a part contains it.
func (b *body) multipart(read func(path string) (string, error)) (*model.Payload, error) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	sent := slices.DeleteFunc(slices.Clone(b.fields), func(f formField) bool { return f.omitted })
	_, params, _ := mime.ParseMediaType(b.media) // a media type without a boundary gets one
	boundary := params["boundary"]
	for i := range sent {
		if err := sent[i].load(read); err != nil {
			return nil, err
		}
		if strings.Contains(sent[i].value, boundary) {
			boundary = ""
		}
	}
	if boundary != "" {
		if err := w.SetBoundary(boundary); err != nil {
			return nil, err
		}
	}
	for _, f := range sent {
		part, err := w.CreatePart(f.head())
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(part, f.value); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return &model.Payload{Media: w.FormDataContentType(), Data: out.String()}, err
}

// load reads the field's file into its value.
func (f *formField) load(read func(path string) (string, error)) (err error) {
	if f.file == nil {
		return nil
	}
	f.fileName = filepath.Base(f.file.path)
	f.value, err = read(f.file.path)
	if err != nil {
		return fmt.Errorf("the field %q: %w", f.name, err)
	}
	return nil
}

// head returns the headers of the part.
func (f *formField) head() textproto.MIMEHeader {
	head := textproto.MIMEHeader{}
	for name, values := range f.header {
		head[name] = values
	}
	disposition := `form-data; name="` + quoted(f.name) + `"`
	if f.fileName != "" {
		disposition += `; filename="` + quoted(f.fileName) + `"`
	}
	head["Content-Disposition"] = []string{disposition}
	if f.file != nil {
		head["Content-Type"] = []string{f.file.media(f.header.Get("Content-Type"))}
	}
	return head
}

// quoted escapes a text for a quoted string of the header Content-Disposition.
func quoted(text string) string {
	return strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A").Replace(text)
}

// fileEnding returns the ending of a file's name for a media type, from which an editor recognizes the format.
func fileEnding(media string) string {
	base := baseMedia(media)
	for _, known := range []string{"json", "xml", "yaml", "html", "csv"} {
		if strings.HasSuffix(base, "/"+known) || strings.HasSuffix(base, "+"+known) {
			return "." + known
		}
	}
	return ".txt"
}
