package send

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/tui/screen"
)

// form is a request while it is made.
type form struct {
	op     *model.Operation
	draft  model.Test // as it came; its last call is the request
	users  []string
	user   string
	before bool // the calls before it are sent, too
	hosts  bool // what hosts answer as in a search's test is in force
	fields []field
	body   *model.Payload // nil where none is sent
}

// field is a parameter outside the body.
type field struct {
	param model.Parameter
	args  []model.Arg // none where it is left out
	typed bool        // by the person, so that it is no link's any more
}

// newForm fills a form.
func newForm(op *model.Operation, d screen.RequestDraft) form {
	f := form{op: op, draft: d.Test, users: d.Users, before: len(d.Test.Calls) > 1 && !d.Ready, hosts: len(d.Test.Stubs) > 0}
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

// rank puts what is required first.
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

// empty tells that no request came yet.
func (f *form) empty() bool { return f.op == nil }

// indented is JSON with indents, and any other text as it is.
func indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// text is the field's value as a person types it: of a list one behind the other.
func (d field) text() string {
	var all []string
	for _, a := range d.args {
		all = append(all, a.PlainValue())
	}
	return strings.Join(all, ",")
}

// take gives the field what was typed. A list that is sent as several values stays
// one.
func (d *field) take(text string) {
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

// toggle leaves an optional value out, or sends it.
func (d *field) toggle() {
	switch {
	case len(d.args) > 0 && !d.param.Required:
		d.args = nil
	case len(d.args) == 0:
		d.take(example(d.param.Schema))
	}
}

// example is a value with which a person may begin: one of the document's, or else the
// plainest of the kind.
func example(s *model.Schema) string {
	for _, v := range slices.Concat([]any{s.Const}, s.Examples, []any{s.Default}, s.Enum) {
		if v != nil {
			return written(v)
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

// number is the least that a schema allows, or else 1.
func number(s *model.Schema) string {
	switch {
	case s.Min == nil:
		return "1"
	case s.ExclusiveMin:
		return written(*s.Min + 1)
	}
	return written(*s.Min)
}

// written is a value as a parameter has it: a text without quotes.
func written(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, _ := json.Marshal(v) // what a document holds can be written
	return string(text)
}

// from is the operation before the request whose answer gives the field its value, ""
// for none.
func (f *form) from(d field) model.OpID {
	if !f.before || d.typed {
		return ""
	}
	return f.giver(d.param.In, d.param.Name)
}

func (f *form) giver(in model.Location, name string) model.OpID {
	for _, l := range f.links() {
		if l.In == in && l.Name == name {
			return f.draft.Calls[l.From].Op
		}
	}
	return ""
}

// links are those into the request.
func (f *form) links() (all []model.Link) {
	for _, l := range f.draft.Links {
		if l.To == len(f.draft.Calls)-1 {
			all = append(all, l)
		}
	}
	return all
}

// given names what of the body comes from calls before.
func (f *form) given() (all []string) {
	for _, l := range f.links() {
		if f.before && l.In == model.InBody {
			all = append(all, pointer.LastToken(l.Name)+" from "+string(f.draft.Calls[l.From].Op))
		}
	}
	return all
}

// setUp are the operations of the calls before.
func (f *form) setUp() model.Seq {
	seq := f.draft.Seq()
	return seq[:len(seq)-1]
}

// test is the request as it is to be sent.
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
		if was := f.sender(); was != "" && t.Calls[i].User == was {
			t.Calls[i].User = cmp.Or(f.user, was)
		}
	}
	for _, l := range f.draft.Links {
		if l.To < last || f.takes(l) {
			t.Links = append(t.Links, l)
		}
	}
	return t
}

// sender is the user whose request it was, or where that asks for none whose the calls
// before it were: they are sent by whoever sends the request.
func (f *form) sender() string {
	for _, c := range slices.Backward(f.draft.Calls) {
		if c.User != "" {
			return c.User
		}
	}
	return ""
}

// takes reports whether a link into the request still gives it something: what a person
// typed is theirs.
func (f *form) takes(l model.Link) bool {
	if l.In == model.InBody {
		return f.body != nil
	}
	return slices.ContainsFunc(f.fields, func(d field) bool {
		return d.param.In == l.In && d.param.Name == l.Name && !d.typed && len(d.args) > 0
	})
}

// users to choose from, nobody among them.
func (f *form) choices() []string { return append([]string{""}, f.users...) }

// turn goes on to another user.
func (f *form) turn(by int) {
	all := f.choices()
	i := slices.Index(all, f.user) + by
	f.user = all[(i+len(all))%len(all)]
}

// takesBody reports whether the operation knows a body.
func (f *form) takesBody() bool { return f.body != nil || f.op.Body != nil }

// begin gives the request a body, of the first media type that the operation takes.
func (f *form) begin() {
	media := "application/json"
	if b := f.op.Body; b != nil && len(b.Contents) > 0 {
		media = b.Contents[0].Media
	}
	f.body = &model.Payload{Media: media, Data: "{}"}
}
