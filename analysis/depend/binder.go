package depend

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// Pass is a value that one step of a sequence emits and a later step takes.
type Pass struct {
	From, To int // indices into the sequence
	// Emitted is the input or output of From that has the value. It is an input if the client chooses the value. If
	// no response in the document declares the value, the name of Emitted is "".
	Emitted, Taken match.ValueUse
	// Existing reports whether From does not create the element that the value identifies, but only finds or mentions
	// it. The element must then exist already.
	Existing bool

	isDeclared bool // the document declares the pass as a link
	isLinkable bool // a link can set the input
}

// Declared reports whether the document says where From has the value.
func (p Pass) Declared() bool { return p.Emitted.Name != "" }

// link returns the pass as a link of a test. The link is open in two cases: the document does not say where From has
// the value, or the value is only a part of the data at that place.
func (p Pass) link() model.Link {
	l := model.Link{From: p.From, To: p.To, In: p.Taken.In, Name: placeName(&p.Taken)}
	switch e := p.Emitted; {
	case !e.Out:
		l.Param = e.Name
	case e.In == model.InHeader:
		l.Header = e.Name
	case e.IsPart():
		l.Hint = e.Pointer
	default:
		l.Pointer = e.Pointer
	}
	return l
}

// openLink returns the pass as a link of a template. It relies less on the document than link, because services often
// answer in another form than the document states. Unless the document declares the link, a pointer into an answer is
// only a hint, and the header Location is left out.
func (p Pass) openLink() model.Link {
	l := p.link()
	switch {
	case p.isDeclared || !p.Emitted.Out:
	case strings.EqualFold(l.Header, "Location"):
		l.Header = ""
	case l.Pointer != "":
		l.Hint, l.Pointer = l.Pointer, ""
	}
	return l
}

// placeName returns the name of an input in the form of a link: a JSON pointer for a field of a body, otherwise the
// input's name.
func placeName(u *match.ValueUse) string { return cmp.Or(u.Pointer, u.Name) }

// strength measures how likely a call is to have the element that a later call needs. A lower value means that it is
// more likely.
type strength int

const (
	strengthCreated   strength = iota // the call creates the element
	strengthListed                    // the call reads or lists elements
	strengthSame                      // the call has the element's path parameters in its own path
	strengthMentioned                 // the call has the value in a field of another element
)

// binder finds, for each input of the calls of a sequence, the earlier call that provides the value. Templates,
// paths, seqs and requests by hand all use it. Attempts and recorded tests do not use it: attempts try other calls on
// purpose, and recorded tests have the values themselves.
//
// If the document declares a link to an input, this link takes precedence. All other parameters of a path are bound
// from the last to the first. Parameters that qualify an element, such as the owner of a repository, therefore get
// their values from the same call as the element. If neither rule gives a call, the input is bound to the call with
// the best [strength]. Of equally good calls, the binder prefers those that have all values that identify the element,
// and then the latest.
type binder struct {
	*origins
	feeders *feeders
	calls   []*model.Operation
	passes  []Pass // ordered by To
}

// bind returns the values that the operations of a sequence pass on, ordered by the step that takes them. Within a
// step, values in the path come first, in the order of the path, then the others in the order of the document. An
// operation in seq is nil if it is unknown.
func (f *feeders) bind(seq []*model.Operation) []Pass {
	b := f.binder(requiredFields, nil)
	for _, op := range seq {
		b.bind(op)
	}
	return b.passes
}

func (f *feeders) binder(which fields, target *model.Operation) *binder {
	return &binder{origins: f.origins(which, target), feeders: f}
}

// reset prepares a binder for another sequence. The memory of the passes is used again.
func (b *binder) reset(which fields, target *model.Operation) {
	b.origins.reset(which, target)
	b.calls, b.passes = b.calls[:0], b.passes[:0]
}

// bind appends a call of op to the sequence and binds its inputs. op is nil for an unknown operation.
func (b *binder) bind(op *model.Operation) {
	i := len(b.calls)
	if op == nil {
		b.calls = append(b.calls, nil)
		return
	}
	first := len(b.passes)
	for _, u := range slices.Backward(b.inputs(op)) {
		if p, ok := b.pass(op, u, b.passes[first:]); ok {
			p.To, p.Taken, p.isLinkable = i, *u, linkable(op, u)
			b.passes = append(b.passes, p)
		}
	}
	slices.Reverse(b.passes[first:])
	for _, p := range b.places[op] {
		if _, ok := b.source(p.at); !ok {
			b.made[p.at] = origin{call: i, names: p.names, guess: !creates(op, p.at)}
		}
	}
	b.note(op, i)
	b.noteDeclared(op, i)
	b.calls = append(b.calls, op)
}

