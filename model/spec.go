package model

import (
	"slices"
	"strings"
)

// OpID identifies an operation by its method and path template: "POST /products/{id}".
type OpID string

// Reads reports whether the method of an operation is one that changes nothing as HTTP defines it, such as GET.
func (id OpID) Reads() bool {
	method, _, _ := strings.Cut(string(id), " ")
	return IsSafeMethod(method)
}

// Spec is an API as its document describes it.
type Spec struct {
	Title   string
	Version string
	// Source is a path, a URL, or "-" for standard input, as the user gave it.
	Source string
	// Format is the format of the document, such as "OpenAPI 3.0".
	Format string
	// Hash is the SHA-256 of the document, in hex.
	Hash string
	// FormerHashes are the hashes of earlier versions of the document that differ from this version only in
	// descriptions. Their runs and recordings can be used with this version.
	FormerHashes []string
	// Servers are the server URLs in the document. Sonde shows them, but calls them only if the user asks
	// for it.
	Servers []string
	// SecuritySchemes are in the order of the document.
	SecuritySchemes []SecurityScheme
	// Operations are in the order of the document's paths and, for one path, in the order
	// get, put, post, delete, options, head, patch, trace, query. Methods that OpenAPI does not name come last.
	Operations []*Operation
	// Webhooks are in the order of the document.
	Webhooks []Webhook
	// Corrections are the corrections of values: first those that follow from observed traffic, then those of the
	// user.
	Corrections []ValueCorrection
	// Problems are the parts of the document that could not be read, in its order.
	Problems []Problem
	// Files are the paths of all files of the spec, sorted.
	Files []string
}

// SameContract reports whether a document with the given hash has the same operations, parameters and
// responses: it is this document or one of its former versions.
func (s *Spec) SameContract(hash string) bool {
	return hash == s.Hash || slices.Contains(s.FormerHashes, hash)
}

// Operation returns the operation with an ID, or nil.
func (s *Spec) Operation(id OpID) *Operation {
	for _, op := range s.Operations {
		if op.ID == id {
			return op
		}
	}
	return nil
}

// Tags returns all tags in order of first use. An operation without tags has the tag "".
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

// OperationsByTag returns the operations with a tag, in order. The distiller paper calls them a case.
func (s *Spec) OperationsByTag(tag string) []*Operation {
	var ops []*Operation
	for _, op := range s.Operations {
		if slices.Contains(op.CaseTags(), tag) {
			ops = append(ops, op)
		}
	}
	return ops
}

// Problem is a part of a document that could not be read and was skipped.
type Problem struct {
	// Pointer is the JSON pointer of the part, such as "/paths/~1a/get".
	Pointer string
	// Line is from 1; 0 if unknown.
	Line int
	Text string
}

// Operation is an operation of an API: a method of a path.
type Operation struct {
	ID     OpID
	Method string // upper case
	Path   string // template, such as "/products/{id}"
	// Line is the line of the operation in the document, from 1. It is 0 if the operation is in another file.
	Line int
	// Name is the operationId, "" if the document has none.
	Name        string
	Summary     string
	Description string
	Tags        []string
	Deprecated  bool
	// Params are the parameters outside the body. First come the parameters of the path, except for those that the
	// operation overrides. Then come the operation's own parameters.
	Params    []Parameter
	Body      *RequestBody // nil if the operation has none
	Responses []Response
	Callbacks []Callback
	// Secured reports whether credentials are required.
	Secured bool
	// Schemes are the names of all security schemes in Alternatives.
	Schemes []string
	// Alternatives are sets of security schemes, in the order of the document. A request must satisfy one
	// set. The empty set, which means no credentials, is left out.
	Alternatives [][]string
}

// SecurityScheme is a security scheme of OpenAPI.
type SecurityScheme struct {
	Name string
	// Kind is "basic", "bearer" or another HTTP scheme in lower case, or "apiKey", "oauth2"
	// or "openIdConnect".
	Kind string
	// In and Key are the location and name of an API key.
	In  Location
	Key string
	// Prefix is the word before an API key, such as "Token", according to the scheme's description; "" for
	// none.
	Prefix string
	// TokenURL is the token URL of OAuth 2, "" if the document has none.
	TokenURL string
	// Flow is the OAuth 2 flow with the TokenURL, by its name in OpenAPI 3:
	// "clientCredentials", "password" or "authorizationCode".
	Flow string
}

