package generate

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
	"sonde/model/route"
	"sonde/runner/replay/shape"
)

// recordedExchange is an exchange of the recording, decoded for the tests.
type recordedExchange struct {
	model.ServedRequest
	index int // position in the recording
	// resets is how often the service was reset before this exchange. Two exchanges share state only if their
	// numbers of resets are equal.
	resets int
	op     *model.Operation // nil for a request to no operation
	call   model.Call       // the request without its credential
	// whyNotRepeatable is why the request cannot be sent again, "" if it can.
	whyNotRepeatable string
	base             string // the prefix of the recorded path before the operation's path
	// requestValues and responseValues are the values in the request and in its answer. Credentials are left out. Of
	// the Location header, only the last segment is included.
	requestValues, responseValues []leaf
	request, response             message
	outward                       []*outwardCall // the outward calls while the request was answered
	pathResources                 []string       // the resources on the path, the outermost first: "/orders/17"
	createdResource               string         // the resource that the request created, "" if none
	profile                       shape.Profile
	shape                         string // the text of profile
	credential                    credential
}

// isWrite reports whether the request succeeded and its method may change state.
func (r *recordedExchange) isWrite() bool { return r.hasUnsafeMethod() && r.succeeded() }

// hasUnsafeMethod reports whether the request's method may change state.
func (r *recordedExchange) hasUnsafeMethod() bool {
	return !model.IsSafeMethod(r.Request.Method)
}

// succeeded reports whether the status is 2xx or 3xx.
func (r *recordedExchange) succeeded() bool { return r.Reply.Status >= 200 && r.Reply.Status < 400 }

// endedBefore reports whether this exchange had ended when the other exchange began.
func (r *recordedExchange) endedBefore(other *recordedExchange) bool {
	return r.index < other.index && !r.EndTime().After(other.At)
}

// newExchange decodes the exchange at a position in the recording.
func (r *recordingIndex) newExchange(index int, served model.ServedRequest) *recordedExchange {
	x := &recordedExchange{ServedRequest: served, index: index}
	found, ok := r.router.FindOperation(x.Request.Method, x.Request.URL)
	if !ok {
		x.whyNotRepeatable = "it is not an operation of the spec"
		return x
	}
	x.op = found.Op
	x.base = basePath(found.Op.Path, x.Request.URL)
	x.request = newMessage(x.Request.Header, x.Request.Body, x.Request.Truncated)
	x.response = newMessage(x.Reply.Header, x.Reply.Body, x.Reply.Truncated)
	x.credential = credentialOf(x, r.credentialKeys)
	x.whyNotRepeatable = x.setCall(found.Args)
	x.pathResources = r.resourcesOfPath(found)
	x.requestValues, x.responseValues = x.requestLeaves(), x.responseLeaves()
	r.names.setNames(x.op.ID, false, x.requestValues)
	r.names.setNames(x.op.ID, true, x.responseValues)
	x.createdResource = x.findCreatedResource()
	for _, call := range x.OutwardCalls {
		x.outward = append(x.outward, newOutwardCall(call))
	}
	x.profile = x.newProfile()
	x.shape = x.profile.String()
	return x
}

// basePath returns the prefix of the path of a URL, before the segments that belong to a path template; ""
// if there is no prefix.
func basePath(template, target string) string {
	path, _, _ := strings.Cut(target, "?")
	template, _, _ = strings.Cut(template, "?")
	have, want := resource.Segments(path), len(resource.Segments(template))
	if len(have) <= want {
		return ""
	}
	return "/" + strings.Join(have[:len(have)-want], "/")
}

// setCall sets the call that repeats the request. It returns why the request cannot be repeated, ""
// if it can.
func (r *recordedExchange) setCall(args []model.Arg) string {
	r.call = model.Call{Op: r.op.ID, Args: args, Status: r.Reply.Status}
	switch {
	case r.Err != nil || r.Reply.Status == 0:
		return "no answer was recorded"
	case r.Reply.Status < 200:
		return fmt.Sprintf("it was answered %d, and the rest was not recorded", r.Reply.Status)
	case r.request.why != "" && r.request.bytes == nil:
		return "its request " + r.request.why
	case !r.addQuery():
		return "its query cannot be read"
	}
	r.call.Args = append(r.call.Args, r.headerArgs()...)
	if len(r.Request.Body) > 0 {
		r.call.Body = &model.Payload{Media: headerValue(r.Request.Header, "Content-Type"), Data: string(r.request.plain)}
	}
	return ""
}

// addQuery adds the parameters of the query to the call, without the credential and the parameters
// that the operation's path has. It returns false if the query is malformed.
func (r *recordedExchange) addQuery() bool {
	_, raw, _ := strings.Cut(r.Request.URL, "?")
	_, own, _ := strings.Cut(r.op.Path, "?")
	fixed, _ := url.ParseQuery(own)
	for _, pair := range strings.FieldsFunc(raw, func(r rune) bool { return r == '&' }) {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		value, bad := url.QueryUnescape(value)
		if err != nil || bad != nil {
			return false
		}
		if _, has := fixed[name]; !has && !r.credential.is(model.InQuery, name) {
			r.call.Args = append(r.call.Args, model.Arg{In: model.InQuery, Name: name, Value: value})
		}
	}
	return true
}

