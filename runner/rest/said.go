package rest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/outside"
)

// What is here is of the values that hosts say: a host may say what it likes, so that
// more is tried with them than with what a caller sends.

// expect lets hosts know what the service compared with what they said.
func expect(leaves []leaf, texts []string, all []Hint) {
	for _, h := range all {
		if l := leaves[h.leaf]; l.said != nil && h.op != model.Unequal {
			l.said.Expect(h.about(l), h.expected(texts[h.leaf]))
		}
	}
}

// about is the name of the value that a hint is for.
func (h Hint) about(l leaf) string {
	if h.view.kind == behind {
		return l.said.Next()
	}
	return l.name
}

// expected is what a text would be that the hint was put into.
func (h Hint) expected(text string) outside.Expected {
	switch {
	case h.op == model.Matches:
		return outside.Expected{Text: h.with.Text, Pattern: !h.with.Cut}
	case h.with.Kind == model.IntOperand && h.view.kind == whole:
		return outside.Expected{Text: strconv.FormatInt(h.with.Int, 10)}
	case h.with.Kind != model.TextOperand:
		return outside.Expected{}
	case h.view.kind == part:
		return outside.Expected{Text: text[:h.view.at] + h.with.Text + text[h.view.at+len(h.view.cut):]}
	}
	return outside.Expected{Text: h.with.Text}
}

// rests are the values that hosts say of which the rest may be what is compared, where that
// is too short to be known elsewhere: behind a beginning that was cut off.
func rests(texts []string, leaves []leaf, c model.Compared) []Hint {
	end := c.A.Text
	if c.A.Kind != model.TextOperand || c.Op == model.Matches || len(end) >= shortestPart || c.A.Cut || c.B.Kind != model.TextOperand {
		return nil
	}
	var all []Hint
	for i, l := range leaves {
		if l.said != nil && len(texts[i]) > len(end) && strings.HasSuffix(texts[i], end) && len(all) < mostViews {
			all = append(all, Hint{Slot: c.Slot, leaf: i, view: view{kind: part, at: len(texts[i]) - len(end), cut: end}, op: c.Op, with: c.B})
		}
	}
	return all
}

// missing are the ends of lines behind which there may be too little: the service looked
// for something in nothing.
func missing(leaves []leaf, c model.Compared) []Hint {
	if c.Op != model.Matches && c.Op != model.Equal || c.A.Kind != model.TextOperand || c.A.Text != "" || c.A.Cut {
		return nil
	}
	var all []Hint
	for i, l := range leaves {
		if l.said != nil && l.said.Ends() && len(all) < mostViews {
			all = append(all, Hint{Slot: c.Slot, leaf: i, view: view{kind: behind}, op: c.Op, with: c.B})
		}
	}
	return all
}

// others are the values that hosts say and that are what they were compared with: where
// that they are not did not come, they are to be something else that is looked for there.
func others(texts []string, leaves []leaf, c model.Compared) []Hint {
	if c.Op != model.Equal && c.Op != model.Unequal {
		return nil
	}
	return slices.DeleteFunc(seen(texts, c.Slot, c.A, model.Unequal, c.B), func(h Hint) bool { return leaves[h.leaf].said == nil || h.view.kind != whole })
}

// mostWords bounds the number of words that a line is given.
const mostWords = 16

// counts are the lines that hosts say of which an operand may be the number of words.
func counts(leaves []leaf, slot int, operand model.Operand, op model.Relation, with model.Operand) []Hint {
	if operand.Kind != model.IntOperand || with.Kind != model.IntOperand || with.Int < 1 || with.Int > mostWords {
		return nil
	}
	var all []Hint
	for i, l := range leaves {
		if l.said != nil && operand.Int == int64(l.said.Count()) && operand.Int > 0 && len(all) < mostViews {
			all = append(all, Hint{Slot: slot, leaf: i, view: view{kind: count}, op: op, with: with})
		}
	}
	return all
}

// tails are the ends of lines that hosts say and in which an operand is seen: of a line
// that is taken apart, the rest.
func tails(leaves []leaf, slot int, operand model.Operand, op model.Relation, with model.Operand) []Hint {
	var all []Hint
	for i, l := range leaves {
		if l.said == nil || operand.Kind != model.TextOperand || len(all) == mostViews {
			continue
		}
		text := strings.TrimSpace(l.said.Tail())
		if text != "" && (text == operand.Text || operand.Cut && strings.HasPrefix(text, operand.Text)) {
			all = append(all, Hint{Slot: slot, leaf: i, view: view{kind: tail}, op: op, with: with})
		}
	}
	return all
}

// putCount is put for the number of words of a line.
func (h Hint) putCount(r *rand.Rand, l leaf) bool {
	return l.said.Count() > 0 && l.said.PutCount(int(h.with.Int+step(r, h.op)))
}

// putBehind is put for the word that is missing.
func (h Hint) putBehind(r *rand.Rand, l leaf) bool {
	text, ok := view{kind: whole}.put(r, "", h.op, h.with)
	return ok && text != "" && l.said.Append(text)
}

// putTail is put for the end of a line, which becomes one word.
func (h Hint) putTail(r *rand.Rand, l leaf) bool {
	was := l.said.Tail()
	text, ok := view{kind: whole}.put(r, was, h.op, h.with)
	return ok && text != was && l.said.PutTail(text)
}
