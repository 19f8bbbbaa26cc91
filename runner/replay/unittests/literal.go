package unittests

import (
	"bytes"
	"errors"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/assets/probe/sondevalue"
)

// memory has the variables to which values refer: the newest state first.
type memory []map[int]sondevalue.Value

func (m memory) at(ref int) (sondevalue.Value, bool) {
	for _, objects := range m {
		if v, ok := objects[ref]; ok {
			return v, true
		}
	}
	return sondevalue.Value{}, false
}

// literals writes recorded values as Go expressions for one test.
type literals struct {
	file  *fileBuilder
	calls string // the variable with the expected calls
	// mocks are the names of the objects that mocks replace, by instance, and slots the types of the variables that have them.
	mocks  map[int]string
	slots  map[int]types.Type
	called map[int]bool    // the instances that are called
	used   map[string]bool // names of mocks
	// variables are the names of the variables to which pointers point, by Ref.
	variables map[int]string
	open      map[int]bool // variables that are being written, to end cycles
	// frozen reports whether objects that were not seen before must not become mocks.
	frozen bool
	// contents reports whether pointers to variables of the test are written with what they point to, for comparisons.
	contents bool
	// refers reports whether a variable of the test was written.
	refers bool
	// request writes a request within another value, and made a struct that a function of its package makes.
	request func(sondevalue.Value, memory) (string, error)
	made    func(v, content sondevalue.Value, f *types.Func, m memory) (string, error)
	// recorder writes a response writer within another value.
	recorder func(sondevalue.Value) string
	// partial reports whether a struct was written without its hidden fields.
	partial bool
	// prefer are names for mocks, the innermost last: the names of the fields and parameters that lead to a value.
	prefer []string
	// inputs are not nil while fields are written that the test may not need, and path leads to these fields.
	inputs *optionalInputs
	path   string
}

func newLiterals(f *fileBuilder) *literals {
	return &literals{
		file: f, calls: "calls", mocks: map[int]string{}, slots: map[int]types.Type{}, called: map[int]bool{},
		used: map[string]bool{}, variables: map[int]string{}, open: map[int]bool{},
	}
}

// as writes with a name for mocks.
func (l *literals) as(name string, write func() (string, error)) (string, error) {
	l.prefer = append(l.prefer, name)
	defer func() { l.prefer = l.prefer[:len(l.prefer)-1] }()
	return write()
}

var errCycle = errors.New("its values refer to each other in a circle")

// expr returns an expression that can be assigned to a variable of type t.
func (l *literals) expr(v sondevalue.Value, t types.Type, m memory) (string, error) {
	if v.Kind == sondevalue.Unread {
		if c, is := t.Underlying().(*types.Chan); is && l.file.types.visible(c.Elem()) {
			l.partial = true
			return fmt.Sprintf("make(%s, 16)", l.file.imports.typeName(t)), nil
		}
		return "", fmt.Errorf("a value is %s", v.Text)
	}
	if types.IsInterface(t) {
		return l.inInterface(v, t, m)
	}
	if !l.file.types.visible(t) {
		return "", fmt.Errorf("the type %s is hidden", t)
	}
	switch v.Kind {
	case sondevalue.Zero:
		return l.zero(t), nil
	case sondevalue.Time:
		return l.time(v.Text)
	case sondevalue.Marshal:
		return l.marshalled(v, t)
	case sondevalue.Pointer:
		return l.pointer(v, t, m)
	case sondevalue.Slice, sondevalue.MapRef:
		content, ok := m.at(v.Ref)
		if !ok || l.open[v.Ref] {
			return "", errCycle
		}
		l.open[v.Ref] = true
		defer delete(l.open, v.Ref)
		return l.expr(content, t, m)
	case sondevalue.Func:
		return l.function(v, t)
	case sondevalue.Request:
		if l.request == nil || l.frozen {
			return "", errors.New("a request is within another value")
		}
		l.refers = true
		return l.request(v, m)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if text := l.duration(v, t); text != "" {
			return text, nil
		}
		return l.basic(v, u)
	case *types.Slice:
		return l.list(v, t, u.Elem(), m)
	case *types.Array:
		return l.list(v, t, u.Elem(), m)
	case *types.Map:
		return l.mapping(v, t, u, m)
	case *types.Struct:
		return l.structure(v, t, u, m)
	}
	return "", fmt.Errorf("a %s cannot be written", t)
}

