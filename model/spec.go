package model

import (
	"slices"
	"strings"
)

// OpID names an operation: its method, a space and its path template, such as
// "POST /products/{id}".
type OpID string

// Spec is an API as its document describes it.
type Spec struct {
	Title   string
	Version string
	// Source is what the person named: a path, a URL, or "-" for standard input.
	Source string
	// Format is the language of the document, such as "OpenAPI 3.0".
	Format string
	// Hash is the SHA-256 of the document, in hex.
	Hash string
	// Servers are shown and never called unasked.
	Servers []string
	// SecuritySchemes are the ways to prove who calls, in the order of the document.
	SecuritySchemes []SecurityScheme
	// Operations stand in the order of the document's paths; within a path in
	// the order get, put, post, delete, options, head, patch, trace.
	Operations []*Operation
	// Problems says what could not be read, in the order of the document.
	Problems []Problem
	// Files are the paths of those that it was read from, in order.
	Files []string
}

// Operation returns the operation called id, or nil.
func (s *Spec) Operation(id OpID) *Operation {
	for _, op := range s.Operations {
		if op.ID == id {
			return op
		}
	}
	return nil
}

// Tags returns every tag in order of first use. An operation without tags
// counts as tagged "".
func (s *Spec) Tags() []string {
	var tags []string
	for _, op := range s.Operations {
		for _, t := range op.CaseTags() {
			if !slices.Contains(tags, t) {
				tags = append(tags, t)
			}
		}
	}
	return tags
}

// OperationsByTag returns the operations of one tag, in order: a case of the distiller
// paper.
func (s *Spec) OperationsByTag(tag string) []*Operation {
	var ops []*Operation
	for _, op := range s.Operations {
		if slices.Contains(op.CaseTags(), tag) {
			ops = append(ops, op)
		}
	}
	return ops
}

// Problem is one thing in a document that could not be read, and was skipped.
type Problem struct {
	// Pointer is the JSON pointer of the place, such as "/paths/~1a/get".
	Pointer string
	// Line counts from 1; 0 where the place has none.
	Line int
	Text string
}

// Operation is one thing the API can be asked to do.
type Operation struct {
	ID     OpID
	Method string // upper case
	Path   string // template, such as "/products/{id}"
	// Name is the operationId, if the document gives one.
	Name        string
	Summary     string
	Description string
	Tags        []string
	Deprecated  bool
	// Params are the parameters outside the body, the path item's and the
	// operation's own, which win.
	Params    []Parameter
	Body      *RequestBody // nil where the operation takes none
	Responses []Response
	Callbacks []Callback
	// Secured tells that the document asks for credentials.
	Secured bool
	// Schemes names those of the spec that it asks for, in any alternative.
	Schemes []string
	// Alternatives are the sets of schemes of which it asks for one, in the order of the
	// document; that of nothing is left out.
	Alternatives [][]string
}

// SecurityScheme is a way to prove who calls.
type SecurityScheme struct {
	Name string
	// Kind is "basic", "bearer" or another scheme of HTTP in lower case, or
	// "apiKey", "oauth2" or "openIdConnect".
	Kind string
	// In and Key are where an API key travels and under which name.
	In  Location
	Key string
	// Prefix is what the description shows before an API key, such as "Token"; "" for
	// nothing.
	Prefix string
	// TokenURL is where OAuth 2 gives tokens, "" where the document does not say.
	TokenURL string
	// Flow is the one of OAuth 2 that has the TokenURL, as OpenAPI 3 names it:
	// "clientCredentials", "password" or "authorizationCode".
	Flow string
}

// CaseTags returns the operation's tags, or the one empty tag.
func (o *Operation) CaseTags() []string {
	if len(o.Tags) == 0 {
		return []string{""}
	}
	return o.Tags
}

// Location is where a value travels.
type Location string

// The places of a value.
const (
	InPath     Location = "path"
	InQuery    Location = "query"
	InHeader   Location = "header"
	InCookie   Location = "cookie"
	InBody     Location = "body"
	InResponse Location = "response"
	// InCallback is the body of a request that the service itself sends.
	InCallback Location = "callback"
)

// Parameter is a parameter outside the body.
type Parameter struct {
	Name        string
	In          Location
	Required    bool // always true in the path
	Description string
	Schema      *Schema // never nil
	// Style and Explode are OpenAPI's serialisation, with its defaults filled in.
	Style   string
	Explode bool
}

// RequestBody is what an operation takes in its message.
type RequestBody struct {
	// Name is the body parameter's name in OpenAPI 2.0, else "body".
	Name        string
	Required    bool
	Description string
	Contents    []Content // in the order of the document
}

// IsForm reports whether the body's first media type is a form, whose fields are
// parameters of their own.
func (b *RequestBody) IsForm() bool {
	return len(b.Contents) > 0 && b.Contents[0].IsForm()
}

// Content is a schema under a media type.
type Content struct {
	Media  string
	Schema *Schema // nil where the document gives none
}

// IsForm reports whether the media type is one of the two form encodings.
func (c Content) IsForm() bool {
	return c.Media == "application/x-www-form-urlencoded" || c.Media == "multipart/form-data"
}

// Response is one kind of answer that the document declares.
type Response struct {
	// Status is three digits, a class such as "2XX", or "default".
	Status      string
	Description string
	Headers     []Parameter
	Contents    []Content
	// Links are the links of OpenAPI 3: what can be called with what the
	// answer holds.
	Links []ResponseLink
}

// Default reports whether the response is for every status that has none of its own.
func (r Response) Default() bool { return r.Status == "default" }

// Response returns what the document says of a status: by itself, by its class or
// by default; nil where it says nothing. Where it says nothing of any status, every
// status is declared.
func (o *Operation) Response(status int) (r *Response, declared bool) {
	var class, rest *Response
	for k := range o.Responses {
		r := &o.Responses[k]
		switch s := r.Status; {
		case r.Default():
			rest = r
		case len(s) != 3 || s[0] != byte('0'+status/100):
		case strings.EqualFold(s[1:], "xx"):
			class = r
		case s[1] == byte('0'+status/10%10) && s[2] == byte('0'+status%10):
			return r, true
		}
	}
	if class == nil {
		class = rest
	}
	return class, class != nil || len(o.Responses) == 0
}

// ResponseLink is a link that the document itself declares from an answer to an
// operation.
type ResponseLink struct {
	Name string
	Op   OpID
	// Inputs are the inputs of Op for which the link has a value.
	Inputs []LinkInput
}

// LinkInput is an input and where its value comes from.
type LinkInput struct {
	In   Location // "" where the document does not say
	Name string   // the parameter's; "" for the body as a whole
	// From is a runtime expression of OpenAPI, such as "$response.body#/id".
	From string
}

// Callback is a request that the service sends when the operation was called.
type Callback struct {
	Name string
	// To is the runtime expression of its URL, such as "{$request.body#/hook}".
	To     string
	Method string       // upper case
	Body   *RequestBody // nil where it sends none
}

// Success reports whether the response is declared for a 2xx status.
func (r Response) Success() bool {
	return len(r.Status) == 3 && r.Status[0] == '2'
}