// usualHeader matches headers that a test does not repeat: those that describe the client, the
// connection, proxies or traces, and those that a test sends in another way, such as the
// Content-Type and cookies.
var usualHeader = regexp.MustCompile(`(?i)^(host|user-agent|accept-encoding|accept-language|connection|keep-alive|` +
	`content-length|content-type|content-encoding|transfer-encoding|te|trailer|upgrade|date|expect|cookie|` +
	`traceparent|tracestate|baggage|b3|x-b3-.*|x-forwarded-.*|x-real-ip|forwarded|via|proxy-.*|sec-.*|dnt|` +
	`origin|referer|pragma|cache-control|priority|x-request-id|x-correlation-id|grpc-timeout|grpc-accept-encoding)$`)

// clientHeader matches usual headers that a test repeats if the service passes their values on. For example, a
// service may keep the User-Agent of each session in a database.
var clientHeader = regexp.MustCompile(`(?i)^(user-agent|accept-language|origin|referer)$`)

// passesOn reports whether an outward call of the request has the value in its URL, body or messages.
func (r *recordedExchange) passesOn(value string) bool {
	if value == "" {
		return false
	}
	return slices.ContainsFunc(r.OutwardCalls, func(o model.OutwardCall) bool {
		return strings.Contains(o.Request.URL, url.QueryEscape(value)) || bytes.Contains(o.Request.Body, []byte(value)) ||
			slices.ContainsFunc(o.Messages, func(m model.MessagePair) bool { return bytes.Contains(m.Request, []byte(value)) })
	})
}

// headerArgs returns the headers and cookies of the request that may affect the answer, or that the service passes on.
func (r *recordedExchange) headerArgs() []model.Arg {
	var all []model.Arg
	for _, name := range sortedKeys(r.Request.Header) {
		value := headerValue(r.Request.Header, name)
		plain := strings.EqualFold(name, "Accept") && value == "*/*"
		usual := usualHeader.MatchString(name) && !(clientHeader.MatchString(name) && r.passesOn(value))
		if !usual && !plain && !r.credential.is(model.InHeader, name) {
			all = append(all, model.Arg{In: model.InHeader, Name: name, Value: value})
		}
	}
	return append(all, r.cookieArgs()...)
}

// resourcesOfPath returns the resources that a path names, one for each of its segments with a parameter. The path
// /carts/7/items/2 names /carts/7 and /carts/7/items/2.
func (r *recordingIndex) resourcesOfPath(m route.MatchedOperation) []string {
	template, _, _ := strings.Cut(m.Op.Path, "?")
	path, all := "", []string(nil)
	for _, segment := range resource.Segments(template) {
		names := resource.ParamNames(segment)
		for _, a := range m.Args {
			segment = strings.ReplaceAll(segment, "{"+a.Name+"}", url.PathEscape(a.Value))
		}
		path += "/" + segment
		if len(names) > 0 {
			all = append(all, path)
		}
	}
	return all
}

// operationPath returns the path of the request without the base.
func (r *recordedExchange) operationPath() string {
	path, _, _ := strings.Cut(r.Request.URL, "?")
	return "/" + strings.Join(resource.Segments(strings.TrimPrefix(path, r.base)), "/")
}

// requestLeaves returns the values in the arguments and the body of the request.
func (r *recordedExchange) requestLeaves() []leaf {
	var all []leaf
	for _, a := range r.call.Args {
		all = append(all, leaf{in: a.In, name: a.Name, value: a.Value})
	}
	media := headerValue(r.Request.Header, "Content-Type")
	if fields := formLeaves(media, r.request.text); fields != nil {
		return append(all, fields...)
	}
	return append(all, r.request.leaves...)
}

// responseLeaves returns the values in the answer's body, and the last segment of its Location.
func (r *recordedExchange) responseLeaves() []leaf {
	all := slices.Clone(r.response.leaves)
	if id, ok := match.LastSegment(headerValue(r.Reply.Header, "Location")); ok {
		all = append(all, leaf{in: model.InHeader, name: "Location", value: id})
	}
	return all
}

// findCreatedResource returns the path of the resource that the request created, "" if none. It is
// the answer's Location, or the path of the collection with the id in the answer.
func (r *recordedExchange) findCreatedResource() string {
	method := r.Request.Method
	if method != "POST" && method != "PUT" || r.Reply.Status/100 != 2 {
		return ""
	}
	if u, err := url.Parse(strings.TrimSpace(headerValue(r.Reply.Header, "Location"))); err == nil && len(u.Path) > 1 {
		path := "/" + strings.Join(resource.Segments(strings.TrimPrefix(u.EscapedPath(), r.base)), "/")
		return path
	}
	template := resource.Segments(r.op.Path)
	if method == "PUT" || len(template) == 0 || strings.Contains(template[len(template)-1], "{") {
		return ""
	}
	thing := plain(match.Singular(strings.ToLower(template[len(template)-1])))
	for _, name := range []string{"id", thing + "id", "uuid", "key"} {
		for _, l := range r.responseValues {
			if strings.Count(l.name, "/") == 1 && plain(l.lastName()) == name && l.text() != "" {
				return r.operationPath() + "/" + url.PathEscape(l.text())
			}
		}
	}
	return ""
}

// newProfile returns the shape and the traits of the exchange.
func (r *recordedExchange) newProfile() shape.Profile {
	x := r.Exchange
	x.Request.Body, x.Reply.Body = r.request.plain, r.response.plain
	var sent []string
	for _, o := range r.OutwardCalls {
		sent = append(sent, shape.NameWithResult(o))
	}
	return shape.ProfileOf(r.op, x, sent)
}
