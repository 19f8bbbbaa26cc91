package search

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/oracle"
)

// creatorOf returns the index and the user of the POST or PUT that created the resource of a kept call: the call that
// supplies the parameter at the end of the kept call's path. op is the operation of the kept call. creatorOf returns
// -1 if there is no such call, or if the path of op does not end in a parameter.
func creatorOf(m keptCall, op *model.Operation) (creator int, user string) {
	name, single := lastParam(op.Path)
	if !single {
		return -1, ""
	}
	for _, l := range m.test.Links {
		method, _, _ := strings.Cut(string(m.test.Calls[l.From].Op), " ")
		if l.To == m.at && l.In == model.InPath && l.Name == name && (method == "POST" || method == "PUT") {
			return l.From, m.test.Calls[l.From].User
		}
	}
	return -1, ""
}

// others returns the users of the plan except one.
func (s *securityTester) others(user string) (all []string) {
	for _, u := range s.plan.Users {
		if u.Name != user {
			all = append(all, u.Name)
		}
	}
	return all
}

// askOtherUsers asks whether another user can read, list or change what the owner created. It asks this twice: each
// of the two users is the owner once.
func (s *securityTester) askOtherUsers(ctx context.Context, m keptCall, op *model.Operation) {
	creator, owner := creatorOf(m, op)
	if creator < 0 || owner == "" {
		return
	}
	get, links, ok := s.follow.readOf(m.test, m.at, op)
	others := s.others(owner)
	if !ok || len(others) == 0 {
		return
	}
	other := others[0]
	first := s.access(m, op, owner, other, get, links)
	second := s.access(m, op, owner, other, get, links)
	for i := range second.Calls {
		switch c := &second.Calls[i]; c.User {
		case owner:
			c.User = other
		case other:
			c.User = owner
		}
	}
	second, _ = s.checker.player.renamer(nil).rename(second)
	s.play(ctx, joined(first, second))
}

// access returns a test in which the user other makes the kept call on a resource that owner created. The lists and
// reads before and after this call show whether the service separates the two users.
func (s *securityTester) access(
	m keptCall, op *model.Operation, owner, other string, get model.Call, links func(int) []model.Link,
) model.Test {
	x := extend(m)
	list := s.plan.Spec.Operation(model.OpID("GET " + collectionOf(op.Path)))
	if list != nil && !needsOnlyPath(list) {
		list = nil
	}
	as := func(c model.Call, user string) model.Call {
		c.User = user
		return c
	}
	addList := func(user string) {
		if list == nil {
			return
		}
		c := model.Call{Op: list.ID, User: user}
		for _, a := range get.Args {
			if strings.Contains(list.Path, "{"+a.Name+"}") {
				c.Args = append(c.Args, a)
			}
		}
		x.add(c, func(to int) []model.Link { return pathLinks(m.test, m.at, to, c.Args, "") })
	}
	addList(owner)
	addList(other)
	if op.Method == "GET" {
		x.add(as(get, ""), links)
	}
	x.add(as(get, owner), links)
	x.add(as(get, other), links)
	if op.Method == "GET" {
		addList(other)
		return x.test
	}
	x.again(other)
	x.add(as(get, owner), links)
	return x.test
}

// collectionOf returns a path without its last segment.
func collectionOf(path string) string { return path[:max(0, strings.LastIndex(path, "/"))] }

// joined returns a test with the calls of a, followed by those of b.
func joined(a, b model.Test) model.Test {
	n := len(a.Calls)
	a.Calls, a.Links = slices.Concat(a.Calls, b.Calls), slices.Clone(a.Links)
	for _, l := range b.Links {
		l.From, l.To = l.From+n, l.To+n
		a.Links = append(a.Links, l)
	}
	return a
}

// askRole asks whether users can call an operation that is forbidden to them.
func (s *securityTester) askRole(ctx context.Context, m keptCall, op *model.Operation) {
	for _, r := range s.plan.Restricted {
		if !slices.Contains(r.Operations, op.ID) || !slices.Contains(r.Users, m.test.Calls[m.at].User) {
			continue
		}
		for _, user := range s.others(m.test.Calls[m.at].User) {
			if slices.Contains(r.Users, user) {
				continue
			}
			x := extend(m)
			get, links, readable := s.follow.readOf(m.test, m.at, op)
			if readable = readable && op.Method == "DELETE"; readable {
				x.add(get, links)
			}
			x.again(user)
			if readable {
				x.add(get, links)
			}
			s.play(ctx, x.test)
		}
	}
}

// askOverride asks whether users can bypass a refusal of their DELETE, PUT or PATCH. The test sends a GET or POST
// that names the refused method in a header or a query parameter. It then checks whether this call has deleted or
// changed the resource.
func (s *securityTester) askOverride(ctx context.Context, m keptCall, op *model.Operation) {
	creator, owner := creatorOf(m, op)
	get, links, ok := s.follow.readOf(m.test, m.at, op)
	if op.Method != "DELETE" && op.Method != "PUT" && op.Method != "PATCH" || creator < 0 || !ok {
		return
	}
	callers := append([]string{""}, s.others(owner)...)
	for _, method := range []string{"GET", "POST"} {
		carrier := s.plan.Spec.Operation(model.OpID(method + " " + op.Path))
		if carrier == nil || !needsOnlyPath(carrier) {
			continue
		}
		for _, user := range callers[:min(len(callers), 2)] {
			x := extend(m)
			x.again(user)
			by := m.test.Calls[m.at]
			by.Op, by.User, by.Args = carrier.ID, user, get.Args
			carry := func(c model.Call) {
				x.add(c, func(to int) []model.Link { return append(links(to), bodyLinks(m.test, m.at, to)...) })
				x.add(get, links)
			}
			carry(by)
			for _, name := range oracle.OverrideHeaders {
				carry(withArg(by, model.Arg{In: model.InHeader, Name: name, Value: op.Method}))
			}
			carry(withArg(by, model.Arg{In: model.InQuery, Name: oracle.OverrideParam, Value: op.Method}))
			s.play(ctx, x.test)
		}
	}
}

