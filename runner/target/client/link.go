package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/answer"
	"sonde/model/match"
	"sonde/model/pointer"
)

// linkSource is a call from which a link takes its value.
type linkSource struct {
	from  *model.Operation // operation of the call
	call  model.Call       // the call as it was sent
	reply model.Reply      // the answer to the call
	to    *model.Operation // operation of the call that receives the value
}

// resolve returns the link with the place of its value, and the value. It returns false if the answer does not have
// the value. An open link does not name a place, so resolve searches for the place (the EvoMaster paper, section
// 5.2.7). A link that repeats a path parameter always has a value.
func (s linkSource) resolve(l model.Link) (model.Link, any, bool) {
	switch {
	case l.IsOpen() && s.reply.Status >= 400:
		return l, nil, false // an id in the body of an error is not the id of a resource
	case l.IsOpen():
		return s.find(l)
	case l.Param != "":
		return l, pathArg(s.call, l.Param), true
	case l.Header != "" && l.Pattern != "":
		value, ok := answer.URLPart(strings.Join(s.reply.Header[l.Header], ", "), l.Pattern)
		return l, value, ok
	case l.Header != "":
		value, ok := match.LastSegment(header(s.reply, l.Header))
		return l, value, ok
	case l.Pattern != "" && l.Pointer == model.WholeBody:
		value, ok := answer.Part(string(s.reply.Body), l.Pattern)
		return l, value, ok
	}
	body, ok := answer.Read(s.from, s.reply)
	if !ok {
		return l, nil, false
	}
	return s.inBody(l, body)
}

// inBody takes the value at the pointer of a link. If the body is not JSON, the returned link has a pattern that
// finds the value in the text of the body.
func (s linkSource) inBody(l model.Link, body answer.Body) (model.Link, any, bool) {
	value, ok := body.At(l.Pointer)
	if !ok {
		return l, nil, false
	}
	if l.Pattern != "" {
		text, isText := value.(string)
		part, ok := answer.URLPart(text, l.Pattern)
		return l, part, ok && isText
	}
	pattern, ok := body.Pattern(l.Pointer)
	if pattern != "" {
		l.Pointer, l.Pattern = model.WholeBody, pattern
	}
	return l, value, ok
}

// ApplyLink returns call with the value that a link takes from the earlier call source or its answer, reply. It
// returns call unchanged and false in three cases: neither source nor reply has the value, call has no input for the
// value, or the spec lacks one of the operations.
func ApplyLink(spec *model.Spec, l model.Link, source model.Call, reply model.Reply, call model.Call) (model.Call, bool) {
	l, value, ok := follow(spec, l, source, reply, call)
	if !ok {
		return call, false
	}
	return put(call, call, l, value)
}

// LinkHolds reports whether a call already has the value that a link would set. It also returns the
// link, with the place of the value if the earlier call or its answer has the value.
func LinkHolds(spec *model.Spec, l model.Link, source model.Call, reply model.Reply, call model.Call) (model.Link, bool) {
	l, value, ok := follow(spec, l, source, reply, call)
	if !ok {
		return l, false
	}
	has, ok := held(call, l)
	return l, ok && fmt.Sprint(has) == fmt.Sprint(value)
}

// follow returns the link l between two calls with the place of its value, and the value itself. It returns false if
// there is no value, or if the spec lacks one of the operations.
func follow(spec *model.Spec, l model.Link, from model.Call, reply model.Reply, to model.Call) (model.Link, any, bool) {
	s := linkSource{from: spec.Operation(from.Op), call: from, reply: reply, to: spec.Operation(to.Op)}
	if s.from == nil || s.to == nil {
		return l, nil, false
	}
	return s.resolve(l)
}