// inputs returns the inputs of an operation that bind connects to earlier calls. First come the path parameters in
// the order of the path, then the other inputs for which selects returns true.
func (b *binder) inputs(op *model.Operation) []*match.ValueUse {
	known, ok := b.feeders.inputs[op]
	if !ok || len(b.followed) > 0 {
		return inputsThat(op, b.matcher.UsesOf(op), func(u *match.ValueUse) bool { return b.selects(op, u) })
	}
	if b.fields == allFields && op != b.target {
		return known.by[requiredFields]
	}
	return known.by[b.fields]
}

// boundInputs has the inputs of an operation that a binder connects to earlier calls if no earlier call has a declared
// link.
type boundInputs struct {
	by [allFields + 1][]*match.ValueUse
	// hasOptional reports whether the inputs for allFields may differ from those for requiredFields.
	hasOptional bool
}

// boundInputsOf returns the inputs of an operation that a binder connects to earlier calls. uses are all uses of
// values by the operation.
func boundInputsOf(op *model.Operation, uses []match.ValueUse) (in boundInputs) {
	hasRequired := false
	for i := range uses {
		if u := &uses[i]; !u.Out && u.In != model.InPath && isTied(u) {
			hasRequired, in.hasOptional = hasRequired || u.Mandatory, in.hasOptional || !u.Mandatory
		}
	}
	in.by[noFields] = inputsThat(op, uses, func(*match.ValueUse) bool { return false })
	in.by[requiredFields] = in.by[noFields]
	if hasRequired {
		in.by[requiredFields] = inputsThat(op, uses, func(u *match.ValueUse) bool { return isTied(u) && u.Mandatory })
	}
	in.by[allFields] = in.by[requiredFields]
	if in.hasOptional {
		in.by[allFields] = inputsThat(op, uses, isTied)
	}
	return in
}

// inputsThat returns the path parameters of an operation in the order of the path, then the other inputs for which
// selects returns true. Of several inputs with the same name and place it returns only the first.
func inputsThat(op *model.Operation, uses []match.ValueUse, selects func(*match.ValueUse) bool) []*match.ValueUse {
	var list []*match.ValueUse
	var seen map[input]bool // the inputs in list; created for the second input, because many operations have only one
	add := func(u *match.ValueUse) {
		if len(list) == 1 && seen == nil {
			seen = map[input]bool{placeOfInput(list[0]): true}
		}
		if at := placeOfInput(u); !seen[at] {
			if seen != nil {
				seen[at] = true
			}
			list = append(list, u)
		}
	}
	for i := range uses {
		if u := &uses[i]; !u.Out && u.In == model.InPath {
			add(u)
		}
	}
	slices.SortStableFunc(list, func(a, b *match.ValueUse) int { return cmp.Compare(placeInPath(op, a), placeInPath(op, b)) })
	for i := range uses {
		if u := &uses[i]; !u.Out && u.In != model.InPath && selects(u) {
			add(u)
		}
	}
	return slices.Clip(list)
}

// placeOfInput returns the place and the name of an input, without the operation that has the input.
func placeOfInput(u *match.ValueUse) input { return input{in: u.In, name: placeName(u)} }

// selects reports whether bind connects an input outside the path to earlier calls. This is so for two kinds of
// inputs:
//   - inputs to which the document declares a link
//   - references in fields that [origins.ties] selects, except for credentials in a header or a cookie
func (b *binder) selects(op *model.Operation, u *match.ValueUse) bool {
	if _, ok := b.followed[input{op: op.ID, in: u.In, name: u.Name}]; ok {
		return true
	}
	return isTied(u) && b.ties(op, u.Mandatory)
}

// isTied reports whether an input outside the path is a reference that a binder can connect to earlier calls. The
// binder connects it only if [origins.ties] also selects the field.
func isTied(u *match.ValueUse) bool { return u.IsReference && !isLoginHeader(u) }