// CaseTags returns the operation's tags, or the single tag "" if it has none.
func (o *Operation) CaseTags() []string {
	if len(o.Tags) == 0 {
		return []string{""}
	}
	return o.Tags
}

// Location is a part of a message that can have values.
type Location string

// The locations of values.
const (
	InPath     Location = "path"
	InQuery    Location = "query"
	InHeader   Location = "header"
	InCookie   Location = "cookie"
	InBody     Location = "body"
	InResponse Location = "response"
	// InCallback is the body of a request that the service sends to a callback URL.
	InCallback Location = "callback"
)

// Parameter is a parameter outside the body, or a header of a response.
type Parameter struct {
	Name        string
	In          Location
	Required    bool // always true in the path
	Description string
	Schema      *Schema // never nil
	// Style and Explode are the serialization in OpenAPI's terms, with its defaults filled in. For a
	// parameter with content, Style is a media type.
	Style   string
	Explode bool
}

// RequestBody is the body that an operation takes.
type RequestBody struct {
	// Name is the name of the body parameter in OpenAPI 2.0, else "body".
	Name        string
	Required    bool
	Description string
	Contents    []Content // in the order of the document
}

// IsForm reports whether the body's first media type is a form, whose fields are treated as parameters.
func (b *RequestBody) IsForm() bool {
	return len(b.Contents) > 0 && b.Contents[0].IsForm()
}

// Content is a schema under a media type.
type Content struct {
	Media  string
	Schema *Schema // nil if the document has none
	// Parts has the declared media type of each part of a body, in the order of the document.
	Parts []PartMedia
}

// PartMedia is the name of a part of a body, and its media type: one type, several separated by commas, or a range
// such as "image/*".
type PartMedia struct{ Name, Media string }

// IsForm reports whether the media type is one of the two form encodings.
func (c Content) IsForm() bool {
	return c.Media == "application/x-www-form-urlencoded" || c.Media == "multipart/form-data"
}

// Response is a declared response of an operation.
type Response struct {
	// Status is three digits, a class such as "2XX", or "default".
	Status      string
	Description string
	Headers     []Parameter
	Contents    []Content
	// Links are the links of OpenAPI 3: operations that can be called with values of the
	// response.
	Links []ResponseLink
}

// Default reports whether the response is for all statuses that are not declared.
func (r Response) Default() bool { return r.Status == "default" }

// Response returns the response that the operation declares for a status. It prefers the response for the status
// itself, then the response for the class, then the default. It returns nil if there is none. declared reports
// whether the service may answer with the status: r is not nil, or the document declares no responses at all.
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

// ResponseLink is a declared link from a response to an operation.
type ResponseLink struct {
	Name string
	Op   OpID
	// Inputs are the inputs of Op that the link sets.
	Inputs []LinkInput
}

// LinkInput is an input that a link sets.
type LinkInput struct {
	In   Location // "" if the document does not say
	Name string   // name of the parameter, "" for the whole body
	// From is the runtime expression for the value, such as "$response.body#/id".
	From string
}

// Callback is a request that the service sends after a call of the operation.
type Callback struct {
	Name string
	// To is the runtime expression for the URL, such as "{$request.body#/hook}".
	To     string
	Method string       // upper case
	Body   *RequestBody // nil if it has none
}

// Webhook is a request that the service sends to its users' own servers, such as one that an order was paid. Unlike a
// callback, it belongs to no operation. Sonde shows webhooks, and never calls them.
type Webhook struct {
	// Name is the name in the document. Several webhooks have the same name if they differ in their methods.
	Name string
	// Request is what the service sends, and the responses that it expects. It has no path, and its ID is the method
	// with the name of the webhook, such as "POST orderPaid". It is not one of the operations of the spec.
	Request *Operation
}

// Success reports whether the response is declared for a 2xx status.
func (r Response) Success() bool {
	return len(r.Status) == 3 && r.Status[0] == '2'
}
