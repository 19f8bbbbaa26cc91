package send

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/app/usecase"
)

// form is a request that the user fills in. The zero value is empty.
type form struct {
	op     *model.Operation // nil for an empty form
	draft  model.Test       // the initial test of the form; its last call is the request
	users  []string
	user   string // "" for anonymous
	before bool   // also send the calls before the request
	hosts  bool   // also send the stubs of the draft
	fields []field
	body   *model.Payload // nil if no body is sent
}

// field is a parameter outside the body.
type field struct {
	param model.Parameter
	args  []model.Arg // empty if the parameter is left out
	typed bool        // the user typed the value: no link provides it
}

// newForm returns the form for an operation, with the values of a draft.
func newForm(op *model.Operation, d usecase.RequestDraft) form {
	f := form{
		op:     op,
		draft:  d.Test,
		users:  d.Users,
		before: len(d.Test.Calls) > 1 && !d.Ready,
		hosts:  len(d.Test.Stubs) > 0,
	}
	call := d.Test.Calls[len(d.Test.Calls)-1]
	f.user = call.User
	params := slices.Clone(op.Params)
	slices.SortStableFunc(params, func(a, b model.Parameter) int { return rank(a) - rank(b) })
	for _, p := range params {
		f.fields = append(f.fields, field{param: p, args: argsOf(call, p)})
	}
	if call.Body != nil {
		f.body = &model.Payload{Media: call.Body.Media, Data: indented(call.Body.Data)}
	}
	return f
}

// rank returns a sort key of a parameter. Required parameters come first.
func rank(p model.Parameter) int {
	if p.Required {
		return 0
	}
	return 1
}

func argsOf(c model.Call, p model.Parameter) (all []model.Arg) {
	for _, a := range c.Args {
		if a.In == p.In && a.Name == p.Name {
			all = append(all, a)
		}
	}
	return all
}

// empty reports whether there is no request yet.
func (f *form) empty() bool { return f.op == nil }

// indented returns indented JSON. It returns any other text unchanged.
func indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// text returns the field's value in the form in which the user types it. Commas separate the values of a
// list.
func (d field) text() string {
	var all []string
	for _, a := range d.args {
		all = append(all, a.PlainValue())
	}
	return strings.Join(all, ",")
}

// set sets the field to a typed text. A list that is sent as several values stays a list.
func (d *field) set(text string) {
	d.typed = true
	if len(d.args) > 1 {
		one := d.args[0]
		d.args = nil
		for part := range strings.SplitSeq(text, ",") {
			d.args = append(d.args, one.WithValue(part))
		}
		return
	}
	if len(d.args) == 1 {
		d.args = []model.Arg{d.args[0].WithValue(text)}
		return
	}
	d.args = []model.Arg{{In: d.param.In, Name: d.param.Name, Value: text}}
}

// toggle leaves out an optional field. If the field is left out already, toggle sends it with an example value.
func (d *field) toggle() {
	switch {
	case len(d.args) > 0 && !d.param.Required:
		d.args = nil
	case len(d.args) == 0:
		d.set(example(d.param.Schema))
	}
}

// example returns an initial value for a field: an example from the document or, if the document has no example, the
// simplest value of the schema's type. It returns "" if the type has no simple value.
func example(s *model.Schema) string {
	for _, v := range slices.Concat([]any{s.Const}, s.Examples, []any{s.Default}, s.Enum) {
		if v != nil {
			return parameterText(v)
		}
	}
	switch {
	case s.Type == "array" && s.Items != nil && s.Items.Type != "array":
		return example(s.Items)
	case s.Type == "boolean":
		return "true"
	case s.Type == "integer" || s.Type == "number":
		return number(s)
	}
	return ""
}

// number returns the minimum of a schema, or the minimum plus 1 if the minimum is exclusive. It returns 1 if the
// schema has no minimum.
func number(s *model.Schema) string {
	switch {
	case s.Min == nil:
		return "1"
	case s.ExclusiveMin:
		return parameterText(*s.Min + 1)
	}
	return parameterText(*s.Min)
}