// typed returns an expression whose type is t wherever it is written, such as int64(5).
func (l *literals) typed(v sondevalue.Value, t types.Type, m memory) (string, error) {
	text, err := l.expr(v, t, m)
	if err != nil || types.IsInterface(t) {
		return text, err
	}
	if b, is := types.Unalias(t).(*types.Basic); is && v.Kind != sondevalue.Zero || is && b.Kind() == types.String {
		switch b.Kind() {
		case types.Int, types.String, types.Bool:
			return text, nil
		}
	}
	name := l.file.imports.typeName(t)
	switch t.Underlying().(type) {
	case *types.Basic:
		if l.duration(v, t) != "" {
			return text, nil
		}
		if types.Identical(t, types.Typ[types.Int]) || types.Identical(t, types.Typ[types.Bool]) {
			return text, nil
		}
		return name + "(" + text + ")", nil
	case *types.Pointer, *types.Slice, *types.Map, *types.Signature, *types.Chan:
		if text == "nil" {
			return "(" + name + ")(nil)", nil
		}
	}
	return text, nil
}

// whole returns a typed expression of a value for a comparison. ok is false if it cannot be written, or not wholly.
func (l *literals) whole(v sondevalue.Value, t types.Type, m memory) (text string, ok bool) {
	frozen, partial := l.frozen, l.partial
	l.frozen, l.partial = true, false
	text, err := l.typed(v, t, m)
	ok = err == nil && !l.partial
	l.frozen, l.partial = frozen, partial
	return text, ok
}

// zero returns the zero value of a type.
func (l *literals) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Kind() == types.UnsafePointer:
			return "nil"
		}
		return "0"
	case *types.Struct, *types.Array:
		return l.file.imports.typeName(t) + "{}"
	}
	return "nil"
}

func (l *literals) basic(v sondevalue.Value, b *types.Basic) (string, error) {
	switch {
	case v.Kind == sondevalue.String && b.Info()&types.IsString != 0:
		if v.Bytes != nil {
			return strconv.Quote(string(v.Bytes)), nil
		}
		return quoted(v.Text), nil
	case v.Kind != sondevalue.Scalar || !isLiteral(v.Text, b.Info()):
		return "", fmt.Errorf("a value is no %s", b)
	case b.Info()&types.IsFloat != 0:
		return l.float(v.Text), nil
	}
	return v.Text, nil
}

// isLiteral reports whether a text is a boolean or a number. A recording comes from outside: its texts must not become code.
func isLiteral(text string, info types.BasicInfo) (ok bool) {
	var err error
	switch {
	case info&types.IsBoolean != 0:
		return text == "true" || text == "false"
	case info&types.IsInteger != 0:
		return integer.MatchString(text)
	case info&types.IsFloat != 0:
		_, err = strconv.ParseFloat(text, 64)
	case info&types.IsComplex != 0:
		_, err = strconv.ParseComplex(text, 128)
	default:
		return false
	}
	return err == nil && !strings.Contains(text, "_")
}

var integer = regexp.MustCompile(`^-?[0-9]{1,20}$`)

// float returns a floating-point number as an expression.
func (l *literals) float(text string) string {
	switch text {
	case "NaN":
		return l.file.imports.std("math") + ".NaN()"
	case "+Inf":
		return l.file.imports.std("math") + ".Inf(1)"
	case "-Inf":
		return l.file.imports.std("math") + ".Inf(-1)"
	}
	return text
}

