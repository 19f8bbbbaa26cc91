// Package collection reads requests that people keep in files, and writes them as .http files. It reads collections of
// Postman (version 2.1), HAR files, curl commands, .http files of VS Code and JetBrains, and the files of Bruno.
//
// A [Collection] has requests as they are written, with variables such as {{host}} in their texts. It has no operations
// of a specification; package ui/app/collection finds those. The package runs no script, reads no other file than the
// one it is given, and calls nothing.
package collection

import (
	"errors"
	"fmt"
	"strings"
)

// Collection is a list of requests, in the order of the file.
type Collection struct {
	Name      string
	Variables []Variable
	Requests  []Request
	// Omissions are the parts of the file that a Collection cannot have, in the order of the file.
	Omissions []Omission
}

// Variable is a name with a text, which replaces {{Name}} in the texts of requests. The text may have variables.
type Variable struct{ Name, Value string }

// Request is an HTTP request. Its texts may have variables.
type Request struct {
	// Folder is the path of the folder that has the request, nil for none.
	Folder []string
	Name   string
	// ID is the name by which later requests refer to the answer, as in {{ID.response.body.$.id}}; "" for none.
	ID string
	// User is the name of the user of Sonde who sends the request, for users whose credentials a request cannot have
	// as variables, because they log in; "" for others. Other tools ignore it.
	User   string
	Method string
	URL    string
	// Headers has no Content-Type if there is a Body. Basic credentials have the form "Basic user:password".
	Headers []Field
	Body    *Body
	// Captures are variables of later requests that take a value from the answer.
	Captures []Capture
}

// Capture is a variable whose value is the last segment of the path in a header of the answer, such as Location.
type Capture struct{ Variable, Header string }

// Field is a header or a field of a form. If File is set, the field is a file with this path.
type Field struct{ Name, Value, File, Media string }

// Body is the body of a request. At most one of Text, File and Fields is set. The fields are those of a form, in
// plain text; Media says how they are sent.
type Body struct {
	Media  string
	Text   string
	File   string
	Fields []Field
}

// The media types of forms.
const (
	FormMedia      = "application/x-www-form-urlencoded"
	MultipartMedia = "multipart/form-data"
)

// Omission is a part of a file that a Collection cannot have.
type Omission struct {
	Kind OmissionKind
	// Request is the label of the request that has the part, "" for the whole file.
	Request string
	About   string // what it is, "" if Kind says enough
}

// OmissionKind is the kind of a part that is left out.
type OmissionKind string

// The kinds of omissions. An OmittedRequest, and a request of another protocol, is missing in the collection; of other
// kinds only a part of the request is missing.
const (
	OmittedScript      OmissionKind = "script"
	OmittedTest        OmissionKind = "test"
	OmittedGraphQL     OmissionKind = "GraphQL request"
	OmittedWebSocket   OmissionKind = "WebSocket request"
	OmittedGRPC        OmissionKind = "gRPC request"
	OmittedRequest     OmissionKind = "request"
	OmittedAuth        OmissionKind = "authentication"
	OmittedDisabled    OmissionKind = "disabled part"
	OmittedOption      OmissionKind = "option"
	OmittedDescription OmissionKind = "description"
	OmittedExample     OmissionKind = "example answer"
)

// Label returns a text that names the request for the user.
func (r Request) Label() string {
	name := r.Name
	if name == "" {
		name = r.Method + " " + r.URL
	}
	return strings.Join(append(append([]string{}, r.Folder...), name), folderMark)
}

// Header returns the value of the first header with a name, in any case of letters, "" for none.
func (r Request) Header(name string) string {
	for _, h := range r.Headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// mapTexts replaces the texts of the request that may have variables.
func (r *Request) mapTexts(replace func(text string) string) {
	r.URL = replace(r.URL)
	for i := range r.Headers {
		r.Headers[i].Value = replace(r.Headers[i].Value)
	}
	if r.Body == nil {
		return
	}
	r.Body.Text = replace(r.Body.Text)
	for i := range r.Body.Fields {
		r.Body.Fields[i].Value = replace(r.Body.Fields[i].Value)
	}
}

// folderMark separates the names of folders and of the request in a label.
const folderMark = " / "

// The maximum numbers of bytes and of requests in a file.
const (
	MaxBytes    = 16 << 20
	maxRequests = 10_000
)

// LineError is an error in a line of a file, from 1.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// errTooMany is the error for a file with too many requests.
var errTooMany = fmt.Errorf("it has more than %d requests: split it", maxRequests)

// errNoRequest is the error for a file without a request.
var errNoRequest = errors.New("it has no request")

// omit adds an omission.
func (c *Collection) omit(kind OmissionKind, request, about string) {
	c.Omissions = append(c.Omissions, Omission{Kind: kind, Request: request, About: about})
}

// pathName returns a name for a request without one: its method, and its path without the query.
func (r Request) pathName() string {
	target, _, _ := strings.Cut(r.URL, "?")
	if _, rest, found := strings.Cut(target, "://"); found {
		target = rest
	}
	_, path, _ := strings.Cut(target, "/")
	return r.Method + " /" + path
}

// setBody sets the body of a request. It moves the header Content-Type to the body, and splits the text of a form into
// its fields.
func (r *Request) setBody(b Body) {
	var others []Field
	for _, h := range r.Headers {
		if strings.EqualFold(h.Name, "Content-Type") {
			b.Media = h.Value
			continue
		}
		others = append(others, h)
	}
	r.Headers = others
	b.Text = strings.TrimRight(plainLines(b.Text), " \t\n")
	for i := range b.Fields {
		b.Fields[i].Value = strings.TrimRight(plainLines(b.Fields[i].Value), "\n")
	}
	if b.Text != "" && isMedia(b.Media, FormMedia) {
		if fields, ok := parseForm(b.Text); ok {
			b.Media, b.Text, b.Fields = FormMedia, "", fields
		}
	}
	if b.Fields != nil && isMedia(b.Media, MultipartMedia) {
		b.Media = MultipartMedia // another boundary is written
	}
	r.Body = &b
}

// plainLines returns a text whose lines end in \n.
func plainLines(text string) string { return strings.Join(splitLines(text), "\n") }

// isMedia reports whether a media type is the given one, whatever its parameters are.
func isMedia(text, media string) bool {
	base, _, _ := strings.Cut(text, ";")
	return strings.EqualFold(strings.TrimSpace(base), media)
}