// parameterText formats a value as a parameter: as JSON, but without quotes around a string.
func parameterText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, _ := json.Marshal(v) // cannot fail, because the value was parsed from a document
	return string(text)
}

// provider returns the operation whose answer provides the value of a field. It returns "" if there is no
// link, if the user typed the value, or if the calls before the request are not sent.
func (f *form) provider(d field) model.OpID {
	if !f.before || d.typed {
		return ""
	}
	for _, l := range f.links() {
		if l.In == d.param.In && l.Name == d.param.Name {
			return f.draft.Calls[l.From].Op
		}
	}
	return ""
}

// links returns the links to values of the request.
func (f *form) links() (all []model.Link) {
	for _, l := range f.draft.Links {
		if l.To == len(f.draft.Calls)-1 {
			all = append(all, l)
		}
	}
	return all
}

// linkedInBody returns a text for each value of the body that a link provides. The text has the name of the value,
// and the operation whose answer has the value. It returns nil if the calls before the request are not sent, because
// links then provide no values.
func (f *form) linkedInBody() (all []string) {
	for _, l := range f.links() {
		if f.before && l.In == model.InBody {
			all = append(all, pointer.LastToken(l.Name)+" from "+string(f.draft.Calls[l.From].Op))
		}
	}
	return all
}

// setUp returns the operations of the calls before the request.
func (f *form) setUp() model.Seq {
	seq := f.draft.Seq()
	return seq[:len(seq)-1]
}

// test returns the test that the form sends.
func (f *form) test() model.Test {
	t := model.Test{Origin: model.OriginManual}
	if f.hosts {
		t.Stubs = f.draft.Stubs
	}
	call := model.Call{Op: f.op.ID, User: f.user, Body: f.body}
	for _, d := range f.fields {
		call.Args = append(call.Args, d.args...)
	}
	if !f.before {
		t.Calls = []model.Call{call}
		return t
	}
	last := len(f.draft.Calls) - 1
	t.Calls = append(slices.Clone(f.draft.Calls[:last]), call)
	for i := range t.Calls[:last] {
		if user := f.setUpUser(); user != "" && t.Calls[i].User == user {
			t.Calls[i].User = cmp.Or(f.user, user)
		}
	}
	for _, l := range f.draft.Links {
		if l.To < last || f.uses(l) {
			t.Links = append(t.Links, l)
		}
	}
	return t
}

// setUpUser returns the user of the draft's request. If the request is anonymous, it returns the user of the last
// call before the request that has a user. The user of the form replaces the returned user in all calls.
func (f *form) setUpUser() string {
	for _, c := range slices.Backward(f.draft.Calls) {
		if c.User != "" {
			return c.User
		}
	}
	return ""
}

// uses reports whether the request still takes a value from a link. A link to the body counts if there is a body. A
// link to a parameter counts if the user has neither typed the parameter nor left it out.
func (f *form) uses(l model.Link) bool {
	if l.In == model.InBody {
		return f.body != nil
	}
	return slices.ContainsFunc(f.fields, func(d field) bool {
		return d.param.In == l.In && d.param.Name == l.Name && !d.typed && len(d.args) > 0
	})
}

// nextUser moves a number of places in the list of users, which wraps around. The list includes anonymous.
func (f *form) nextUser(by int) {
	all := append([]string{""}, f.users...)
	i := slices.Index(all, f.user) + by
	f.user = all[(i+len(all))%len(all)]
}

// acceptsBody reports whether the operation can have a body.
func (f *form) acceptsBody() bool { return f.body != nil || f.op.Body != nil }

// addBody adds the body {} in the first media type that the operation declares. If it declares none, the media type
// is JSON.
func (f *form) addBody() {
	media := "application/json"
	if b := f.op.Body; b != nil && len(b.Contents) > 0 {
		media = b.Contents[0].Media
	}
	f.body = &model.Payload{Media: media, Data: "{}"}
}
