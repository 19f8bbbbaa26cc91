package individual

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/model/pointer"
)

// A negative test calls one operation, the target, with inputs that it should refuse, or should at
// least survive. Together, the negative tests of an operation try each violation of the spec and each
// hostile text once in each input. The calls before those of the target create what the target needs.
// The term is common in software testing: a positive test has valid inputs.

// negativeCalls is the maximum number of calls of the target in one negative test. It is small, so that each operation has
// its first negative test soon.
const negativeCalls = 8

// negativeProgress records the violations of each operation that were played, and the kinds of violations that found
// something. A kind of violation that one operation does not survive is tried early at other operations, because they
// may not survive it either.
type negativeProgress struct {
	played map[model.OpID]map[string]bool
	done   map[model.OpID]bool // operations without further violations
	kinds  map[string]findings
}

// findings counts the calls with violations of one kind, and those that were the first to cover a target.
type findings struct{ calls, found int }

// rate is an estimate of the probability that a call finds something. It is 1/2 for a kind that was not played.
func (f findings) rate() float64 { return float64(f.found+1) / float64(f.calls+2) }

func newNegativeProgress() negativeProgress {
	return negativeProgress{played: map[model.OpID]map[string]bool{}, done: map[model.OpID]bool{}, kinds: map[string]findings{}}
}

// record counts the violations of a negative test. found has the indexes of the calls that were the first to cover a target.
func (n *negativeProgress) record(ind *Individual, sent int, found []int) {
	for i, c := range ind.calls[:sent] {
		if c.violation.in == "" {
			continue
		}
		kind := c.violation.kind()
		f := n.kinds[kind]
		f.calls++
		if slices.Contains(found, i) {
			f.found++
		}
		n.kinds[kind] = f
	}
}

// kind names what a violation has in common with violations of other inputs: where it is, and how the value is wrong.
func (v violation) kind() string {
	with := v.with
	if text, isText := decode(with).(string); isText && v.in == model.InBody {
		with = text
	}
	if !v.whole && !v.omit && v.media == "" && !slices.Contains(hostileTexts, with) && len(with) > len("null") {
		with = "value" // of a schema: just outside a bound, or no match of a pattern
	}
	return fmt.Sprintf("%s %t %t %t %s %.20q", v.in, v.whole, v.omit, v.escaped, v.media, with)
}

// NegativeTest returns a negative test of the operation of which the fewest violations were played so far. It returns nil if
// no violation is left.
func (p *Problem) NegativeTest(r *rand.Rand) *Individual { return p.sweeps.nextNegative(r) }

// RecordNegative records the outcome of a negative test, of which a number of calls were sent. found has the indexes of the
// calls that were the first to cover a target.
func (p *Problem) RecordNegative(ind *Individual, sent int, found []int) {
	p.sweeps.negative.record(ind, sent, found)
}

func (w *sweeper) nextNegative(r *rand.Rand) *Individual {
	for {
		target := w.negative.least(w.calls.operations)
		if target == nil {
			return nil
		}
		if ind := w.negativeTest(r, target); ind != nil {
			return ind
		}
		w.negative.done[target.op.ID] = true
	}
}

// least returns the operation of which the fewest violations were played, without muted operations. It
// returns nil if all violations were played.
func (n *negativeProgress) least(ops *operationSet) (least *chromosome) {
	for _, c := range ops.all {
		id := c.op.ID
		if !n.done[id] && !ops.muted(id) && (least == nil || len(n.played[id]) < len(n.played[least.op.ID])) {
			least = c
		}
	}
	return least
}

// negativeTest returns a test with the next violations of an operation, nil if all were played.
func (w *sweeper) negativeTest(r *rand.Rand, target *chromosome) *Individual {
	id := target.op.ID
	t := w.templates.mostLinked(id)
	if len(t.Steps) == 0 {
		t = model.Template{Steps: []model.TemplateStep{{Op: id, Min: 1, Max: 1}}}
	}
	s := &sweepBuilder{sweeper: w, rand: r, whole: t, of: t, user: w.user(r, id)}
	s.proven = w.lessons.callsBefore(id, s.user)
	s.ind = s.chain()
	at := len(s.ind.calls) - 1
	base := s.ind.calls[at].clone()
	next := w.negative.take(id, base.negatives())
	if len(next) == 0 {
		return nil
	}
	s.ind.sweep = &sweepPlan{op: id, variations: len(next), steps: len(t.Steps), isNegative: true}
	links := slices.Clone(s.ind.links)
	s.ind.remove(at)
	for _, v := range next {
		c := base.clone()
		if target.op.Method == "POST" {
			c.resampleTexts(r) // otherwise the service may refuse the call only because an element with these texts exists
		}
		c.violation = v
		to := len(s.ind.calls)
		s.ind.calls = append(s.ind.calls, c)
		for _, l := range links {
			if l.To == at && !v.replaces(l) {
				s.ind.link(l, l.From, to)
			}
		}
	}
	w.hosts.sample(r, s.ind)
	return s.ind
}

