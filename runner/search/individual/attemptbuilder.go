package individual

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/runner/search/gene"
	"sonde/runner/search/pool"
	"sonde/runner/search/producer"
)

// The share of attempts that follow templates, and probabilities of choices in an attempt.
const (
	templateShare    = 3   // one attempt of this many follows a template
	followChance     = 0.7 // probability of following a rule of a refusal
	optionalChance   = 0.4 // probability of setting an absent reference to a value of a producer
	guessChance      = 0.6 // probability of setting an input that is not a reference to a value of a producer
	uuidChance       = 0.9 // probability of setting a required UUID to a value of a producer: services rarely accept unknown UUIDs
	freshTextsChance = 0.5 // probability of giving a call that creates something new texts
	copyChance       = 0.4 // probability of setting the body to the members of the resource as it was read
	acceptChance     = 0.5 // probability of asking for JSON
	relateChance     = 0.4 // probability of relating numbers and times of the call to others
	distinctChance   = 0.5 // probability of taking the values of two inputs from two elements instead of one
)

// attemptBuilder builds one attempt.
type attemptBuilder struct {
	*attempter
	rand     *rand.Rand
	progress *attemptProgress
	op       *model.Operation
	ind      *Individual
	// isExample is true if the inputs have the examples of the spec. Then only required references get values of
	// producers.
	isExample bool
	links     []model.Link // links to the call of the operation, which is added last
}

// build returns the next attempt. Of templateShare attempts in a row, the first follows one of the operation's
// templates, if there are any; the others consist of calls of producers.
func (b *attemptBuilder) build(c *chromosome) *Individual {
	n, user := b.progress.attempts-1, b.calls.users.forOperation(b.rand, b.op.ID)
	if t := b.templates.byTarget[b.op.ID]; len(t) > 0 && n%templateShare == 0 {
		b.ind = b.calls.follow(b.rand, t[(n/templateShare)%len(t)], user)
		b.adjust(b.ind.calls[len(b.ind.calls)-1], n/templateShare)
		b.relate()
		return b.ind
	}
	b.ind = &Individual{free: true}
	target := b.calls.sample(b.rand, c, user)
	b.adjust(target, n)
	b.isExample = arrangementOf(n) == withExamples
	if !b.isExample && b.rand.Float64() < copyChance {
		b.copyRepresentation(target)
	}
	if b.rand.Float64() < acceptChance {
		target.accept = acceptable(b.op)
	}
	for _, in := range b.producers.Consumers(b.op.ID) {
		b.serve(in, target)
	}
	at := len(b.ind.calls)
	b.ind.calls = append(b.ind.calls, target)
	for _, l := range b.links {
		b.ind.link(l, l.From, at)
	}
	if !b.isExample {
		b.relate()
	}
	return b.ind
}

// relate may set a number or a time of the target to a combination of other values in the same call. Or it may link
// such a value to an earlier answer.
func (b *attemptBuilder) relate() {
	last := len(b.ind.calls) - 1
	switch x := b.rand.Float64(); {
	case x < relateChance/3:
		b.linkAnswerTo(b.rand, b.ind, last)
	case x < relateChance:
		own := b.ind.leavesOf(last)
		for _, i := range b.rand.Perm(len(own)) {
			if own[i].combine(b.rand, slices.Delete(slices.Clone(own), i, i+1)) {
				return
			}
		}
	}
}

// adjust chooses which optional inputs the target has, and sets inputs by the rules that refusals stated.
func (b *attemptBuilder) adjust(target call, turn int) {
	target.arrange(b.rand, turn)
	target.chooseFiles(turn)
	b.calls.refusals.follow(b.rand, target, followChance)
}

// arrangement says which optional inputs of a call are present.
type arrangement uint8

const (
	withoutOptional arrangement = iota
	withExamples                // inputs that were sampled, and inputs with an example in the spec
	withOneOptional
	withAllOptional
	numArrangements
)

// arrangementOf returns the arrangement of an attempt from its number. Attempts that follow templates are numbered
// separately.
func arrangementOf(turn int) arrangement { return arrangement(turn % int(numArrangements)) }

// arrange chooses which optional inputs of a new call are present. Attempts take turns: no optional inputs, the
// sampled ones, a single one, or all. In the second case, all inputs with an example in the spec are present, and get
// an example.
func (c call) arrange(r *rand.Rand, turn int) {
	omit := func() {
		if c.payload != nil {
			gene.RequiredOnly(r, c.payload)
		}
		for _, g := range c.genes {
			gene.OmitOptional(g)
		}
	}
	n := turn / int(numArrangements)
	switch arrangementOf(turn) {
	case withoutOptional:
		omit()
	case withExamples:
		c.setExamples(r, n)
	case withOneOptional:
		omit()
		c.addOptional(r, n)
	case withAllOptional:
		for _, g := range c.trees() {
			gene.FillOptional(r, g)
		}
	}
}

