package collection

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/collection"
	"sonde/model/pointer"
	"sonde/runner/target/client"
)

// requestWriter makes requests of the calls of a test.
type requestWriter struct {
	service Service
	test    model.Test
	ids     []string // by which later requests refer to the answer of each call, "" for none
	named   []bool   // the requests have their IDs
	// captures are those of each call.
	captures [][]collection.Capture
	notes    []string            // what the requests cannot say
	files    []map[string]string // of each call, the paths of files in the .http file; the key is what the call has in their place

	// A mark is a text of letters and digits in the place of a text with a variable, until the request is complete, so
	// that the variable is neither escaped nor taken for a secret.
	mark   string
	marked []markedText
}

// markedText is a text that has a mark in its place. If bare is set, the mark is in quotes, which are removed with it.
type markedText struct {
	text string
	bare bool
}

// newRequestWriter returns a writer for a test. taken are the IDs of other requests of the file, and name is that of the
// test.
func newRequestWriter(s Service, t model.Test, name string, taken []string) *requestWriter {
	w := &requestWriter{
		service: s, test: t, mark: "sondemark",
		ids: make([]string, len(t.Calls)), named: make([]bool, len(t.Calls)), captures: make([][]collection.Capture, len(t.Calls)),
		files: make([]map[string]string, len(t.Calls)),
	}
	data, _ := json.Marshal(t.Calls) // calls always marshal
	for bytes.Contains(data, []byte(w.mark)) {
		w.mark += "x"
	}
	for _, l := range t.Links {
		if w.ids[l.From] != "" || l.Param != "" {
			continue
		}
		id := identifier(name)
		for n := 1; slices.Contains(slices.Concat(taken, w.ids), id); n++ {
			id = fmt.Sprintf("%s_%d", identifier(name), n)
		}
		w.ids[l.From] = id
	}
	return w
}

// identifier returns a name as an identifier of programming languages.
func identifier(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	if id := strings.Trim(b.String(), "_"); id != "" {
		return id
	}
	return "request"
}

// replaceLater returns the mark for a text.
func (w *requestWriter) replaceLater(text string) string {
	w.marked = append(w.marked, markedText{text: text})
	return fmt.Sprintf("%s%dz", w.mark, len(w.marked)-1)
}

// fill replaces the marks in a text.
func (w *requestWriter) fill(text string) string {
	for i, m := range w.marked {
		mark := fmt.Sprintf("%s%dz", w.mark, i)
		if m.bare {
			text = strings.ReplaceAll(text, `"`+mark+`"`, m.text)
		}
		text = strings.ReplaceAll(text, mark, m.text)
	}
	return text
}

// requests returns the requests of the test, whose URLs are paths. They have no credentials of users.
func (w *requestWriter) requests() ([]collection.Request, error) {
	var all []collection.Request
	var args [][]model.Arg // those of each call, with marks
	for i, call := range w.test.Calls {
		call.Args = slices.Clone(call.Args)
		for j, a := range call.Args {
			if !a.Escaped {
				call.Args[j].Value = w.variables(a.Value)
			}
		}
		if call.Body != nil {
			body := call.Body.MapTexts(w.variables)
			call.Body = &body
		}
		for _, l := range w.test.Links {
			if l.To == i {
				call = w.link(call, l, args)
			}
		}
		args = append(args, call.Args)
		r, err := w.request(call, w.files[i])
		if err != nil {
			return nil, fmt.Errorf("call %d, %s, cannot be saved: %w", i+1, call.Op, err)
		}
		w.fillRequest(&r)
		all = append(all, r)
	}
	for i := range all { // later calls have asked for them
		all[i].Captures = w.captures[i]
		if w.named[i] {
			all[i].ID = w.ids[i]
		}
	}
	return all, nil
}

// variables replaces ${NAME} by marks for {{NAME}}. Other tests than those that the user wrote have no variables.
func (w *requestWriter) variables(text string) string {
	if w.test.Origin != model.OriginManual {
		return text
	}
	return model.FillSecrets(text, func(name string) string { return w.replaceLater("{{" + name + "}}") })
}

