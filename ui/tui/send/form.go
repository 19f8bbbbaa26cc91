package send

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/app/usecase"
)

// form is a request that the user fills in. The zero value is empty.
type form struct {
	op       *model.Operation // nil for an empty form
	draft    model.Test       // the initial test of the form; its last call is the request
	users    []string
	user     string // "" for anonymous
	before   bool   // also send the calls before the request
	hosts    bool   // also send the stubs of the draft
	fields   []field
	extras   []extra
	bodies   []body // one for each media type; empty if the request cannot have a body
	chosen   int    // index of the body to send
	bodyless bool   // the body is left out
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
		f.fields = append(f.fields, field{param: p})
	}
	for _, a := range call.Args {
		if i := owner(params, a); i >= 0 {
			f.fields[i].args = append(f.fields[i].args, a)
		} else {
			f.extras = append(f.extras, extra{Arg: a})
		}
	}
	for _, a := range d.Args {
		if i := owner(params, a); i >= 0 {
			f.fields[i].example = append(f.fields[i].example, a)
		}
	}
	f.setBodies(d.Bodies, call.Body)
	return f
}

// rank returns a sort key of a parameter. Required parameters come first.
func rank(p model.Parameter) int {
	if p.Required {
		return 0
	}
	return 1
}

// setBodies sets the bodies of the form: the drafts, in which the body of the request replaces the one with its media
// type.
func (f *form) setBodies(drafts []model.Payload, sent *model.Payload) {
	for _, p := range drafts {
		f.bodies = append(f.bodies, newBody(p, f.content(p.Media)))
	}
	f.bodyless = sent == nil
	if sent == nil {
		return
	}
	own := newBody(*sent, f.content(sent.Media))
	f.chosen = slices.IndexFunc(f.bodies, func(b body) bool { return baseMedia(b.media) == baseMedia(sent.Media) })
	if f.chosen < 0 {
		f.chosen, f.bodies = 0, slices.Insert(f.bodies, 0, own)
	} else {
		f.bodies[f.chosen] = own
	}
}

// content returns what the operation declares for a media type. Its zero value means nothing.
func (f *form) content(media string) model.Content {
	if f.op.Body == nil {
		return model.Content{}
	}
	for _, c := range f.op.Body.Contents {
		if baseMedia(c.Media) == baseMedia(media) {
			return c
		}
	}
	return model.Content{}
}

// empty reports whether there is no request yet.
func (f *form) empty() bool { return f.op == nil }

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

// test returns the test that the form sends. read returns the content of a file for a body.
func (f *form) test(read func(path string) (string, error)) (model.Test, error) {
	call := model.Call{Op: f.op.ID, User: f.user}
	for _, d := range f.fields {
		call.Args = append(call.Args, d.args...)
	}
	for _, e := range f.extras {
		if !e.omitted {
			call.Args = append(call.Args, e.Arg)
		}
	}
	if b := f.sentBody(); b != nil {
		payload, err := b.payload(read)
		if err != nil {
			return model.Test{}, err
		}
		call.Body = payload
	}
	return f.testOf(call), nil
}

// outline returns the test that the form sends, with the paths of files in the place of their content. If the body is
// invalid, the request has none.
func (f *form) outline() model.Test {
	t, err := f.test(func(path string) (string, error) { return path, nil })
	if err != nil {
		return f.testOf(model.Call{Op: f.op.ID, User: f.user})
	}
	return t
}

// testOf returns the test with a request, and with the calls before it if they are sent.
func (f *form) testOf(call model.Call) model.Test {
	t := model.Test{Origin: model.OriginManual}
	if f.hosts {
		t.Stubs = f.draft.Stubs
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

// uses reports whether the request still takes a value from a link. A link to the body counts if the body of the draft is
// sent. A link to a parameter counts if the user has neither typed the parameter nor left it out.
func (f *form) uses(l model.Link) bool {
	if l.In == model.InBody {
		b := f.sentBody()
		return b != nil && b.file == nil
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

// sentBody returns the body that is sent, nil if there is none.
func (f *form) sentBody() *body {
	if f.bodyless || len(f.bodies) == 0 {
		return nil
	}
	return &f.bodies[f.chosen]
}

// acceptsBody reports whether the form has a row for the body.
func (f *form) acceptsBody() bool { return len(f.bodies) > 0 || f.op.Body != nil }

// addBody sends a body. If there is no draft of one, the body is {} in the first media type that the operation declares,
// or in JSON.
func (f *form) addBody() {
	f.bodyless = false
	if len(f.bodies) > 0 {
		return
	}
	media := "application/json"
	if b := f.op.Body; b != nil && len(b.Contents) > 0 {
		media = b.Contents[0].Media
	}
	f.bodies = []body{newBody(model.Payload{Media: media, Data: "{}"}, f.content(media))}
}

// nextBody moves a number of places in the list of media types, which wraps around, and sends the body.
func (f *form) nextBody(by int) {
	n := len(f.bodies)
	f.chosen, f.bodyless = (f.chosen+by+n)%n, false
}

// snapshot returns a copy that does not change with the form.
func (f *form) snapshot() *form {
	c := *f
	c.fields, c.extras, c.bodies = slices.Clone(f.fields), slices.Clone(f.extras), slices.Clone(f.bodies)
	for i := range c.bodies {
		c.bodies[i] = *f.bodies[i].clone()
	}
	return &c
}