// isLoginHeader reports whether an input is a credential in a header or a cookie. Such an input depends on the user
// of the call, and is set by the client.
func isLoginHeader(u *match.ValueUse) bool {
	return u.Kind == match.KindCredential && (u.In == model.InHeader || u.In == model.InCookie)
}

// placeInPath returns the offset of a parameter in an operation's path. For an input outside the path, it returns a
// number that is larger than any offset.
func placeInPath(op *model.Operation, u *match.ValueUse) int {
	if u.In != model.InPath {
		return len(op.Path)
	}
	return strings.Index(op.Path, "{"+u.Name+"}")
}

// pass returns the source of an input of the next call. done are the passes to inputs of this call that are already
// bound. pass returns false if no earlier call provides the value.
func (b *binder) pass(op *model.Operation, u *match.ValueUse, done []Pass) (Pass, bool) {
	if l, ok := b.followed[input{op: op.ID, in: u.In, name: u.Name}]; ok {
		return b.declaredPass(l), true
	}
	if p, ok := b.beside(op, u, done); ok {
		return p, true
	}
	return b.surest(op, u)
}

// declaredPass returns the pass for a link that the document declares.
func (b *binder) declaredPass(l model.Link) Pass {
	e := match.ValueUse{Out: l.Param == ""}
	switch {
	case l.Param != "":
		e.In, e.Name = model.InPath, l.Param
	case l.Header != "":
		e.In, e.Name = model.InHeader, l.Header
	default:
		e.In, e.Pointer, e.Name = model.InResponse, l.Pointer, cmp.Or(pointer.LastToken(l.Pointer), l.Pointer)
	}
	return Pass{From: l.From, Emitted: e, Existing: !writes(b.calls[l.From].Method), isDeclared: true}
}

// beside returns the source of a path parameter that qualifies another one, as the owner of a repository qualifies its
// name. The source is the call that provides the other parameter, if that call also has this value. If the call takes
// the value in its own path, sameAs finds the source.
func (b *binder) beside(op *model.Operation, u *match.ValueUse, done []Pass) (Pass, bool) {
	if u.In != model.InPath {
		return Pass{}, false
	}
	for i := range done {
		p := &done[i]
		if p.Taken.In != model.InPath || !b.feeders.scope(op, p.Taken.ID)[u.ID] {
			continue
		}
		from := b.calls[p.From]
		if e, ok := b.nearestOut(from, u.ID, &p.Emitted); ok {
			return Pass{From: p.From, Emitted: *e, Existing: p.Existing}, true
		}
		if same, ok := b.sameAs(p.From, u.ID); ok {
			return same, true
		}
	}
	return Pass{}, false
}

// nearestOut returns the output of op with the identity id. If there are several such outputs, it returns the one that
// is nearest to a given output of the same answer, the parameter to. In an issue, for example, the owner of a
// repository is nearer to the repository's name than the user who opened the issue. ok is false in these cases:
//   - op takes the value in its path.
//   - op does not emit the value.
//   - The parameter to is not an output.
func (b *binder) nearestOut(op *model.Operation, id string, to *match.ValueUse) (best *match.ValueUse, ok bool) {
	if !to.Out {
		return nil, false
	}
	common := -1
	uses := b.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if u.ID != id {
			continue
		}
		if !u.Out && u.In == model.InPath {
			return nil, false
		}
		if n := commonTokens(u.Pointer, to.Pointer); u.Out && n > common {
			best, common = u, n
		}
	}
	return best, best != nil
}

// sameAs returns the source of a value that an earlier call takes in its path. This is the call that provides the
// value to the earlier call or, if there is none, the earlier call itself. sameAs returns false if the earlier call
// does not take the value in its path.
func (b *binder) sameAs(call int, id string) (Pass, bool) {
	for i := range b.passes {
		if p := &b.passes[i]; p.To == call && p.Taken.ID == id && p.Taken.In == model.InPath {
			return *p, true
		}
	}
	uses := b.matcher.UsesOf(b.calls[call])
	for i := range uses {
		if u := &uses[i]; !u.Out && u.In == model.InPath && u.ID == id {
			return Pass{From: call, Emitted: *u, Existing: !writes(b.calls[call].Method)}, true
		}
	}
	return Pass{}, false
}