// link puts the mark for a value of an earlier answer into a call. If a .http file cannot have the link, it adds a note,
// and the call keeps its value. args are those of the earlier calls.
func (w *requestWriter) link(call model.Call, l model.Link, args [][]model.Arg) model.Call {
	var text string
	if l.Param != "" {
		at := slices.IndexFunc(args[l.From], func(a model.Arg) bool { return a.In == model.InPath && a.Name == l.Param })
		if at < 0 {
			return call
		}
		text = w.fill(args[l.From][at].PlainValue())
	} else {
		name, ok := w.reference(l)
		if !ok {
			w.note(l)
			return call
		}
		text = "{{" + name + "}}"
		w.named[l.From] = w.named[l.From] || strings.Contains(name, ".")
	}
	value := w.replaceLater(text)
	if l.In == model.InBody {
		body, isText, ok := withValue(call.Body, l.Name, value)
		if !ok {
			w.note(l)
			return call
		}
		w.marked[len(w.marked)-1].bare = !isText
		call.Body = body
		return call
	}
	at := slices.IndexFunc(call.Args, func(a model.Arg) bool { return a.In == l.In && a.Name == l.Name })
	if at < 0 {
		call.Args = append(call.Args, model.Arg{In: l.In, Name: l.Name, Value: value})
	} else {
		call.Args[at] = call.Args[at].WithValue(value)
	}
	return call
}

// note says that a .http file cannot have a link.
func (w *requestWriter) note(l model.Link) {
	from := "the body"
	if l.Header != "" {
		from = "the header " + l.Header
	}
	w.notes = append(w.notes, fmt.Sprintf(
		"call %d has a fixed %s, because a .http file cannot take it from %s of the answer to call %d",
		l.To+1, pointer.LastToken(l.Name), from, l.From+1,
	))
}

// capture returns the variable that has the last segment of a header of the answer to a call.
func (w *requestWriter) capture(call int, header string) string {
	for _, c := range w.captures[call] {
		if strings.EqualFold(c.Header, header) {
			return c.Variable
		}
	}
	c := collection.Capture{Variable: w.ids[call] + "_" + identifier(strings.ToLower(header)), Header: header}
	w.captures[call] = append(w.captures[call], c)
	return c.Variable
}

// reference returns the name of a variable for the value of a link, as linkOf reads it. It returns false if there is
// none.
func (w *requestWriter) reference(l model.Link) (string, bool) {
	id, place := w.ids[l.From], l.Pointer
	switch {
	case l.Header != "" && l.Pattern == "":
		return w.capture(l.From, l.Header), true
	case l.Header != "":
		return id + ".response.headers." + l.Header, l.Pattern == wholeHeader
	case l.Pattern != "":
		return "", false
	case l.Pointer == model.WholeBody:
		return id + ".response.body.*", true
	case l.Pointer == "":
		place = l.Hint
	}
	path := ""
	for _, token := range pointer.Tokens(place) {
		switch {
		case plainName.MatchString(token):
			path += "." + token
		case digits.MatchString(token):
			path += "[" + token + "]"
		case strings.ContainsAny(token, `'"[]{}`) || strings.ContainsFunc(token, func(r rune) bool { return r < ' ' }):
			return "", false
		default:
			path += "['" + token + "']"
		}
	}
	return id + ".response.body.$" + path, path != ""
}

// wholeHeader is the pattern of a link to the value of a header.
const wholeHeader = "(.+)"

var (
	plainName = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	digits    = regexp.MustCompile(`^\d+$`)
)

// withValue returns a JSON body with a text at a pointer. wasText reports whether the old value there is a text. ok is
// false for another body, or if the body has no place for the value.
func withValue(body *model.Payload, at, text string) (with *model.Payload, wasText, ok bool) {
	if body == nil {
		return nil, false, false
	}
	var value any
	d := json.NewDecoder(strings.NewReader(body.Data))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, false, false
	}
	old, had := pointer.Lookup(value, at)
	parent, found := pointer.Lookup(value, pointer.Parent(at))
	switch parent := parent.(type) {
	case map[string]any:
		parent[pointer.LastToken(at)] = text
	case []any:
		n, err := strconv.Atoi(pointer.LastToken(at))
		if err != nil || n < 0 || n >= len(parent) {
			return nil, false, false
		}
		parent[n] = text
	default:
		return nil, false, false
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil || !found {
		return nil, false, false
	}
	_, wasText = old.(string)
	return &model.Payload{Media: body.Media, Data: strings.TrimSpace(out.String())}, wasText || !had, true
}