// quoted returns a string as a literal: with backquotes if that is easier to read.
func quoted(s string) string {
	line, ends := strings.CutSuffix(s, "\n")
	lines := strings.Count(line, "\n")
	if strings.Count(line, `"`)+lines > 1 && strconv.CanBackquote(strings.ReplaceAll(line, "\n", "")) {
		if ends && lines == 0 {
			return "`" + line + "`" + ` + "\n"` // JSON of json.Encoder, in one line
		}
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// time returns a time as an expression.
func (l *literals) time(text string) (string, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return "", err
	}
	pkg := l.file.imports.std("time")
	zone := pkg + ".UTC"
	if _, offset := at.Zone(); offset != 0 {
		zone = fmt.Sprintf("%s.FixedZone(\"\", %d)", pkg, offset)
	}
	return fmt.Sprintf("%s.Date(%d, %d, %d, %d, %d, %d, %d, %s)", pkg, at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(),
		at.Second(), at.Nanosecond(), zone), nil
}

// duration writes a time.Duration in its largest unit, such as 5 * time.Minute. It returns "" for other values.
func (l *literals) duration(v sondevalue.Value, t types.Type) string {
	n, err := time.ParseDuration(v.Text + "ns")
	if err != nil || v.Kind != sondevalue.Scalar || types.TypeString(t, nil) != "time.Duration" {
		return ""
	}
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}} {
		if n != 0 && n%unit.of == 0 {
			text := l.file.imports.std("time") + "." + unit.name
			if n != unit.of {
				text = fmt.Sprintf("%d * %s", n/unit.of, text)
			}
			return text
		}
	}
	return ""
}

func (l *literals) marshalled(v sondevalue.Value, t types.Type) (string, error) {
	return fmt.Sprintf("unitFromText[%s](%s)", l.file.imports.typeName(t), quoted(v.Text)), nil
}

// pointer returns a pointer to a new variable, or to one that the test has declared.
func (l *literals) pointer(v sondevalue.Value, t types.Type, m memory) (string, error) {
	if name := l.variables[v.Ref]; name != "" && !l.contents {
		l.refers = true
		return name, nil
	}
	p, is := t.Underlying().(*types.Pointer)
	content, ok := m.at(v.Ref)
	if !is || !ok {
		return "", errors.New("a pointer was not followed")
	}
	if l.open[v.Ref] {
		return "", errCycle
	}
	l.open[v.Ref] = true
	defer delete(l.open, v.Ref)
	if content.Kind == sondevalue.Struct && content.Text != "" && l.made != nil && !l.frozen && len(l.prefer) > 0 {
		if f := l.maker(p.Elem()); f != nil {
			return l.made(v, content, f, m)
		}
	}
	text, err := l.expr(content, p.Elem(), m)
	if err != nil {
		return "", err
	}
	if _, is := p.Elem().Underlying().(*types.Struct); is && strings.HasSuffix(text, "}") && content.Kind != sondevalue.Time {
		return "&" + text, nil
	}
	text, err = l.typed(content, p.Elem(), m)
	return "unitVar(" + text + ")", err
}

func (l *literals) list(v sondevalue.Value, t, elem types.Type, m memory) (string, error) {
	inputs := l.inputs
	l.inputs = nil // elements are written as they are
	defer func() { l.inputs = inputs }()
	name := l.file.imports.typeName(t)
	if v.Kind == sondevalue.Bytes {
		if _, is := t.Underlying().(*types.Array); is {
			var all []string
			if bytes.Count(v.Bytes, []byte{0}) == len(v.Bytes) {
				return name + "{}", nil
			}
			for _, b := range v.Bytes {
				all = append(all, strconv.Itoa(int(b)))
			}
			return name + "{" + strings.Join(all, ", ") + "}", nil
		}
		if len(v.Bytes) == 0 {
			return name + "{}", nil
		}
		return name + "(" + quoted(string(v.Bytes)) + ")", nil
	}
	if v.Kind != sondevalue.List && v.Kind != sondevalue.Zero {
		return "", fmt.Errorf("a value is no %s", t)
	}
	var all []string
	for _, e := range v.Elems {
		text, err := l.expr(e, elem, m)
		if err != nil {
			return "", err
		}
		all = append(all, elided(text, name, elem, l))
	}
	return name + "{" + joined(all) + "}", nil
}

