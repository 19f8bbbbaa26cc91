package seqs

import (
	"fmt"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
)

// tally is what the picks reach of the spec.
type tally struct {
	picked                   int
	groups, ofGroups         int
	operations, ofOperations int
}

func newTally(s *store, picks []*row) tally {
	t := tally{picked: len(picks)}
	if s.study == nil {
		return t
	}
	groups, ops := map[int]bool{}, map[model.OpID]bool{}
	for _, r := range picks {
		for _, op := range r.Seq {
			if g, known := s.study.GroupOf[op]; known {
				groups[g], ops[op] = true, true
			}
		}
	}
	t.groups, t.ofGroups = len(groups), len(s.study.Groups)
	t.operations, t.ofOperations = len(ops), len(s.study.Spec.Operations)
	return t
}

// forms are the lengths in which the line of the picks is written.
const (
	longest = iota
	long
	short
	shortest
	forms
)

// line says what the picks reach and which key picks the rest, in the longest
// form that fits into width cells.
func (t tally) line(r *rest, width int) draw.Line {
	for form := longest; ; form++ {
		line := append(t.reach(form), t.way(r, form)...)
		if line.Width() <= width || form == shortest {
			return line.Cut(width)
		}
	}
}

// reach is how far the picks reach.
func (t tally) reach(form int) draw.Line {
	n := words.Count(t.picked)
	var texts [forms]string
	switch {
	case t.picked == 0:
		texts = [forms]string{"none picked", "none picked", "none picked", "none picked"}
	case t.full():
		all := fmt.Sprintf("%s picked: all %s, all %s", n, words.Plural(t.ofGroups, "group"), words.Plural(t.ofOperations, "operation"))
		texts = [forms]string{all + "; nothing is missing", all, n + " picked: nothing is missing", theme.Picked + n + ": all ops"}
	default:
		all := fmt.Sprintf("%s picked: %d of %d groups, %d of %d operations", n, t.groups, t.ofGroups, t.operations, t.ofOperations)
		ratios := fmt.Sprintf("%d/%d groups, %d/%d ops", t.groups, t.ofGroups, t.operations, t.ofOperations)
		texts = [forms]string{all, all, n + " picked: " + ratios, theme.Picked + n + ": " + ratios}
	}
	return plain(texts[form])
}

func (t tally) full() bool { return t.picked > 0 && t.operations == t.ofOperations }

// way is how to reach more.
func (t tally) way(r *rest, form int) draw.Line {
	var line draw.Line
	between := "; "
	if t.picked == 0 {
		between = ", "
	}
	if t.picked == 0 && form < shortest {
		line = append(plain(": "), named(keyPick, " picks a seq")...)
	}
	switch {
	case t.full():
		return line
	case len(r.rows) > 0:
		return append(append(line, plain(between)...), named(keyCover, t.offer(r)[form])...)
	case r.known && t.picked > 0:
		return append(line, plain([forms]string{"; the rest is in no seq here", "; the rest is in no seq", "; rest in none", ""}[form])...)
	}
	return line
}

// offer is what the key does: how many seqs it picks, and how many operations
// are in none.
func (t tally) offer(r *rest) [forms]string {
	n, none := words.Count(len(r.rows)), len(r.Operations)
	does, what := " adds ", "the rest"
	if t.picked == 0 {
		does, what = " picks ", "all"
	}
	texts := [forms]string{does + n + " that cover " + what, does + n + " for " + what, does + n, " +" + n}
	if t.picked == 0 {
		texts[shortest] = does + n
	}
	switch {
	case none > 0:
		texts[longest] = fmt.Sprintf("%s%s, all but %s that no seq here has", does, n, words.Plural(none, "operation"))
		texts[long] = fmt.Sprintf("%s%s, all but %d", does, n, none)
	case r.Fewest:
		texts[longest] = does + "the fewest that cover " + what + ": " + n
	}
	return texts
}

func plain(text string) draw.Line { return draw.TextLine(text, theme.Plain) }

// named is a key in a text, and what it does.
func named(b key.Binding, does string) draw.Line {
	return draw.Line{{Text: widget.KeyName(b), Style: theme.Accent}, {Text: does, Style: theme.Plain}}
}