// candidate is an earlier call that may provide a value.
type candidate struct {
	call     int
	strength strength
	// from is the call as a feeder of the value. Its op is nil if the call is no feeder. Such a call is a candidate
	// because it has an element of the resource to which the value belongs.
	from feeder
}

// isSurer reports whether candidate x is more likely than candidate y to have the value of an input of op.
func (b *binder) isSurer(x, y candidate, op *model.Operation, u *match.ValueUse) bool {
	if x.strength != y.strength {
		return x.strength < y.strength
	}
	if scoped := b.isScoped(x, op, u); scoped != b.isScoped(y, op, u) {
		return scoped
	}
	return x.call > y.call
}

// isScoped reports whether a candidate has all values that together identify the element, such as the owner of a
// repository. It is true for a candidate that is no feeder.
func (b *binder) isScoped(c candidate, op *model.Operation, u *match.ValueUse) bool {
	return c.from.op == nil || b.feeders.knows(c.from.op, b.feeders.scope(op, u.ID))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// surest returns the best source of a value among the earlier calls. It returns false if no earlier call has the
// value, or if the client chooses the value.
func (b *binder) surest(op *model.Operation, u *match.ValueUse) (Pass, bool) {
	own, part, found := b.originOf(op, u)
	if p, inPath := b.placeOf(op, u); inPath && p.at == b.chosen && !found {
		return Pass{}, false
	}
	var best candidate
	if found {
		best = candidate{call: own.call, strength: own.strength()}
	}
	// If a feeder is as sure as the call that has the id of the resource (own), the feeder takes precedence.
	for i, called := range slices.Backward(b.calls) {
		from, ok := b.feeders.feederOf(called, u)
		if !ok {
			continue
		}
		c := candidate{call: i, strength: from.strength(), from: from}
		if !found || !b.isSurer(best, c, op, u) {
			best, found = c, true
		}
	}
	switch {
	case !found:
		return Pass{}, false
	case best.from.op == nil:
		return own.pass(part, u.ID, !writes(b.calls[own.call].Method)), true
	}
	from := best.from
	return Pass{From: best.call, Emitted: *from.use, Existing: !writes(from.op.Method) || from.refersTo(u)}, true
}

// refersTo reports whether a feeder only refers to the element that an input identifies, as a repository refers to
// its default branch. For a path parameter it returns false, because an element that the answer to a creation
// mentions is created together with the new element.
func (f feeder) refersTo(u *match.ValueUse) bool {
	return f.strength() == strengthMentioned && u.In != model.InPath
}

// originOf returns the call that has the id of the resource to which an input belongs. An id may consist of several
// parts; part is the index of the input among them. ok is false if there is no such call, or if the call has fewer
// parts.
func (b *binder) originOf(op *model.Operation, u *match.ValueUse) (o origin, part int, ok bool) {
	if p, inPath := b.placeOf(op, u); inPath {
		o, ok = b.source(p.at)
		part = slices.Index(p.names, u.Name)
		return o, part, ok && (o.names == nil || part < len(o.names))
	}
	for _, n := range b.needs[op] {
		if n.in == u.In && n.link == placeName(u) {
			o, ok = b.source(n.of)
			return o, 0, ok && (o.names == nil || len(o.names) > 0)
		}
	}
	return o, 0, false
}

// strength returns how likely the call is to have the element that a later call needs.
func (o origin) strength() strength {
	switch {
	case o.guess && o.names != nil:
		return strengthSame
	case o.guess:
		return strengthListed
	}
	return strengthCreated
}

// pass returns the pass for one part of the id. part is the index of this part, and id is the identity of the value.
func (o origin) pass(part int, id string, existing bool) Pass {
	p := Pass{From: o.call, Existing: existing}
	if o.names == nil {
		p.Emitted.Out = true
		return p
	}
	p.Emitted = match.ValueUse{Value: model.Value{In: model.InPath, Name: o.names[part]}, ID: id}
	return p
}

// strength returns how likely a call of the feeder is to have the element that a later call needs.
func (f feeder) strength() strength {
	switch f.rank {
	case rankPost, rankPut:
		return strengthCreated
	case rankRead:
		return strengthListed
	}
	return strengthMentioned
}

// commonTokens returns the number of tokens that two JSON pointers, or two paths, have in common at the start.
func commonTokens(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}