// elided leaves out the type of an element of a composite literal.
func elided(text, _ string, elem types.Type, l *literals) string {
	if _, is := elem.Underlying().(*types.Interface); is {
		return text
	}
	name := l.file.imports.typeName(elem)
	if p, is := types.Unalias(elem).(*types.Pointer); is {
		name = "&" + l.file.imports.typeName(p.Elem())
	}
	if strings.HasPrefix(text, name+"{") {
		return strings.TrimPrefix(text, name)
	}
	return text
}

// maxLine is the length after which the elements of a list have lines of their own.
const maxLine = 100

// joined joins the elements of a literal or the arguments of a call. They are in one line if they are short, also if one of
// them has several lines.
func joined(all []string) string {
	width, long := 0, 0
	for _, text := range all {
		if first, _, several := strings.Cut(text, "\n"); several {
			width, long = width+len(first), long+1
		} else {
			width += len(text) + 2
		}
	}
	if width <= maxLine && long <= 1 {
		return strings.Join(all, ", ")
	}
	return "\n" + strings.Join(all, ",\n") + ",\n"
}

func (l *literals) mapping(v sondevalue.Value, t types.Type, u *types.Map, m memory) (string, error) {
	inputs := l.inputs
	l.inputs = nil // elements are written as they are
	defer func() { l.inputs = inputs }()
	if v.Kind != sondevalue.Map {
		return "", fmt.Errorf("a value is no %s", t)
	}
	var all []string
	for _, e := range v.Entries {
		if e.Key.Text == "NaN" {
			return "", errors.New("a key of a map is NaN")
		}
		key, err := l.expr(e.Key, u.Key(), m)
		if err != nil {
			return "", err
		}
		value, err := l.expr(e.Value, u.Elem(), m)
		if err != nil {
			return "", err
		}
		all = append(all, elided(key, "", u.Key(), l)+": "+elided(value, "", u.Elem(), l))
	}
	slices.Sort(all)
	return l.file.imports.typeName(t) + "{" + joined(all) + "}", nil
}

func (l *literals) structure(v sondevalue.Value, t types.Type, u *types.Struct, m memory) (string, error) {
	if v.Kind != sondevalue.Struct {
		return "", fmt.Errorf("a value is no %s", t)
	}
	byName := map[string]*types.Var{}
	for f := range u.Fields() {
		byName[f.Name()] = f
	}
	if isStandard(t) {
		return "", fmt.Errorf("a value of type %s cannot be written", t)
	}
	if isConnecting(t) {
		l.partial = true
		return l.file.imports.typeName(t) + "{}", nil
	}
	l.partial = l.partial || v.Text != ""
	var all []string
	for _, f := range v.Fields {
		field := byName[f.Name]
		if field == nil {
			return "", fmt.Errorf("%s has no field %s", t, f.Name)
		}
		if !field.Exported() && field.Pkg() != l.file.pkg || isAtomic(field.Type()) {
			l.partial = true
			continue
		}
		text, err := l.field(f, field.Type(), m)
		if err != nil {
			return "", err
		}
		if text != "" {
			all = append(all, f.Name+": "+text)
		}
	}
	return l.file.imports.typeName(t) + "{" + joined(all) + "}", nil
}

// field writes a field of a struct, "" if the test does not need it.
func (l *literals) field(f sondevalue.Field, t types.Type, m memory) (string, error) {
	write := func() (string, error) { return l.expr(f.Value, t, m) }
	if l.inputs == nil {
		return l.as(f.Name, write)
	}
	outer := l.path
	defer func() { l.path = outer }()
	l.path += "." + f.Name
	if l.inputs.needless[l.path] {
		return "", nil
	}
	guarded := l.inputs.guard(l.path)
	text, err := l.as(f.Name, write)
	if err == nil && guarded && l.file.types.visible(t) {
		text = fmt.Sprintf("unitKeep[%s](t, %q, %s)", l.file.imports.typeName(t), l.path, text)
	}
	return text, err
}