// held returns the value of the input that the link would set. It returns false if the call does not
// have this input.
func held(call model.Call, l model.Link) (any, bool) {
	if l.In == model.InBody {
		if call.Body == nil {
			return nil, false
		}
		if answer.IsXML(call.Body.Media) {
			at, ok := answer.FindXMLText(call.Body.Data, l.Name)
			return at.Text, ok
		}
		return at(decode([]byte(call.Body.Data)), l.Name)
	}
	i := slices.IndexFunc(call.Args, func(a model.Arg) bool { return a.In == l.In && a.Name == l.Name })
	if i < 0 {
		return nil, false
	}
	return call.Args[i].PlainValue(), true
}

// find searches for the value of an open link in the usual places: the place where the spec says that the value is, a
// field of the answer's body, and the Location header. The header comes first if the link sets the path parameter
// that identifies a created resource.
func (s linkSource) find(l model.Link) (model.Link, any, bool) {
	ways := []func(model.Link) (model.Link, any, bool){s.findHint, s.findField, s.findHeader}
	if l.In == model.InPath && creates(s.from.Path, s.to.Path, l.Name) {
		ways = []func(model.Link) (model.Link, any, bool){s.findHeader, s.findHint, s.findField}
	}
	for _, way := range ways {
		if closed, value, ok := way(l); ok {
			closed.Hint = ""
			return closed, value, true
		}
	}
	return l, nil, false
}

// creates reports whether a path has the given parameter directly after the path of a collection, as /carts/{id}/items
// has {id} after /carts. The parameter then identifies an element of the collection.
func creates(collection, path, param string) bool {
	slash := func(r rune) bool { return r == '/' }
	want, have := strings.FieldsFunc(path, slash), strings.FieldsFunc(collection, slash)
	for i, segment := range have {
		if i >= len(want) || segment != want[i] && !(strings.HasPrefix(segment, "{") && strings.HasPrefix(want[i], "{")) {
			return false
		}
	}
	return len(want) > len(have) && want[len(have)] == "{"+param+"}"
}

// findHeader takes the value from the Location or Content-Location header.
func (s linkSource) findHeader(l model.Link) (model.Link, any, bool) {
	for _, l.Header = range []string{"Location", "Content-Location"} {
		if text := header(s.reply, l.Header); text != "" {
			pattern, value, ok := answer.ElementInURL(text, s.from, s.to, l.In, l.Name)
			l.Pattern = pattern
			return l, value, ok
		}
	}
	return l, nil, false
}

// findHint takes the value from the answer's body, at the place where the spec says that the value is. The value is
// there itself, or is a part of a URL. If the pointer of the place ends with "*", the value is the first key of a
// map.
func (s linkSource) findHint(l model.Link) (model.Link, any, bool) {
	if l.Hint == "" {
		return l, nil, false
	}
	body, ok := answer.Read(s.from, s.reply)
	if !ok {
		return l, nil, false
	}
	if object, isMap := strings.CutSuffix(l.Hint, "/*"); isMap {
		l.Pointer = model.WholeBody
		var value string
		l.Pattern, value, ok = body.FirstKey(object)
		return l, value, ok
	}
	l.Pointer = l.Hint
	closed, value, ok := s.inBody(l, body)
	switch value := value.(type) {
	case string:
		if part := s.partOfURL(closed, value); part.Pattern != "" {
			id, ok := answer.URLPart(value, part.Pattern)
			return part, id, ok
		}
		return closed, value, ok
	case json.Number:
		return closed, value, ok
	}
	return l, nil, false
}

// partOfURL returns a link for text, a value in the body of an answer. If the link sets a path parameter and the text
// is a URL with the value of this parameter, the returned link has the pattern that finds the value.
func (s linkSource) partOfURL(l model.Link, text string) model.Link {
	if l.In == model.InPath && l.Pattern == "" && (strings.HasPrefix(text, "/") || strings.Contains(text, "://")) {
		l.Pattern = answer.PathPatternFor(text, s.to, l.Name)
	}
	return l
}

// findField takes the value from the field of the answer's body that is the resource's id.
func (s linkSource) findField(l model.Link) (model.Link, any, bool) {
	body, ok := answer.Read(s.from, s.reply)
	if !ok {
		return l, nil, false
	}
	place, ok := match.FindIDField(pointer.LastToken(l.Name), match.ResourceName(s.from.Path), body.Value)
	if !ok {
		return l, nil, false
	}
	l.Pointer = cmp.Or(place, model.WholeBody)
	return s.inBody(l, body)
}