// request returns the request of one call, whose URL is a path. files are those that it sends.
func (w *requestWriter) request(call model.Call, files map[string]string) (collection.Request, error) {
	sent := client.Preview(w.service.Spec, model.Test{Calls: []model.Call{call}})[0]
	if sent.Method == "" {
		return collection.Request{}, errors.New("the spec does not have it any more")
	}
	r := collection.Request{Method: sent.Method, URL: sent.URL}
	ownAccept := slices.ContainsFunc(call.Args, func(a model.Arg) bool {
		return a.In == model.InHeader && strings.EqualFold(a.Name, "Accept")
	})
	for _, name := range slices.Sorted(maps.Keys(sent.Header)) {
		if name == "Content-Type" && call.Body != nil || name == "Accept" && !ownAccept {
			continue
		}
		for _, value := range sent.Header[name] {
			r.Headers = append(r.Headers, collection.Field{Name: name, Value: value})
		}
	}
	body, err := requestBody(call.Body, files)
	r.Body = body
	if err == nil {
		err = withoutReferences(r)
	}
	return r, err
}

// withoutReferences returns an error if a text of a request would be read as a variable.
func withoutReferences(r collection.Request) error {
	texts := []string{r.URL}
	for _, h := range r.Headers {
		texts = append(texts, h.Value)
	}
	if r.Body != nil {
		texts = append(texts, r.Body.Text)
		for _, f := range r.Body.Fields {
			texts = append(texts, f.Value)
		}
	}
	for _, text := range texts {
		if names := collection.References(text); len(names) > 0 {
			return fmt.Errorf(
				"it has the text {{%s}}, which a .http file has for a variable: write ${NAME} for a variable of sonde.yaml", names[0],
			)
		}
	}
	return nil
}

// requestBody returns the body of a request, nil for none.
func requestBody(p *model.Payload, files map[string]string) (*collection.Body, error) {
	if p == nil {
		return nil, nil
	}
	media, params, err := mime.ParseMediaType(p.Media)
	file, isFile := files[p.Data]
	switch {
	case isFile:
		return &collection.Body{Media: p.Media, File: file}, nil
	case err == nil && media == collection.MultipartMedia:
		return formBody(p.Data, params["boundary"], files)
	case !p.IsText():
		return nil, errors.New("its body is not text: keep it in a file, and write < FILE in the place of the body")
	}
	return &collection.Body{Media: p.Media, Text: p.Data}, nil
}

// formBody returns the body of a form with several parts.
func formBody(data, boundary string, files map[string]string) (*collection.Body, error) {
	b := &collection.Body{Media: collection.MultipartMedia}
	for r := multipart.NewReader(strings.NewReader(data), boundary); ; {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return nil, fmt.Errorf("its form cannot be read: %w", err)
		}
		value, err := io.ReadAll(part)
		text := model.Payload{Media: "application/octet-stream", Data: string(value)}
		field := collection.Field{Name: part.FormName(), Value: string(value), Media: part.Header.Get("Content-Type")}
		file, isFile := files[string(value)]
		switch {
		case err == nil && isFile && part.FileName() != "":
			field.Value, field.File = "", file
		case err != nil:
			return nil, fmt.Errorf("its form cannot be read: %w", err)
		case part.FileName() != "" || !text.IsText():
			return nil, fmt.Errorf("its field %q is a file: keep the file in the project, and write < FILE in its place", part.FormName())
		}
		b.Fields = append(b.Fields, field)
	}
}

// fillRequest replaces the marks in all texts of a request.
func (w *requestWriter) fillRequest(r *collection.Request) {
	r.URL = w.fill(r.URL)
	for i := range r.Headers {
		r.Headers[i].Value = w.fill(r.Headers[i].Value)
	}
	if r.Body != nil {
		r.Body.Text = w.fill(r.Body.Text)
		for i := range r.Body.Fields {
			r.Body.Fields[i].Value = w.fill(r.Body.Fields[i].Value)
		}
	}
}