// isAtomic reports whether a type belongs to sync/atomic. Its values cannot be copied.
func isAtomic(t types.Type) bool {
	named, is := types.Unalias(t).(*types.Named)
	return is && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic"
}

// isConnecting reports whether a type has the settings of connections. Tests have none, so the settings are not written.
func isConnecting(t types.Type) bool {
	name := types.TypeString(t, nil)
	return name == "net/http.Transport" || name == "crypto/tls.Config"
}

// isStandard reports whether a type is a struct of the standard library whose content is hidden.
func isStandard(t types.Type) bool {
	named, is := types.Unalias(t).(*types.Named)
	return is && named.Obj().Pkg() != nil && slices.Contains([]string{"errors", "bytes", "strings", "math/big"}, named.Obj().Pkg().Path())
}

// inInterface writes what is in an interface.
func (l *literals) inInterface(v sondevalue.Value, t types.Type, m memory) (string, error) {
	switch v.Kind {
	case sondevalue.Zero:
		if v.Type == "" {
			return "nil", nil
		}
	case sondevalue.Global:
		return l.global(v.Text)
	case sondevalue.Mock:
		return l.mock(v, t)
	case sondevalue.Error:
		return l.err(v, m)
	case sondevalue.Context:
		return l.context(v, m)
	case sondevalue.Response:
		if l.recorder == nil || l.frozen {
			return "", errors.New("a response writer is within another value")
		}
		l.refers = true
		return l.recorder(v), nil
	case sondevalue.Constant:
		return "", errors.New("a constant is not known")
	}
	if v.Type == "*errors.errorString" {
		return l.errorString(v, m)
	}
	dynamic, err := l.file.types.find(v.Type)
	if err != nil {
		return "", err
	}
	return l.typed(v, dynamic, m)
}

// errorString writes an error of errors.New.
func (l *literals) errorString(v sondevalue.Value, m memory) (string, error) {
	content, _ := m.at(v.Ref)
	text := ""
	if len(content.Fields) > 0 {
		text = content.Fields[0].Value.Text
	}
	return l.file.imports.std("errors") + ".New(" + quoted(text) + ")", nil
}

// err writes an error of another module by its text and the errors that it wraps.
func (l *literals) err(v sondevalue.Value, m memory) (string, error) {
	if len(v.Elems) != 1 {
		return l.file.imports.std("errors") + ".New(" + quoted(v.Text) + ")", nil
	}
	wrapped, err := l.inInterface(v.Elems[0], types.Universe.Lookup("error").Type(), m)
	if err != nil {
		return l.file.imports.std("errors") + ".New(" + quoted(v.Text) + ")", nil
	}
	before, after, ok := strings.Cut(v.Text, errorText(v.Elems[0], m))
	if !ok {
		return l.file.imports.std("errors") + ".New(" + quoted(v.Text) + ")", nil
	}
	format := strings.ReplaceAll(before, "%", "%%") + "%w" + strings.ReplaceAll(after, "%", "%%")
	return fmt.Sprintf("%s.Errorf(%s, %s)", l.file.imports.std("fmt"), quoted(format), wrapped), nil
}

// errorText returns the message of an error, "?" if it is not known.
func errorText(v sondevalue.Value, m memory) string {
	switch {
	case v.Kind == sondevalue.Error && v.Text != "":
		return v.Text
	case v.Kind == sondevalue.Global && len(v.Elems) > 0 && v.Elems[0].Text != "":
		return v.Elems[0].Text
	case v.Type == "*errors.errorString":
		content, _ := m.at(v.Ref)
		if text := fieldOf(content, "s").Text; text != "" {
			return text
		}
	}
	return "?"
}

