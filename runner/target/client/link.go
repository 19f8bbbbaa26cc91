package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// linkSource is the source of a link: an operation, its call as it was sent, and the answer; and
// the operation that takes the value.
type linkSource struct {
	from  *model.Operation
	call  model.Call
	reply model.Reply
	to    *model.Operation
}

// resolve finds the value of a link. An open link, which does not name its source, becomes a
// closed one (the EvoMaster paper, section 5.2.7).
func (c linkSource) resolve(l model.Link) (model.Link, any, bool) {
	switch {
	case l.IsOpen():
		return c.find(l)
	case l.Param != "":
		return l, pathArg(c.call, l.Param), true
	case l.Header != "":
		value, ok := match.LastSegment(header(c.reply, l.Header))
		return l, value, ok
	}
	value, ok := at(decode(c.reply.Body), l.Pointer)
	return l, value, ok
}

// ApplyLink sets in a call the value that a link takes from an earlier call and its answer. It
// returns false if the answer does not have the value.
func ApplyLink(spec *model.Spec, l model.Link, from model.Call, reply model.Reply, call model.Call) (model.Call, bool) {
	l, value, ok := follow(spec, l, from, reply, call)
	if !ok {
		return call, false
	}
	return put(call, call, l, value)
}

// LinkHolds reports whether a call already has the value that a link would set, and returns the
// link closed.
func LinkHolds(spec *model.Spec, l model.Link, from model.Call, reply model.Reply, call model.Call) (model.Link, bool) {
	l, value, ok := follow(spec, l, from, reply, call)
	if !ok {
		return l, false
	}
	has, ok := held(call, l)
	return l, ok && fmt.Sprint(has) == fmt.Sprint(value)
}

// follow finds the value of a link between two calls of a spec.
func follow(spec *model.Spec, l model.Link, from model.Call, reply model.Reply, to model.Call) (model.Link, any, bool) {
	c := linkSource{from: spec.Operation(from.Op), call: from, reply: reply, to: spec.Operation(to.Op)}
	if c.from == nil || c.to == nil {
		return l, nil, false
	}
	return c.resolve(l)
}

// held returns the value that a call has at the target of a link.
func held(call model.Call, l model.Link) (any, bool) {
	if l.In == model.InBody {
		if call.Body == nil {
			return nil, false
		}
		return at(decode([]byte(call.Body.Data)), l.Name)
	}
	i := slices.IndexFunc(call.Args, func(a model.Arg) bool { return a.In == l.In && a.Name == l.Name })
	if i < 0 {
		return nil, false
	}
	return call.Args[i].PlainValue(), true
}

// find tries the usual sources of an open link. The ID of a created resource is rather in the
// Location header; any other value is rather a field of the body, as is a value that goes into a
// body, because there it has its JSON type.
func (c linkSource) find(l model.Link) (model.Link, any, bool) {
	ways := []func(model.Link) (model.Link, any, bool){c.findField, c.findHeader}
	if l.In == model.InPath && creates(c.from.Path, c.to.Path, l.Name) {
		slices.Reverse(ways)
	}
	for _, way := range ways {
		if closed, value, ok := way(l); ok {
			return closed, value, true
		}
	}
	return l, nil, false
}

// creates reports whether a path parameter names an element of the collection at another path.
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

func (c linkSource) findHeader(l model.Link) (model.Link, any, bool) {
	l.Header = "Location"
	value, ok := match.LastSegment(header(c.reply, l.Header))
	return l, value, ok
}

func (c linkSource) findField(l model.Link) (model.Link, any, bool) {
	body := decode(c.reply.Body)
	if body == nil {
		return l, nil, false
	}
	place, ok := match.FindIDField(pointer.LastToken(l.Name), match.ResourceName(c.from.Path), body)
	l.Pointer = place
	if place == "" {
		l.Pointer = model.WholeBody
	}
	if !ok {
		return l, nil, false
	}
	value, ok := at(body, l.Pointer)
	return l, value, ok
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

// decode reads a JSON body, with numbers as json.Number; nil if it is not JSON.
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

// at returns the value at a link's pointer.
func at(v any, place string) (any, bool) {
	if place == model.WholeBody {
		place = ""
	}
	return pointer.Lookup(v, place)
}

// maxInURL is the maximum length of a value that a link puts into a URL. IDs are shorter, and
// servers refuse URLs of more than a few thousand bytes; a field of an answer may have a
// megabyte.
const maxInURL = 2 << 10

// put sets the value of a link in the call that takes it, and returns false if the call has no
// place for it. own is the call before any link was applied.
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
	call.Body = &model.Payload{Media: call.Body.Media, Data: string(data)}
	return call, err == nil
}

// putForm sets a field of a form. The fields come out sorted; their order has no meaning.
func putForm(call model.Call, name, value string) model.Call {
	fields, err := url.ParseQuery(call.Body.Data)
	if err != nil {
		return call
	}
	fields.Set(name, value)
	call.Body = &model.Payload{Media: call.Body.Media, Data: fields.Encode()}
	return call
}

// likewise returns the value as a number if the old one is a number: a value from a header is
// always text.
func likewise(old, value any) any {
	text, isText := value.(string)
	if _, isNumber := old.(json.Number); isNumber && isText {
		if n, ok := decode([]byte(text)).(json.Number); ok && n.String() == text {
			return n
		}
	}
	return value
}