// bodyLinks returns copies of the links into the body of one call of a test, changed to lead into the body of another
// call. from and to are the indexes of the two calls.
func bodyLinks(t model.Test, from, to int) []model.Link {
	return slices.DeleteFunc(movedLinks(t, from, to), func(l model.Link) bool { return l.In != model.InBody })
}

func withArg(c model.Call, a model.Arg) model.Call {
	c.Args = append(slices.Clip(c.Args), a)
	return c
}

// maxAssigned bounds the properties that one test tries to assign.
const maxAssigned = 4

// askAssignment asks whether a write can set properties that clients must not set. As a control, the test first makes
// the write without these properties.
func (s *securityTester) askAssignment(ctx context.Context, m keptCall, op *model.Operation) {
	if op.Method != "POST" && op.Method != "PUT" && op.Method != "PATCH" || m.test.Calls[m.at].Body == nil {
		return
	}
	get, links, shown, ok := s.readAfter(m, op)
	if !ok {
		return
	}
	x := extend(m)
	user := m.test.Calls[m.at].User
	write := func(c model.Call) {
		at := x.add(c, func(to int) []model.Link { return movedLinks(m.test, m.at, to) })
		x.add(get, func(to int) []model.Link { return links(at, to) })
	}
	plain := m.test.Calls[m.at]
	write(plain)
	assigned := 0
	for _, p := range oracle.Assignable(op, s.plan.Spec.Operation(get.Op)) {
		value, ok := assignedValue(p, shown[p.Name])
		if !ok || assigned == maxAssigned {
			continue
		}
		c := s.freshCall(plain)
		if c.Body, ok = withProperty(c.Body, "/"+pointer.Escape(p.Name), value); ok {
			c.User = user
			write(c)
			assigned++
		}
	}
	if assigned > 0 {
		s.play(ctx, x.test)
	}
}

// freshCall returns a POST with fresh values, so that the POST may create another resource. It returns calls with
// other methods unchanged.
func (s *securityTester) freshCall(c model.Call) model.Call {
	if !strings.HasPrefix(string(c.Op), "POST ") {
		return c
	}
	own, _ := s.checker.player.renamer(nil).rename(model.Test{Calls: []model.Call{c}})
	return own.Calls[0]
}

// readAfter returns a GET that shows what a write has written. The function links returns the links into this GET,
// given the indexes of the write and of the GET. shown is the object in the kept answer to the GET, nil if there is
// none.
func (s *securityTester) readAfter(m keptCall, op *model.Operation) (
	get model.Call, links func(write, to int) []model.Link, shown map[string]any, ok bool,
) {
	if op.Method != "POST" {
		read, into, ok := s.follow.readOf(m.test, m.at, op)
		return read, func(_, to int) []model.Link { return into(to) }, s.shownBy(read.Op), ok
	}
	for _, other := range s.plan.Spec.Operations {
		read, known := s.calls[other.ID]
		if !known || other.Method != "GET" || collectionOf(other.Path) != strings.TrimSuffix(op.Path, "/") || !needsOnlyPath(other) {
			continue
		}
		creator, _ := creatorOf(read, other)
		if creator < 0 || read.test.Calls[creator].Op != op.ID {
			continue
		}
		name, _ := lastParam(other.Path)
		own := slices.IndexFunc(read.test.Links, func(l model.Link) bool { return l.To == read.at && l.Name == name && l.From == creator })
		get = model.Call{Op: other.ID, User: m.test.Calls[m.at].User}
		for _, a := range read.test.Calls[read.at].Args {
			if a.In == model.InPath {
				get.Args = append(get.Args, a)
			}
		}
		return get, func(write, to int) []model.Link {
			l := read.test.Links[own]
			l.From, l.To = write, to
			return append(pathLinks(m.test, m.at, to, get.Args, name), l)
		}, s.shownBy(other.ID), true
	}
	return get, nil, nil, false
}

// shownBy returns the JSON object in the answer of the kept call of an operation, nil if there is none.
func (s *securityTester) shownBy(op model.OpID) map[string]any {
	object, _ := decodeJSON(string(s.calls[op].exchange.Reply.Body)).(map[string]any)
	return object
}

// assignedTexts are the values that a test tries to assign to strings, by the format of the schema.
var assignedTexts = map[string]string{
	"":      "sonde-assigned",
	"date":  "2001-02-03",
	"uuid":  "0b5e0c1a-7c1e-4b6e-9d55-5d0c11aa77ee",
	"email": "sonde@assigned.example",
	"uri":   "http://assigned.example/",

	"date-time": "2001-02-03T04:05:06Z",
}

// assignedValue returns a value of a property that most likely differs from the one that the service shows. It returns
// false if there is none.
func assignedValue(p model.Property, shown any) (value any, ok bool) {
	for _, v := range p.Schema.Enum {
		if v != shown {
			return v, true
		}
	}
	if len(p.Schema.Enum) > 0 {
		return nil, false
	}
	switch p.Schema.Type {
	case "string":
		text, known := assignedTexts[p.Schema.Format]
		return text, known && text != shown
	case "integer", "number":
		return json.Number("7654321"), true
	case "boolean":
		return shown != true, true
	case "array":
		return []any{"admin"}, p.Schema.Items != nil && p.Schema.Items.Type == "string"
	}
	return nil, false
}
