package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Hint proposes to change a value of a test, because the service compared this value with an operand. After the
// change, the comparison should have its other outcome. A hint is a guess, because the service may have compared
// another value with the same content.
type Hint struct {
	Slot int            // number of the outcome of the comparison that did not occur; see model.ComparedOperands
	leaf int            // index of the value in the individual's leaves
	view view           // how the service computed the compared operand from the value
	op   model.Relation // relation of the comparison, with the value on the left side
	with model.Operand  // operand on the right side
}

// Limits of the hints for a test.
const (
	maxHintsPerTest = 64
	maxViews        = 4 // hints for one operand
)

// MatchOperands returns hints for the comparisons in compared. Each comparison has an outcome that did not occur in the
// test. To make it occur, a hint changes a value of the test that the service may have compared. If no value of the
// test explains the operands of a comparison, MatchOperands assumes that the first operand is a number or time of the
// test plus something unknown. If mutations use hints, MatchOperands also records in the stubs what the service expects
// of the hosts.
func (p *Problem) MatchOperands(ind *Individual, compared []model.ComparedOperands) []Hint {
	if len(compared) == 0 || !p.sampling.SeesOperands() {
		return nil
	}
	leaves := ind.leaves()
	texts := make([]string, len(leaves))
	for i, l := range leaves {
		texts[i] = gene.Text(l.gene)
	}
	var all []Hint
	for _, c := range compared {
		if len(all) >= maxHintsPerTest {
			break
		}
		all = append(all, hintsOf(texts, leaves, c)...)
	}
	if p.sampling.Operands > 0 {
		recordExpected(leaves, texts, all)
	}
	return all
}

// hintsOf returns the hints of one comparison.
func hintsOf(texts []string, leaves []leaf, c model.ComparedOperands) []Hint {
	if c.A == c.B {
		return equalHostValues(texts, leaves, c)
	}
	all := slices.Concat(
		valuesSeen(texts, c.Slot, c.A, c.Op, c.B), hostSuffixes(texts, leaves, c), missingWords(leaves, c),
		lineTails(leaves, c.Slot, c.A, c.Op, c.B), wordCounts(leaves, c.Slot, c.A, c.Op, c.B),
	)
	if c.Op != model.Matches { // for Matches, the second operand is a regular expression, which comes from no value
		op := flipped(c.Op)
		all = slices.Concat(
			all, valuesSeen(texts, c.Slot, c.B, op, c.A), lineTails(leaves, c.Slot, c.B, op, c.A),
			wordCounts(leaves, c.Slot, c.B, op, c.A),
		)
	}
	if len(all) > 0 {
		return all
	}
	gap, ok := gapBetween(c.A, c.B)
	for i := 0; ok && i < len(texts) && len(all) < maxViews; i++ {
		if isNumber(texts[i]) || isTime(texts[i]) {
			shift := view{kind: shifted, gap: gap}
			all = append(all, Hint{Slot: c.Slot, leaf: i, view: shift, op: c.Op, with: c.B})
		}
	}
	return all
}

// valuesSeen returns at most maxViews hints for an operand. Each hint is for a value from which the service may have
// computed the operand.
func valuesSeen(texts []string, slot int, operand model.Operand, op model.Relation, with model.Operand) []Hint {
	var all []Hint
	for i, text := range texts {
		for _, v := range views(text, operand) {
			all = append(all, Hint{Slot: slot, leaf: i, view: v, op: op, with: with})
			if len(all) == maxViews {
				return all
			}
		}
	}
	return all
}

// flipped returns the relation for swapped operands. For "begins with", "ends with" and "contains" it
// returns equality, because equal texts satisfy these relations, too.
func flipped(op model.Relation) model.Relation {
	switch op {
	case model.Less:
		return model.Greater
	case model.LessOrEqual:
		return model.GreaterOrEqual
	case model.Greater:
		return model.Less
	case model.GreaterOrEqual:
		return model.LessOrEqual
	case model.HasPrefix, model.HasSuffix, model.ContainsText:
		return model.Equal
	}
	return op
}

// togetherChance is the probability of applying all hints of a comparison at once. The values of one row of a
// database, for example, belong together.
const togetherChance = 0.3

// applyHint applies one of the hints to a test, or sometimes all hints of a comparison. It reports whether it
// changed a value.
func applyHint(r *rand.Rand, ind *Individual, hints []Hint) bool {
	leaves := ind.leaves()
	for range min(len(hints), maxTries) {
		h := hints[r.IntN(len(hints))]
		done := h.apply(r, leaves)
		if r.Float64() < togetherChance {
			for _, other := range hints {
				if other.Slot == h.Slot && other.leaf != h.leaf {
					done = other.apply(r, leaves) || done
				}
			}
		}
		if done {
			return true
		}
	}
	return false
}

// hintsDue decides by chance, with the given probability, whether to apply a hint. Without hints it returns
// false and draws no random number.
func hintsDue(r *rand.Rand, hints []Hint, odds float64) bool {
	return len(hints) > 0 && r.Float64() < odds
}

// apply changes the hint's value, and reports whether it did.
func (h Hint) apply(r *rand.Rand, leaves []leaf) bool {
	if h.leaf >= len(leaves) {
		return false
	}
	l := leaves[h.leaf]
	switch h.view.kind {
	case lineTail:
		return l.stub != nil && h.applyToTail(r, l)
	case nextWord:
		return l.stub != nil && h.appendWord(r, l)
	case wordCount:
		return l.stub != nil && h.applyToCount(r, l)
	}
	g := l.gene
	was := gene.Text(g)
	if l.stub != nil && h.op == model.Unequal && h.with.Text == was {
		return gene.AssignText(g, l.stub.Alternative(r, l.name, was))
	}
	text, ok := h.view.put(r, was, h.op, h.with)
	return ok && text != was && gene.AssignText(g, text)
}
