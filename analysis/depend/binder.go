package depend

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// Pass is a value that a step of a sequence emits and a later one takes.
type Pass struct {
	From, To int // indices into the sequence
	// Emitted is the input or output of From that has the value. It is an input if the client chooses
	// the value. Its name is "" if no response in the document declares the value.
	Emitted, Taken match.ValueUse
	// Existing reports whether From only finds or mentions an element that exists already, and does not
	// create it.
	Existing bool

	isDeclared bool // the document declares the pass as a link
	isLinkable bool // a link can set the input
}

// Declared reports whether the document says where in From the value is.
func (p Pass) Declared() bool { return p.Emitted.Name != "" }

// link returns the pass as a link of a test. The link is open if the document does not say where in From the value
// is, or if only a part of what is there is the value.
func (p Pass) link() model.Link {
	l := model.Link{From: p.From, To: p.To, In: p.Taken.In, Name: placeName(p.Taken)}
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

// openLink returns the pass as a link of a template. Services often answer in another form than the document says. So
// unless the document declares the link, a pointer into an answer is only a hint, and the header Location is left
// out.
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

// placeName returns the name of an input as a link writes it: a JSON pointer for a field of a body, otherwise the
// input's name.
func placeName(u match.ValueUse) string { return cmp.Or(u.Pointer, u.Name) }

// strength is a measure of how likely a call is to have the element that a later call needs. A lower value
// is more likely.
type strength int

const (
	strengthCreated   strength = iota // the call creates the element
	strengthListed                    // the call reads or lists elements
	strengthSame                      // the call has the element's path parameters in its own path
	strengthMentioned                 // the call has the value in a field of another element
)

// binder finds, for each input of the calls of a sequence, the earlier call that provides its value. Templates,
// paths, seqs and requests by hand all use it. Attempts and recorded tests do not: attempts try other calls on
// purpose, and recorded tests have the values themselves.
//
// A link that the document declares takes precedence. The other parameters of a path are bound from the
// last to the first. The values that qualify an element, such as the owner of a repository, then come from
// the same call as the element. Any other input is bound to the call with the best [strength], and to the
// latest of equal ones.
type binder struct {
	*origins
	feeders *feeders
	calls   []*model.Operation
	passes  []Pass // ordered by To
}

// bind returns the values that the operations of a sequence pass on, ordered by the step that takes them.
// The passes of one step are in the order of its path, then of the document. An unknown operation is nil in
// seq.
func (f *feeders) bind(seq []*model.Operation) []Pass {
	b := f.binder(requiredFields, "")
	for _, op := range seq {
		b.bind(op)
	}
	return b.passes
}

func (f *feeders) binder(which fields, target model.OpID) *binder {
	return &binder{origins: f.origins(which, target), feeders: f}
}

// bind appends a call of op to the sequence and binds its inputs. An unknown operation is nil.
func (b *binder) bind(op *model.Operation) {
	i := len(b.calls)
	if op == nil {
		b.calls = append(b.calls, nil)
		return
	}
	first := len(b.passes)
	for _, u := range slices.Backward(b.inputs(op)) {
		if p, ok := b.pass(op, *u, b.passes[first:]); ok {
			p.To, p.Taken, p.isLinkable = i, *u, linkable(op, *u)
			b.passes = append(b.passes, p)
		}
	}
	slices.Reverse(b.passes[first:])
	for _, p := range b.places[op.ID] {
		if _, ok := b.source(p.at); !ok {
			b.made[p.at] = origin{call: i, names: p.names, guess: !creates(op, p.at)}
		}
	}
	b.note(op, i)
	b.noteDeclared(op, i)
	b.calls = append(b.calls, op)
}

// inputs returns the inputs of an operation that bind connects to earlier calls: the path parameters in their order,
// then the other inputs for which selects is true.
func (b *binder) inputs(op *model.Operation) []*match.ValueUse {
	var path, rest []*match.ValueUse
	seen := map[input]bool{}
	uses := b.matcher.UsesOf(op)
	for i := range uses {
		u := &uses[i]
		if u.Out { // most uses are outputs
			continue
		}
		key := input{in: u.In, name: placeName(*u)}
		switch {
		case seen[key]:
		case u.In == model.InPath:
			seen[key] = true
			path = append(path, u)
		case b.selects(op, *u):
			seen[key] = true
			rest = append(rest, u)
		}
	}
	slices.SortStableFunc(path, func(a, b *match.ValueUse) int { return cmp.Compare(placeInPath(op, *a), placeInPath(op, *b)) })
	return append(path, rest...)
}

// selects reports whether bind connects an input outside the path to earlier calls. It connects each input to which the
// document declares a link. It also connects the references that the sequence links, except credentials in a header or
// a cookie.
func (b *binder) selects(op *model.Operation, u match.ValueUse) bool {
	if _, ok := b.followed[input{op: op.ID, in: u.In, name: u.Name}]; ok {
		return true
	}
	return u.IsReference && !isLoginHeader(u) && b.ties(op, u.Mandatory)
}

// isLoginHeader reports whether an input is a credential in a header or a cookie. The client sets such an input for the
// user of a call.
func isLoginHeader(u match.ValueUse) bool {
	return u.Kind == match.KindCredential && (u.In == model.InHeader || u.In == model.InCookie)
}

// placeInPath returns the offset of a parameter in an operation's path. For an input outside the path
// it returns a larger number than for any parameter.
func placeInPath(op *model.Operation, u match.ValueUse) int {
	if u.In != model.InPath {
		return len(op.Path)
	}
	return strings.Index(op.Path, "{"+u.Name+"}")
}

// pass returns the source of an input of the next call. done has the inputs of the call that are already
// bound.
func (b *binder) pass(op *model.Operation, u match.ValueUse, done []Pass) (Pass, bool) {
	if l, ok := b.followed[input{op: op.ID, in: u.In, name: u.Name}]; ok {
		return b.declaredPass(l), true
	}
	if p, ok := b.beside(op, u, done); ok {
		return p, true
	}
	return b.surest(op, u)
}

// declaredPass returns the pass of a link that the document declares.
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

// beside returns the source of a path parameter that qualifies another parameter of the same path, such
// as the owner of a repository. The source is the call that provides the other parameter.
func (b *binder) beside(op *model.Operation, u match.ValueUse, done []Pass) (Pass, bool) {
	if u.In != model.InPath {
		return Pass{}, false
	}
	for _, p := range done {
		if p.Taken.In != model.InPath || !b.feeders.scope(op, p.Taken.ID)[u.ID] {
			continue
		}
		from := b.calls[p.From]
		if e, ok := b.nearestOut(from, u.ID, p.Emitted); ok {
			return Pass{From: p.From, Emitted: e, Existing: p.Existing}, true
		}
		if same, ok := b.sameAs(p.From, u.ID); ok {
			return same, true
		}
	}
	return Pass{}, false
}

// nearestOut searches the outputs of op that have the identity id. It returns the one that is nearest to another
// output in the same answer, to. In an issue, for example, the owner of a repository is nearer to the repository's
// name than the user who opened the issue is. ok is false if op takes the value in its path or does not emit it, or
// if to is not an output.
func (b *binder) nearestOut(op *model.Operation, id string, to match.ValueUse) (best match.ValueUse, ok bool) {
	if !to.Out {
		return best, false
	}
	common := -1
	for _, u := range b.matcher.UsesOf(op) {
		if u.ID != id {
			continue
		}
		if !u.Out && u.In == model.InPath {
			return best, false
		}
		if n := commonTokens(u.Pointer, to.Pointer); u.Out && n > common {
			best, common = u, n
		}
	}
	return best, common >= 0
}

// sameAs returns the source from which an earlier call takes a value in its path. If the value has no source, the
// earlier call itself is the source.
func (b *binder) sameAs(call int, id string) (Pass, bool) {
	for _, p := range b.passes {
		if p.To == call && p.Taken.ID == id && p.Taken.In == model.InPath {
			return p, true
		}
	}
	for _, u := range b.matcher.UsesOf(b.calls[call]) {
		if !u.Out && u.In == model.InPath && u.ID == id {
			return Pass{From: call, Emitted: u, Existing: !writes(b.calls[call].Method)}, true
		}
	}
	return Pass{}, false
}

// candidate is an earlier call that may provide a value.
type candidate struct {
	Pass
	strength strength
	// unscoped reports whether the call lacks some values that identify the element, such as the owner of a
	// repository.
	unscoped bool
}

// surer compares candidates for sorting. The better one comes first.
func surer(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.strength, b.strength), compareBools(a.unscoped, b.unscoped), cmp.Compare(b.From, a.From))
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