// take returns violations that were not played yet, those of the kinds that found most first, and counts them as played.
func (n *negativeProgress) take(op model.OpID, all []violation) (next []violation) {
	played := n.played[op]
	if played == nil {
		played = map[string]bool{}
		n.played[op] = played
	}
	slices.SortStableFunc(all, func(a, b violation) int {
		return cmp.Compare(n.kinds[b.kind()].rate(), n.kinds[a.kind()].rate())
	})
	for _, v := range all {
		if key := v.key(); len(next) < negativeCalls && !played[key] {
			played[key] = true
			next = append(next, v)
		}
	}
	return next
}

// key identifies a violation among those of an operation.
func (v violation) key() string {
	return fmt.Sprintf("%s\x00%s\x00%q\x00%t%t%t\x00%s\x00%s", v.in, v.name, v.path, v.whole, v.omit, v.escaped, v.media, v.with)
}

// replaces reports whether a violation replaces the value that a link sets.
func (v violation) replaces(l model.Link) bool {
	if v.in != l.In {
		return false
	}
	if v.in != model.InBody {
		return v.name == l.Name
	}
	return v.whole || v.media == "" && len(v.path) > 0 && pointerOf(v.path) == l.Name
}

func pointerOf(path []string) (p string) {
	for _, token := range path {
		p += "/" + pointer.Escape(token)
	}
	return p
}

// negatives returns the violations that negative tests try with the call's operation. The inputs take
// turns, so that each one has its first violation early. Inputs in the path come first, because every
// service reads them.
func (c call) negatives() []violation {
	var lists [][]violation
	args := c.args()
	for _, p := range c.op.Params {
		at := violation{in: p.In, name: p.Name}
		var all []violation
		if slices.ContainsFunc(args, func(a model.Arg) bool { return a.In == p.In && a.Name == p.Name }) {
			if isText(p.Schema) {
				all = append(all, at.insteadAll(hostileIn(p.In))...)
			}
			if p.In == model.InPath || p.In == model.InQuery {
				all = append(all, at.insteadEscaped(invalidUTF8))
			}
			if p.Schema != nil {
				all = append(all, at.insteadAll(invalidTexts(p.Schema))...)
			}
		}
		if p.In == model.InQuery && p.Required {
			all = append(all, at.without())
		}
		lists = append(lists, all)
	}
	lists = append(lists, c.bodyNegatives()...)
	return inTurns(lists)
}

// bodyNegatives returns lists of violations: one for the body as a whole, and one for each value inside
// it.
func (c call) bodyNegatives() [][]violation {
	body := c.message()
	if body == nil {
		return nil
	}
	whole := violation{in: model.InBody, whole: true}
	lists := [][]violation{c.bodyViolations()}
	if c.kind != asJSON {
		return append(lists, []violation{whole.instead("")})
	}
	lists[0] = []violation{
		whole.instead("null"), whole.instead(""), whole.instead("[[[[[[[["), whole.without(),
		whole.instead(`{"`), whole.instead("[]"), whole.instead(`"x"`),
		{in: model.InBody, media: "text/plain"},
	}
	byPath := map[string][]violation{}
	var paths []string
	for _, v := range partViolations(c.schema, decode(body.Data), nil) {
		key := pointerOf(v.path)
		if _, known := byPath[key]; !known {
			paths = append(paths, key)
		}
		byPath[key] = append(byPath[key], v)
	}
	for _, key := range paths {
		lists = append(lists, byPath[key])
	}
	return append(lists, c.hostileFields(body.Data)...)
}

// hostileFields returns a list of hostile texts for each text in a JSON body. The lists begin with
// different hostile texts.
func (c call) hostileFields(data string) (lists [][]violation) {
	for _, path := range textPaths(decode(data), nil) {
		at := violation{in: model.InBody, path: path}
		var all []violation
		for i := range hostileTexts {
			all = append(all, at.instead(quoted(hostileTexts[(i+len(lists))%len(hostileTexts)])))
		}
		lists = append(lists, all)
	}
	return lists
}

// inTurns merges lists: first their elements with index 0, then those with index 1, and so on.
func inTurns[T any](lists [][]T) (all []T) {
	for i := 0; ; i++ {
		n := len(all)
		for _, list := range lists {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
		if len(all) == n {
			return all
		}
	}
}