// setExamples sets each input for which the spec has examples to one of them. Calls with the same n use the same
// example of each input.
func (c call) setExamples(r *rand.Rand, n int) {
	for _, g := range c.trees() {
		gene.SetExamples(r, g, n)
	}
}

// addOptional makes one of the optional inputs present: a parameter, or a property of the body.
func (c call) addOptional(r *rand.Rand, n int) {
	var all []gene.Gene
	for _, g := range c.genes {
		if !gene.IsPresent(g) {
			all = append(all, g)
		}
	}
	if c.payload != nil {
		gene.EachProperty(c.payload, func(_ string, g gene.Gene) {
			if !gene.IsPresent(g) {
				all = append(all, g)
			}
		})
	}
	if len(all) > 0 {
		gene.SetPresent(r, all[n%len(all)], true)
	}
}

// copyRepresentation gives the body the members of the resource as it was last read, because the service has accepted such a
// resource before.
func (b *attemptBuilder) copyRepresentation(target call) {
	if target.payload == nil || target.kind != asJSON || isRead(b.op) {
		return
	}
	properties := map[string]gene.Gene{}
	gene.EachMember(target.payload, func(name string, g gene.Gene) { properties[name] = g })
	for name, v := range b.producers.Representation(b.op.ID, slices.Sorted(maps.Keys(properties))) {
		gene.AssignValue(properties[name], v)
	}
}

// acceptable returns the media type of JSON that an operation declares for its successful answers. It returns "" if
// the operation declares none.
func acceptable(op *model.Operation) string {
	for _, r := range op.Responses {
		for _, c := range r.Contents {
			if strings.HasPrefix(r.Status, "2") && isJSON(c.Media) {
				return concrete(c.Media)
			}
		}
	}
	return ""
}

// serve gives an input of the target a value, if wants says so. It takes the first of these that exists:
//
//   - a link to the same kind of value in the path of an earlier call (see repeat);
//   - the next small number, if no producer is likely (see number);
//   - the value of the most likely producer. Each earlier use makes a producer less likely, and a call of it
//     in this test makes it more likely.
//
// If the calls of the chosen producer fit into the test, the input is linked to them. Otherwise it gets the
// value that the producer returned last.
func (b *attemptBuilder) serve(in *producer.Consumer, target call) {
	if !b.wants(in, target) || b.repeat(in) {
		return
	}
	var best *producer.Candidate
	bestScore := 0.0
	candidates := b.producers.Candidates(in)
	for i, c := range candidates {
		used := b.progress.used[usedKey(in, c.Place)]
		if !in.Required && !in.IsReference && c.Score < producer.LikelyScore {
			continue
		}
		score := c.Score / float64(1+used*used)
		if b.indexOf(c.Place) >= 0 {
			score *= 2 // values of one test belong together
		}
		if score > bestScore {
			best, bestScore = &candidates[i], score
		}
	}
	if bestScore < serialScore && b.number(in, target) || best == nil {
		return
	}
	b.progress.used[usedKey(in, best.Place)]++
	if from := b.include(best.Place); from >= 0 {
		link := model.Link{From: from, In: in.In, Name: in.Name, Pointer: best.Pointer, Header: best.Header, Pattern: best.Pattern}
		b.links = append(b.links, b.makeDistinct(link))
		return
	}
	target.assign(pool.Input{In: in.In, Name: in.Name, Path: pointer.Tokens(in.Name)}, best.Value)
}

// Databases number their rows from 1. A required input that identifies something by an integer gets one of the
// numbers up to maxSerial if each of its producers has a score below serialScore.
const (
	serialScore = 10
	maxSerial   = 10
)

// number gives an input of the target the next number up to maxSerial. It returns false if no number is left, or
// if the input is not a required integer that identifies something.
func (b *attemptBuilder) number(in *producer.Consumer, target call) bool {
	key := usedKey(in, producer.Place{})
	n := b.progress.used[key]
	if !in.Required || !in.IsReference || !in.IsInteger() || n >= maxSerial {
		return false
	}
	b.progress.used[key]++
	return target.assign(pool.Input{In: in.In, Name: in.Name, Path: pointer.Tokens(in.Name)}, strconv.Itoa(n+1))
}

// wants reports whether an input is to get the value of a producer. A required reference always gets one, because it
// cannot be invented. Another required input may get one, because it may be a reference although the spec does not
// say so.
func (b *attemptBuilder) wants(in *producer.Consumer, target call) bool {
	x := b.rand.Float64()
	switch {
	case in.Required && in.IsReference:
		return true
	case b.isExample:
		return false
	case in.Required && in.IsUUID():
		return x < uuidChance
	case in.Required:
		return x < guessChance
	case in.IsReference && !target.has(in):
		return x < optionalChance
	}
	return target.has(in) && x < guessChance
}

// has reports whether a call has an input.
func (c call) has(in *producer.Consumer) bool {
	if in.In == model.InBody {
		g := gene.LookupField(c.payload, pointer.Tokens(in.Name))
		return g != nil && gene.IsPresent(g)
	}
	for i, p := range c.op.Params {
		if p.In == in.In && p.Name == in.Name {
			return gene.IsPresent(c.genes[i])
		}
	}
	return false
}