// surest returns the best source of a value among the earlier calls. It returns false if none has the value, or if
// the client chooses the value.
func (b *binder) surest(op *model.Operation, u match.ValueUse) (Pass, bool) {
	var best *candidate
	offer := func(c candidate) {
		if best == nil || surer(c, *best) < 0 {
			best = &c
		}
	}
	scope := b.feeders.scope(op, u.ID)
	own, ok := b.ofResource(op, u)
	if p, inPath := b.placeOf(op, u); inPath && p.at == b.chosen && !ok {
		return Pass{}, false
	}
	all := b.feeders.feedersOf(op, u)
	for at := range all {
		from := &all[at] // a large spec has thousands, which are large structs
		if i := b.latest(from.op); i >= 0 {
			offer(candidate{
				Pass:     Pass{From: i, Emitted: from.use, Existing: !writes(from.op.Method) || from.refersTo(u)},
				strength: from.strength(), unscoped: !b.feeders.knows(from.op, scope),
			})
		}
	}
	if ok {
		offer(own)
	}
	if best == nil {
		return Pass{}, false
	}
	return best.Pass, true
}

// latest returns the index of the last call of an operation, or -1.
func (b *binder) latest(op *model.Operation) int {
	for i, called := range slices.Backward(b.calls) {
		if called == op {
			return i
		}
	}
	return -1
}