// global writes a package-level variable.
func (l *literals) global(name string) (string, error) {
	dot := strings.LastIndex(name, ".")
	path, id := name[:max(dot, 0)], name[dot+1:]
	p := l.file.types.packages[path]
	switch p {
	case nil:
		return "", fmt.Errorf("the package of the variable %s is not imported", name)
	case l.file.pkg:
		return id, nil
	}
	if obj := p.Scope().Lookup(id); obj == nil || !obj.Exported() {
		return "", fmt.Errorf("the variable %s is hidden", name)
	}
	return l.file.imports.qualify(p) + id, nil
}

// context writes a context with those of its values that a test can write.
func (l *literals) context(v sondevalue.Value, m memory) (string, error) {
	pkg := l.file.imports.std("context")
	text := pkg + ".Background()"
	for _, e := range slices.Backward(newestValues(v, m)) {
		anything := types.Universe.Lookup("any").Type()
		key, hidden := l.inInterface(e.Key, anything, m)
		f := l.setter(e, contextType)
		if hidden != nil && f == nil {
			continue // the tested package cannot set it
		}
		value, err := l.inInterface(e.Value, anything, m)
		if err != nil {
			return "", fmt.Errorf("a value of a context: %w", err)
		}
		if hidden != nil {
			text = l.set(f, text, value)
			continue
		}
		text = fmt.Sprintf("%s.WithValue(%s, %s, %s)", pkg, text, key, value)
	}
	if v.Text != "" {
		text = "unitDone(" + text + ")"
	}
	return text, nil
}

// newestValues returns the values of a context, the newest first, without those that a newer value with the same key hides.
func newestValues(v sondevalue.Value, m memory) (all []sondevalue.Entry) {
	seen := map[string]bool{}
	for _, e := range v.Entries {
		if key := canonical(e.Key, m); !seen[key] {
			seen[key] = true
			all = append(all, e)
		}
	}
	return all
}

// function writes a function value: a function of a package, or a mock.
func (l *literals) function(v sondevalue.Value, t types.Type) (string, error) {
	if dot := strings.LastIndex(v.Text, "."); dot > 0 && !strings.Contains(v.Text[strings.LastIndex(v.Text, "/")+1:dot], ".") {
		path, name := v.Text[:dot], v.Text[dot+1:]
		if p := l.file.types.packages[path]; p != nil {
			f, is := p.Scope().Lookup(name).(*types.Func)
			if is && (p == l.file.pkg || f.Exported()) && types.AssignableTo(f.Type(), t) && !l.called[v.Instance] {
				return l.file.imports.qualify(p) + name, nil
			}
		}
	}
	sig, is := t.Underlying().(*types.Signature)
	if !is {
		return "", fmt.Errorf("a value is no %s", t)
	}
	if l.frozen {
		return "", errors.New("a function value cannot be compared")
	}
	if !l.file.types.visible(sig) {
		return "", fmt.Errorf("a function has a hidden type")
	}
	l.slots[v.Instance] = t
	text := l.file.mocks.function(l.calls, l.mockName(v.Instance), sig)
	if _, is := types.Unalias(t).(*types.Named); is {
		text = l.file.imports.typeName(t) + "(" + text + ")"
	}
	return text, nil
}

// mock writes an object whose methods were called.
func (l *literals) mock(v sondevalue.Value, t types.Type) (string, error) {
	if l.frozen && l.mocks[v.Instance] == "" {
		return "", errors.New("an object is no input")
	}
	l.slots[v.Instance] = t
	return l.file.mocks.value(t, l.calls, l.mockName(v.Instance))
}

// mockName returns the name of an object: that of the field or the parameter that has it.
func (l *literals) mockName(instance int) string {
	if name := l.mocks[instance]; name != "" {
		return name
	}
	base := "mock"
	if len(l.prefer) > 0 {
		base = l.prefer[len(l.prefer)-1]
	}
	name := base
	for i := 2; l.used[name]; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	l.used[name] = true
	l.mocks[instance] = name
	return name
}
