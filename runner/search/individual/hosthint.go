package individual

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/network/hostmodel"
	"sonde/runner/search/gene"
)

// This file has hints for values that hosts send. A host may send anything, so its values can be
// changed in more ways than the values of calls.

// recordExpected records in the stubs the operands with which the service compared the values of hosts.
func recordExpected(leaves []leaf, texts []string, all []Hint) {
	for _, h := range all {
		if l := leaves[h.leaf]; l.stub != nil && h.op != model.Unequal {
			l.stub.RecordExpected(h.name(l), h.expected(texts[h.leaf]))
		}
	}
}

// name returns the name of the value that the hint changes.
func (h Hint) name(l leaf) string {
	if h.view.kind == nextWord {
		return l.stub.NextName()
	}
	return l.name
}

// expected returns the value that the service seems to expect instead of text, the present value.
func (h Hint) expected(text string) hostmodel.Expected {
	switch {
	case h.op == model.Matches:
		return hostmodel.Expected{Text: h.with.Text, Pattern: !h.with.Cut}
	case h.with.Kind == model.IntOperand && h.view.kind == whole:
		return hostmodel.Expected{Text: strconv.FormatInt(h.with.Int, 10)}
	case h.with.Kind != model.TextOperand:
		return hostmodel.Expected{}
	case h.view.kind == substring:
		return hostmodel.Expected{Text: text[:h.view.at] + h.with.Text + text[h.view.at+len(h.view.cut):]}
	}
	return hostmodel.Expected{Text: h.with.Text}
}

// hostSuffixes returns hints for values that hosts send and that end with the first operand. The service may have cut
// off the beginning of the value. hostSuffixes uses only operands of less than minSubstring bytes, which other views
// ignore.
func hostSuffixes(texts []string, leaves []leaf, c model.ComparedOperands) []Hint {
	suffix := c.A.Text
	isText := c.A.Kind == model.TextOperand && !c.A.Cut && c.B.Kind == model.TextOperand
	if !isText || c.Op == model.Matches || len(suffix) >= minSubstring {
		return nil
	}
	var all []Hint
	for i, l := range leaves {
		if l.stub != nil && len(texts[i]) > len(suffix) && strings.HasSuffix(texts[i], suffix) && len(all) < maxViews {
			v := view{kind: substring, at: len(texts[i]) - len(suffix), cut: suffix}
			all = append(all, Hint{Slot: c.Slot, leaf: i, view: v, op: c.Op, with: c.B})
		}
	}
	return all
}

// missingWords returns hints for lines of hosts that may have too few words: the service searched for a
// word in an empty text.
func missingWords(leaves []leaf, c model.ComparedOperands) []Hint {
	if c.Op != model.Matches && c.Op != model.Equal || c.A.Kind != model.TextOperand || c.A.Text != "" || c.A.Cut {
		return nil
	}
	var all []Hint
	for i, l := range leaves {
		if l.stub != nil && l.stub.IsLastWord() && len(all) < maxViews {
			all = append(all, Hint{Slot: c.Slot, leaf: i, view: view{kind: nextWord}, op: c.Op, with: c.B})
		}
	}
	return all
}

// equalHostValues returns hints for a comparison of two equal operands, one of which is a value that a host sends.
// Each hint replaces this value by another text for which the service searches. Such a text leads to the branch for
// unequal operands, and helps more often there than a random text.
func equalHostValues(texts []string, leaves []leaf, c model.ComparedOperands) []Hint {
	if c.Op != model.Equal && c.Op != model.Unequal {
		return nil
	}
	return slices.DeleteFunc(valuesSeen(texts, c.Slot, c.A, model.Unequal, c.B), func(h Hint) bool {
		return leaves[h.leaf].stub == nil || h.view.kind != whole
	})
}

// maxLineWords is the maximum number of words that a hint gives a line.
const maxLineWords = 16

// wordCounts returns hints for lines that hosts send. The number of words in such a line equals the operand.
func wordCounts(leaves []leaf, slot int, operand model.Operand, op model.Relation, with model.Operand) []Hint {
	areInts := operand.Kind == model.IntOperand && with.Kind == model.IntOperand
	if !areInts || with.Int < 1 || with.Int > maxLineWords {
		return nil
	}
	var all []Hint
	for i, l := range leaves {
		counts := l.stub != nil && operand.Int > 0 && operand.Int == int64(l.stub.WordCount())
		if counts && len(all) < maxViews {
			all = append(all, Hint{Slot: slot, leaf: i, view: view{kind: wordCount}, op: op, with: with})
		}
	}
	return all
}

// lineTails returns hints for lines that hosts send and that end with the operand. The service may have split the
// line, also inside a word.
func lineTails(leaves []leaf, slot int, operand model.Operand, op model.Relation, with model.Operand) []Hint {
	var all []Hint
	for i, l := range leaves {
		if l.stub == nil || operand.Kind != model.TextOperand || len(all) == maxViews {
			continue
		}
		tail := strings.TrimSpace(l.stub.LineTail())
		before, isEnd := strings.CutSuffix(tail, operand.Text)
		switch {
		case tail == "" || operand.Text == "":
		case tail == operand.Text || operand.Cut && strings.HasPrefix(tail, operand.Text):
			all = append(all, Hint{Slot: slot, leaf: i, view: view{kind: lineTail}, op: op, with: with})
		case isEnd && !operand.Cut && len(before) <= len(gene.Text(l.gene)):
			all = append(all, Hint{Slot: slot, leaf: i, view: view{kind: lineTail, cut: before}, op: op, with: with})
		}
	}
	return all
}

// applyToCount sets the number of words of a line to the hint's operand, or to one more or one less. It reports
// whether it did.
func (h Hint) applyToCount(r *rand.Rand, l leaf) bool {
	return l.stub.WordCount() > 0 && l.stub.SetWordCount(int(h.with.Int+step(r, h.op)))
}

// appendWord appends the word that the service searched for to a line, and reports whether it did.
func (h Hint) appendWord(r *rand.Rand, l leaf) bool {
	text, ok := view{kind: whole}.put(r, "", h.op, h.with)
	return ok && text != "" && l.stub.AppendWord(text)
}

// applyToTail replaces the end of a line by one word, and reports whether it did. If the service cut off the
// beginning of this end, applyToTail keeps that beginning before the word.
func (h Hint) applyToTail(r *rand.Rand, l leaf) bool {
	was, ok := strings.CutPrefix(l.stub.LineTail(), h.view.cut)
	if !ok {
		return false
	}
	text, ok := view{kind: whole}.put(r, was, h.op, h.with)
	return ok && text != was && l.stub.SetLineTail(h.view.cut+text)
}