// refersTo reports whether a feeder only refers to the element that an input names, as a repository
// refers to its default branch. It is false for a path parameter: an element that a creation mentions
// is created together with the new element.
func (f feeder) refersTo(u match.ValueUse) bool {
	return f.strength() == strengthMentioned && u.In != model.InPath
}

// ofResource returns the earlier call that has an element of an input's resource.
func (b *binder) ofResource(op *model.Operation, u match.ValueUse) (candidate, bool) {
	o, part, ok := b.originOf(op, u)
	if !ok || part >= len(o.names) && o.names != nil {
		return candidate{}, false
	}
	c := candidate{Pass: Pass{From: o.call, Existing: !writes(b.calls[o.call].Method)}}
	c.Emitted.Out = true
	if o.names != nil {
		c.Emitted = match.ValueUse{Value: model.Value{In: model.InPath, Name: o.names[part]}, ID: u.ID}
	}
	switch {
	case o.guess && o.names != nil:
		c.strength = strengthSame
	case o.guess:
		c.strength = strengthListed
	}
	return c, true
}

// originOf returns the call that has the id of an input's resource. part is the index of the input
// among the parts of the id.
func (b *binder) originOf(op *model.Operation, u match.ValueUse) (o origin, part int, ok bool) {
	if p, inPath := b.placeOf(op, u); inPath {
		o, ok = b.source(p.at)
		return o, slices.Index(p.names, u.Name), ok
	}
	for _, n := range b.needs[op.ID] {
		if n.in == u.In && n.link == placeName(u) {
			o, ok = b.source(n.of)
			return o, 0, ok
		}
	}
	return o, 0, false
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

// commonTokens returns the number of leading tokens that two JSON pointers, or two paths, share.
func commonTokens(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}
