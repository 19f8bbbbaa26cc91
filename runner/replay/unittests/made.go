package unittests

import (
	"errors"
	"fmt"
	"go/types"
	"strings"

	"sonde/assets/probe/sondevalue"
)

// maker returns the exported function by which the package of a struct makes one that writes an answer, such as
// func CreateTestContext(http.ResponseWriter) (*Context, *Engine). It returns nil if there is none, or more than one.
func (l *literals) maker(t types.Type) *types.Func {
	named, is := types.Unalias(t).(*types.Named)
	if !is || named.Obj().Pkg() == nil || named.Obj().Pkg() == l.file.pkg || named.TypeArgs() != nil {
		return nil
	}
	var found *types.Func
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		f, is := scope.Lookup(name).(*types.Func)
		if !is || !f.Exported() || !makes(f.Signature(), named) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// makes reports whether functions with a signature make a struct for a response writer.
func makes(sig *types.Signature, of *types.Named) bool {
	if sig.TypeParams() != nil || sig.Params().Len() != 1 || sig.Results().Len() == 0 || sig.Variadic() {
		return false
	}
	return types.TypeString(sig.Params().At(0).Type(), nil) == responseType &&
		types.Identical(sig.Results().At(0).Type(), types.NewPointer(of))
}

// made declares a struct that a maker makes, and sets its exported fields. It checks what is written to its response.
func (b *testBuilder) made(v, content sondevalue.Value, f *types.Func, m memory) (string, error) {
	t := f.Signature().Results().At(0).Type().Underlying().(*types.Pointer).Elem()
	structure := t.Underlying().(*types.Struct)
	writer := b.variable("w")
	b.setup = append(b.setup, writer+" := "+b.file.imports.std("net/http/httptest")+".NewRecorder()")
	name := b.variable(strings.ToLower(b.lits.prefer[len(b.lits.prefer)-1]))
	call := b.file.imports.qualify(f.Pkg()) + f.Name() + "(" + writer + ")"
	b.setup = append(b.setup, name+strings.Repeat(", _", f.Signature().Results().Len()-1)+" := "+call)
	b.lits.variables[v.Ref] = name
	for field := range structure.Fields() {
		value := fieldOf(content, field.Name())
		if !field.Exported() || value.Kind == sondevalue.Zero {
			continue
		}
		if value.Kind == sondevalue.Mock && len(value.Elems) == 1 {
			after, _ := b.after.at(v.Ref)
			if written := fieldOf(after, field.Name()); len(written.Elems) == 1 {
				if err := b.answer(writer, value.Elems[0], written.Elems[0]); err != nil {
					return "", err
				}
			}
			continue
		}
		if err := b.setField(name, field, value, m); err != nil {
			return "", err
		}
	}
	return name, nil
}

// setField sets a field of a made struct. Of a map, it sets the entries. Values of hidden types are set by a function of
// their package, if there is one.
func (b *testBuilder) setField(name string, field *types.Var, value sondevalue.Value, m memory) error {
	at := name + "." + field.Name()
	if b.optional.needless[at] {
		return nil // variables in its expression would not be used
	}
	content, _ := m.at(value.Ref)
	u, isMap := field.Type().Underlying().(*types.Map)
	if !isMap || content.Kind != sondevalue.Map {
		if value.Kind == sondevalue.Slice && len(content.Elems) == 0 || !b.file.types.visible(field.Type()) {
			return nil
		}
		text, err := b.lits.as(field.Name(), func() (string, error) { return b.lits.expr(value, field.Type(), m) })
		if err == nil {
			b.setOptional(at, at+" = "+text)
		}
		return err
	}
	var known []sondevalue.Entry
	for _, e := range sortedEntries(content.Entries) {
		if line := b.registration(name, e, m); line != "" {
			b.setOptional(at+" "+e.Key.Text, line)
			continue
		}
		if _, err := b.lits.expr(e.Value, u.Elem(), m); err == nil {
			known = append(known, e)
		}
	}
	if len(known) == 0 {
		return nil
	}
	text, err := b.lits.expr(sondevalue.Value{Kind: sondevalue.Map, Entries: known}, field.Type(), m)
	if err != nil {
		return err
	}
	line := at + " = " + text
	if len(known) < len(content.Entries) { // it may have entries that functions have set
		line = b.file.imports.std("maps") + ".Copy(" + at + ", " + text + ")"
	}
	b.setOptional(at, line)
	return nil
}

// registration returns the call by which the package of a hidden type adds a value of it to a made struct, such as
// auth.RegisterUser(ctx, user): the parameter has the name of the only field that is set. It returns "" if there is none.
func (b *testBuilder) registration(to string, e sondevalue.Entry, m memory) string {
	content, ok := m.at(e.Value.Ref)
	if _, err := b.file.types.find(e.Value.Type); err == nil || !ok || len(content.Fields) != 1 {
		return ""
	}
	path := strings.TrimLeft(e.Value.Type, "*")
	p := b.file.types.packages[path[:max(strings.LastIndexByte(path, '.'), 0)]]
	if p == nil {
		return ""
	}
	field, found := content.Fields[0], ""
	for _, name := range p.Scope().Names() {
		f, is := p.Scope().Lookup(name).(*types.Func)
		if !is || !f.Exported() || f.Signature().Params().Len() != 2 || f.Signature().Results().Len() != 0 ||
			f.Signature().Params().At(1).Name() != field.Name || b.lits.maker(pointed(f.Signature().Params().At(0).Type())) == nil {
			continue
		}
		value, err := b.lits.expr(field.Value, f.Signature().Params().At(1).Type(), m)
		if err != nil || found != "" {
			return ""
		}
		found = b.lits.set(f, to, value)
	}
	return found
}

// pointed returns the type to which a pointer points, and other types as they are.
func pointed(t types.Type) types.Type {
	if p, is := t.Underlying().(*types.Pointer); is {
		return p.Elem()
	}
	return t
}

// inner returns the variable of a request that is within another value. The body is what the function has read of it.
func (b *testBuilder) inner(v sondevalue.Value, m memory) (string, error) {
	id := fieldOf(v, "URL").Ref // copies of a request have the same URL
	if id == 0 {
		return "", errors.New("the URL of a request was not read")
	}
	if name := b.requests[id]; name != "" {
		return name, nil
	}
	name, err := b.newRequest(b.variable("r"), v, b.read(id), m)
	if err == nil {
		b.requests[id] = name
	}
	return name, err
}

// read returns what the function has read of the body of a request.
func (b *testBuilder) read(id int) (body []byte) {
	var search func(v sondevalue.Value)
	search = func(v sondevalue.Value) {
		if v.Kind == sondevalue.Request && fieldOf(v, "URL").Ref == id && len(v.Bytes) > len(body) {
			body = v.Bytes
		}
		for _, f := range v.Fields {
			search(f.Value)
		}
		for _, e := range v.Elems {
			search(e)
		}
	}
	for _, v := range b.inv.After.Objects {
		search(v)
	}
	return body
}

// answer checks what the function writes to a recorder.
func (b *testBuilder) answer(recorder string, before, after sondevalue.Value) error {
	if before.Text != "" && before.Text != "?" || before.Ref > 0 {
		return errors.New("the response was begun before the function")
	}
	if integer.MatchString(after.Text) {
		b.check(statusLabel, 1, fmt.Sprintf("unitEqual(t, %q, %s.Code, %s)", statusLabel, recorder, after.Text))
	}
	switch body := string(after.Bytes); {
	case body != "" && len(body) <= maxBody:
		b.check(bodyLabel, 1, fmt.Sprintf("unitEqual(t, %q, %s.Body.String(), %s)", bodyLabel, recorder, quoted(body)))
	case after.Ref >= 0:
		b.check(lengthLabel, 1, fmt.Sprintf("unitEqual(t, %q, %s.Body.Len(), %d)", lengthLabel, recorder, after.Ref))
	}
	return nil
}

// recorder returns the variable of a response writer within another value.
func (b *testBuilder) recorder(v sondevalue.Value) string {
	if b.recorders[v.Instance] == "" {
		b.recorders[v.Instance] = b.variable("w")
		b.setup = append(b.setup, b.recorders[v.Instance]+" := "+b.file.imports.std("net/http/httptest")+".NewRecorder()")
	}
	return b.recorders[v.Instance]
}
