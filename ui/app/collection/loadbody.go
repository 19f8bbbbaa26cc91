package collection

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/collection"
	"sonde/model/pointer"
)

// form returns a body with fields.
func (b *callBuilder) form(from collection.Body) (*model.Payload, error) {
	fields := make([]collection.Field, len(from.Fields))
	for i, f := range from.Fields {
		f.Name, f.Value = b.filled(f.Name), b.filled(f.Value)
		if err := b.unfilled(f.Name+f.Value, "the field "+f.Name); err != nil {
			return nil, err
		}
		fields[i] = f
	}
	if from.Media == collection.MultipartMedia {
		return b.multipart(fields)
	}
	var pairs []string
	for _, f := range fields {
		pairs = append(pairs, model.EscapeQuery(f.Name)+"="+model.EscapeQuery(f.Value))
	}
	return &model.Payload{Media: collection.FormMedia, Data: strings.Join(pairs, "&")}, nil
}

// multipart returns a body with a part for each field.
func (b *callBuilder) multipart(fields []collection.Field) (*model.Payload, error) {
	var data bytes.Buffer
	w := multipart.NewWriter(&data)
	_ = w.SetBoundary("sonde-boundary") // it is valid; a test has the same bytes each time it is made
	for _, f := range fields {
		text := f.Value
		head := textproto.MIMEHeader{}
		disposition := fmt.Sprintf("form-data; name=%q", f.Name)
		if f.File != "" {
			content, err := b.readBody(f.File)
			if err != nil {
				return nil, err
			}
			text = content
			disposition += fmt.Sprintf("; filename=%q", filepath.Base(f.File))
		}
		head.Set("Content-Disposition", disposition)
		if f.Media != "" {
			head.Set("Content-Type", f.Media)
		}
		part, _ := w.CreatePart(head) // a buffer has no errors
		_, _ = part.Write([]byte(text))
	}
	_ = w.Close()
	return &model.Payload{Media: w.FormDataContentType(), Data: data.String()}, nil
}

// linkMark is the text in the place of a value of an earlier answer, until its pointer in the body is known.
const linkMark = "sonde-link-"

// linkedJSON returns the text of a body without its references to earlier answers, for which it adds links. They must
// be whole values of a JSON body. In the place of a reference is "", or 0 if it is not in quotes.
func (b *callBuilder) linkedJSON(text string) (string, error) {
	var links []model.Link
	var failed error
	marked := collection.Fill(text, func(name string) (string, bool) {
		link, isLink, err := b.linkOf(name)
		if err != nil {
			failed = err
		}
		if !isLink {
			return "", false
		}
		links = append(links, link)
		return linkMark + strconv.Itoa(len(links)-1) + "-", true
	})
	if failed != nil {
		return "", fmt.Errorf("the body: %w", failed)
	}
	if err := b.unfilled(marked, "the body"); err != nil || links == nil {
		return marked, err
	}
	quoted := bareMark.ReplaceAllString(marked, `$1"$2"`)
	var value any
	if err := json.Unmarshal([]byte(quoted), &value); err != nil {
		return "", fmt.Errorf("the body takes a value from an answer and is not JSON: %w", err)
	}
	places := map[string]string{}
	findMarks(value, "", places)
	for i, link := range links {
		place, found := places[linkMark+strconv.Itoa(i)+"-"]
		if !found {
			return "", fmt.Errorf("the body has a value of an answer as a part of a text, which a test cannot have")
		}
		link.In, link.Name = model.InBody, place
		b.links = append(b.links, link)
	}
	return anyMark.ReplaceAllString(bareMark.ReplaceAllString(marked, "${1}0"), ""), nil
}

var (
	// bareMark matches a mark that is not in quotes.
	bareMark = regexp.MustCompile(`([\[:,]\s*)(` + linkMark + `[0-9]+-)`)
	anyMark  = regexp.MustCompile(linkMark + `[0-9]+-`)
)

// findMarks adds the pointers of the marks in a JSON value to places.
func findMarks(value any, at string, places map[string]string) {
	switch value := value.(type) {
	case string:
		if strings.HasPrefix(value, linkMark) {
			places[value] = at
		}
	case map[string]any:
		for name, v := range value {
			findMarks(v, at+"/"+pointer.Escape(name), places)
		}
	case []any:
		for i, v := range value {
			findMarks(v, at+"/"+strconv.Itoa(i), places)
		}
	}
}

// linkOf returns the link for a reference to an earlier answer: {{ID.response.body.$.path}} and
// {{ID.response.headers.Name}}, as in REST Client, or {{ID.path}}, as in httpYac; or for a variable that an earlier
// request captures. isLink is false for other variables.
func (b *callBuilder) linkOf(name string) (link model.Link, isLink bool, err error) {
	if link, isLink = b.captured[name]; isLink {
		link.To = b.to
		return link, true, nil
	}
	id, rest, found := strings.Cut(name, ".")
	if !found {
		return link, false, nil
	}
	from, known := b.places[id]
	if !known {
		for _, r := range b.file.Routes {
			if r.Request.ID == id {
				return link, true, fmt.Errorf("{{%s}} is of the request %q, which is not before it in a test", name, r.Request.Label())
			}
		}
		return link, false, nil
	}
	link = model.Link{From: from, To: b.to}
	if header, isHeader := strings.CutPrefix(rest, "response.headers."); isHeader {
		link.Header, link.Pattern = header, "(.+)"
		return link, true, nil
	}
	path, isBody := strings.CutPrefix(rest, "response.body")
	if !isBody {
		path = "." + rest
	}
	link.Pointer, err = pointerOf(strings.TrimPrefix(strings.TrimPrefix(path, "."), "$"))
	return link, true, err
}

// pathStep matches a step of a path: .name, [0] or ['name'].
var pathStep = regexp.MustCompile(`^(?:\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[['"]([^'"\]]+)['"]\])`)

// pointerOf returns the JSON pointer for a simple JSONPath without its "$".
func pointerOf(path string) (string, error) {
	if path == "" || path == "*" {
		return model.WholeBody, nil
	}
	place, rest := "", path
	for rest != "" {
		m := pathStep.FindStringSubmatch(rest)
		if m == nil {
			return "", fmt.Errorf("the path %q is not a list of names and indexes", path)
		}
		place += "/" + pointer.Escape(m[1]+m[2]+m[3])
		rest = rest[len(m[0]):]
	}
	return place, nil
}