func usedKey(in *producer.Consumer, at producer.Place) string {
	return string(in.In) + in.Name + " " + string(at.Op) + at.Pointer + " " + at.Header + at.Pattern
}

// repeat links an input to a path parameter of an earlier call, if the parameter has the input's kind. It
// reports whether it found such a parameter.
func (b *attemptBuilder) repeat(in *producer.Consumer) bool {
	if in.Kind == "" {
		return false
	}
	for i, c := range slices.Backward(b.ind.calls) {
		for _, other := range b.producers.Consumers(c.op.ID) {
			if other.In == model.InPath && other.Kind == in.Kind {
				b.links = append(b.links, model.Link{From: i, In: in.In, Name: in.Name, Param: other.Name})
				return true
			}
		}
	}
	return false
}

// makeDistinct returns l unless the target already takes the value of l for another input. In that case it returns,
// with probability distinctChance, a link to the value of another element: two inputs, such as the accounts of a
// transfer, may have to differ.
func (b *attemptBuilder) makeDistinct(l model.Link) model.Link {
	from := b.created(l)
	isTaken := slices.ContainsFunc(b.links, func(other model.Link) bool {
		other = b.created(other)
		return other.From == from.From && linkedPlace(other) == linkedPlace(from)
	})
	if !isTaken || b.rand.Float64() >= distinctChance {
		return l
	}
	again := b.repeatCall(from.From)
	if again == from.From {
		return l
	}
	from.From = again
	return from
}

// created returns a copy of l that starts at the call that created the element. If l starts at a call that only reads
// the element, such as GET /teams/{id}, the copy starts where {id} comes from.
func (b *attemptBuilder) created(l model.Link) model.Link {
	for range len(b.ind.calls) {
		op := b.ind.calls[l.From].op
		i := slices.IndexFunc(b.ind.links, func(m model.Link) bool {
			return m.To == l.From && m.In == model.InPath && strings.HasSuffix(op.Path, "{"+m.Name+"}")
		})
		if !isRead(op) || i < 0 {
			break
		}
		m := b.ind.links[i]
		m.In, m.Name, m.To = l.In, l.Name, l.To
		l = m
	}
	return l
}

// linkedPlace returns the place in an answer or a call from which a link takes its value.
func linkedPlace(l model.Link) string {
	return cmp.Or(l.Pointer, l.Hint) + " " + l.Header + " " + l.Param + " " + l.Pattern
}

// repeatCall adds a copy of a call to the test, so that the copy creates another element. It returns the index of the
// copy. If the call creates nothing, or the test would be too long, repeatCall returns the index of the call itself.
func (b *attemptBuilder) repeatCall(at int) int {
	c := b.ind.calls[at]
	if c.op.Method != "POST" && c.op.Method != "PUT" || len(b.ind.calls)+1 >= b.maxCalls {
		return at
	}
	again := len(b.ind.calls)
	c = c.clone()
	c.resampleTexts(b.rand)
	b.ind.calls = append(b.ind.calls, c)
	for _, l := range slices.Clone(b.ind.links) {
		if l.To == at {
			b.ind.link(l, l.From, again)
		}
	}
	return again
}

// indexOf returns the index of the test's last call of the operation at.Op, -1 if there is none.
func (b *attemptBuilder) indexOf(at producer.Place) int {
	for i, c := range slices.Backward(b.ind.calls) {
		if c.op.ID == at.Op {
			return i
		}
	}
	return -1
}

// unusedCall looks for a call of an operation among the first n calls of the test. It returns the index of the last
// such call that is not in used, or -1.
func (b *attemptBuilder) unusedCall(op *model.Operation, n int, used []int) int {
	for i, c := range slices.Backward(b.ind.calls[:n]) {
		if c.op == op && !slices.Contains(used, i) {
			return i
		}
	}
	return -1
}

// include adds the calls of the witness of a place: an earlier test whose last answer had a value there. It returns
// the index of the call with this answer. It does not add calls that the test has already. It returns -1 if the place
// has no witness, or if the test would be too long.
func (b *attemptBuilder) include(at producer.Place) int {
	if i := b.indexOf(at); i >= 0 {
		return i
	}
	w := b.witnesses[at]
	if w == nil || len(b.ind.calls)+w.Len() >= b.maxCalls {
		return -1
	}
	index, before := make([]int, w.Len()), len(b.ind.calls)
	for i, c := range w.calls {
		if same := b.unusedCall(c.op, before, index[:i]); same >= 0 {
			index[i] = same
			continue
		}
		c = c.clone()
		if c.op.Method == "POST" && b.rand.Float64() < freshTextsChance {
			c.resampleTexts(b.rand)
		}
		index[i] = len(b.ind.calls)
		b.ind.calls = append(b.ind.calls, c)
		for _, l := range w.links {
			if l.To == i {
				b.ind.link(l, index[l.From], index[i])
			}
		}
	}
	return index[len(index)-1]
}