func pathArg(call model.Call, name string) string {
	for _, a := range call.Args {
		if a.In == model.InPath && a.Name == name {
			return a.PlainValue()
		}
	}
	return ""
}

func header(r model.Reply, name string) string {
	if v := r.Header[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// decode parses a JSON body, with numbers as json.Number. It returns nil if the body is not JSON.
func decode(body []byte) any {
	if len(body) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// at returns the value at a JSON pointer.
func at(v any, place string) (any, bool) {
	if place == model.WholeBody {
		place = ""
	}
	return pointer.Lookup(v, place)
}

// maxInURL is the maximum length in bytes of a value that a link puts into a path, query, header or
// cookie. No usual id is longer, and servers refuse longer URLs.
const maxInURL = 2 << 10

// put returns the call that receives a link, with the link's value. It returns false if the call has no
// input for the value, or the value is too long for a URL. own is the call before any link was applied.
func put(call, own model.Call, l model.Link, value any) (model.Call, bool) {
	if l.In == model.InBody {
		return putBody(call, own, l.Name, value)
	}
	arg := model.Arg{In: l.In, Name: l.Name, Value: fmt.Sprint(value)}
	if len(arg.Value) > maxInURL {
		return call, false
	}
	call.Args = slices.Clone(call.Args)
	at := slices.IndexFunc(call.Args, func(a model.Arg) bool { return a.In == l.In && a.Name == l.Name })
	if at < 0 {
		call.Args = append(call.Args, arg)
	} else {
		call.Args[at] = call.Args[at].WithValue(arg.Value)
	}
	return call, true
}

func putBody(call, own model.Call, place string, value any) (model.Call, bool) {
	switch {
	case call.Body == nil:
		return call, false
	case strings.HasPrefix(call.Body.Media, "application/x-www-form-urlencoded"):
		return putForm(call, pointer.LastToken(place), fmt.Sprint(value)), true
	case answer.IsXML(call.Body.Media):
		return putXML(call, place, fmt.Sprint(value))
	}
	body := decode([]byte(call.Body.Data))
	parent, _ := pointer.Lookup(body, pointer.Parent(place))
	object, ok := parent.(map[string]any)
	if !ok {
		return call, false
	}
	old, _ := pointer.Lookup(decode([]byte(own.Body.Data)), place)
	object[pointer.LastToken(place)] = likewise(old, value)
	data, err := json.Marshal(body)
	call.Body = &model.Payload{Media: call.Body.Media, Data: string(data), FromFile: call.Body.FromFile}
	return call, err == nil
}

// putForm sets a field of a form. It also sorts the fields, because their order has no meaning.
func putForm(call model.Call, name, value string) model.Call {
	fields, err := url.ParseQuery(call.Body.Data)
	if err != nil {
		return call
	}
	fields.Set(name, value)
	call.Body = &model.Payload{Media: call.Body.Media, Data: fields.Encode(), FromFile: call.Body.FromFile}
	return call
}

// putXML sets the text of an element. It returns false if there is no such element, or if the value has a character
// that XML would have to escape.
func putXML(call model.Call, place, value string) (model.Call, bool) {
	at, ok := answer.FindXMLText(call.Body.Data, place)
	if !ok || strings.ContainsAny(value, "<>&") {
		return call, false
	}
	data := call.Body.Data[:at.Start] + value + call.Body.Data[at.End:]
	call.Body = &model.Payload{Media: call.Body.Media, Data: data, FromFile: call.Body.FromFile}
	return call, true
}

// likewise returns value. If value is a text and old is a number, it returns value as a number, because a value from
// a header is always a text.
func likewise(old, value any) any {
	text, isText := value.(string)
	if _, isNumber := old.(json.Number); isNumber && isText {
		if n, ok := decode([]byte(text)).(json.Number); ok && n.String() == text {
			return n
		}
	}
	return value
}
