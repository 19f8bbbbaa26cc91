// Package shape groups the exchanges of an operation by their shape and by their traits. Exchanges that differ only in
// values have the same shape. Traits are special values, such as the message of a refusal, the value of an enum, a
// value at a limit of the spec, or an empty list. The package does not compare exchanges, and its results do not depend
// on time.
package shape

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/wire"
	"sonde/model"
)

// Profile is the shape and the traits of an exchange.
type Profile struct {
	// Kind is the operation, if there is one, and the status.
	Kind string
	// Shape has the names in the query, the members of both bodies with their types, and the
	// outward calls.
	Shape string
	// Traits has each trait once, in any order.
	Traits []string
}

// ProfileOf returns the profile of an exchange with decoded bodies. op is nil for a request to no
// operation. calls are the outward calls in their order, named by NameWithResult.
func ProfileOf(op *model.Operation, x model.Exchange, calls []string) Profile {
	p := Profile{Kind: strconv.Itoa(x.Reply.Status)}
	if op != nil {
		p.Kind = string(op.ID) + " " + p.Kind
	}
	request, answer := decode(x.Request.Body), decode(x.Reply.Body)
	p.Shape = strings.Join(
		[]string{
			strings.Join(queryNames(x.Request.URL), "&"),
			request.members(),
			answer.members(),
			strings.Join(calls, ";"),
		},
		"|",
	)
	p.Traits = traitsOf(op, x, request, answer)
	return p
}

// String returns the kind and the shape, without the traits.
func (p Profile) String() string { return p.Kind + "|" + p.Shape }

// queryNames returns the names in the query of a URL, sorted. If the query is malformed, it returns
// the names in the rest.
func queryNames(target string) []string {
	_, raw, _ := strings.Cut(target, "?")
	query, _ := url.ParseQuery(raw)
	return slices.Sorted(maps.Keys(query))
}

// NameWithResult names an outward call as CallName does, and adds the status of an HTTP call or of a call of gRPC.
func NameWithResult(s model.OutwardCall) string {
	switch {
	case s.Protocol != model.HTTP:
		return CallName(s)
	case IsGRPC(s):
		result := slices.Concat(s.Reply.Header["Grpc-Status"], s.Reply.Trailer["Grpc-Status"])
		return CallName(s) + " " + strings.Join(result, ",")
	}
	return CallName(s) + " " + strconv.Itoa(s.Reply.Status)
}

// CallName names an outward call: an HTTP call by its method, host and path without IDs; a call of gRPC by its host and
// path; a request to a database by its protocol, host and command; and any other call by its protocol and host.
func CallName(s model.OutwardCall) string {
	host := cmp.Or(s.Name, s.Host)
	switch {
	case s.Protocol.IsDatabase() && len(s.Messages) > 0:
		return string(s.Protocol) + " " + host + " " + model.DatabaseCommand(s.Messages[0].Request)
	case s.Protocol != model.HTTP:
		return string(s.Protocol) + " " + host
	}
	path, _, _ := strings.Cut(s.Request.URL, "?")
	if IsGRPC(s) {
		return "grpc " + host + path
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if LooksLikeID(part) {
			parts[i] = "{}"
		}
	}
	return s.Request.Method + " " + host + strings.Join(parts, "/")
}

// IsGRPC reports whether an outward call is a call of gRPC.
func IsGRPC(s model.OutwardCall) bool {
	media := s.Request.Header["Content-Type"]
	return s.Protocol == model.HTTP && len(media) > 0 && wire.IsGRPC(media[0])
}

var idForm = regexp.MustCompile(`\d|^[a-fA-F-]{16,}$`)

// LooksLikeID reports whether a segment of a path looks like an ID.
func LooksLikeID(part string) bool { return idForm.MatchString(part) }

// maxJSON is the maximum size of a body that is decoded as JSON, in bytes.
const maxJSON = 4 << 20

// body is a decoded body.
type body struct {
	text   []byte
	value  any // numbers are json.Number
	isJSON bool
}

// decode decodes a body as JSON, if it is JSON and has at most maxJSON bytes.
func decode(text []byte) body {
	b := body{text: text}
	if len(text) == 0 || len(text) > maxJSON {
		return b
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	b.isJSON = d.Decode(&b.value) == nil && !d.More()
	return b
}

// members describes a body: a JSON body by its members with their types, any other body as "text", and an empty body as
// "".
func (b body) members() string {
	switch {
	case len(b.text) == 0:
		return ""
	case !b.isJSON:
		return "text"
	}
	return members(b.value)
}

// members describes a JSON value by the types of its values. A list is described by the different
// descriptions of its items.
func members(v any) string {
	switch v := v.(type) {
	case map[string]any:
		parts := []string{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, name+":"+members(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, members(item))
		}
		slices.Sort(items)
		return "[" + strings.Join(slices.Compact(items), ",") + "]"
	}
	return JSONType(v)
}

// JSONType returns the JSON type of a decoded value that is not an object or an array. Numbers must be
// json.Number.
func JSONType(v any) string {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	case string:
		return "string"
	case bool:
		return "boolean"
	}
	return "null"
}
