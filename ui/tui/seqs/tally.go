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

// tally holds the number of picked rows, and how many groups and operations of the scope the picked rows reach.
type tally struct {
	picked                      int
	groups, totalGroups         int
	operations, totalOperations int
}

// newTally counts the groups and operations of the scope that the picks reach. It counts only the picks if no
// spec is open.
func newTally(c *catalog) tally {
	picks := c.picks()
	t := tally{picked: len(picks)}
	if c.analyzed == nil {
		return t
	}
	reached := map[model.OpID]bool{}
	for _, r := range picks {
		for _, op := range r.Seq {
			reached[op] = true
		}
	}
	all, groups := map[int]bool{}, map[int]bool{}
	for _, op := range c.operations() {
		g := c.analyzed.GroupOf[op]
		t.totalOperations++
		all[g] = true
		if reached[op] {
			t.operations++
			groups[g] = true
		}
	}
	t.groups, t.totalGroups = len(groups), len(all)
	return t
}

// The forms of the line about the picks, from the longest to the shortest.
const (
	longest = iota
	long
	short
	shortest
	forms
)

// line returns the coverage of the picks, and the key that covers the rest of the scope, in the longest form that
// fits in width cells.
func (t tally) line(c *coverage, width int) draw.Line {
	for form := longest; ; form++ {
		line := append(t.reachLine(form), t.nextLine(c, form)...)
		if line.Width() <= width || form == shortest {
			return line.Cut(width)
		}
	}
}

// reachLine returns the number of groups and operations that the picks reach.
func (t tally) reachLine(form int) draw.Line {
	n := words.Count(t.picked)
	var texts [forms]string
	switch {
	case t.picked == 0:
		texts = [forms]string{"none picked", "none picked", "none picked", "none picked"}
	case t.complete():
		groups, operations := words.Plural(t.totalGroups, "group"), words.Plural(t.totalOperations, "operation")
		all := fmt.Sprintf("%s picked: all %s, all %s", n, groups, operations)
		texts = [forms]string{all + "; nothing is missing", all, n + " picked: nothing is missing", theme.Picked + n + ": all ops"}
	default:
		counts := []any{t.groups, t.totalGroups, t.operations, t.totalOperations}
		all := n + " picked: " + fmt.Sprintf("%d of %d groups, %d of %d operations", counts...)
		ratios := fmt.Sprintf("%d/%d groups, %d/%d ops", counts...)
		texts = [forms]string{all, all, n + " picked: " + ratios, theme.Picked + n + ": " + ratios}
	}
	return plainLine(texts[form])
}

// complete reports whether the picks reach all operations.
func (t tally) complete() bool { return t.picked > 0 && t.operations == t.totalOperations }

// nextLine returns a hint that says how the user can reach more operations.
func (t tally) nextLine(c *coverage, form int) draw.Line {
	var line draw.Line
	between := "; "
	if t.picked == 0 {
		between = ", "
	}
	if t.picked == 0 && form < shortest {
		line = append(plainLine(": "), keyLine(keyPick, " picks a seq")...)
	}
	switch {
	case t.complete():
		return line
	case len(c.rows) > 0:
		return append(append(line, plainLine(between)...), keyLine(keyCover, t.offer(c)[form])...)
	case c.known && t.picked > 0:
		none := [forms]string{"; the rest is in no seq here", "; the rest is in no seq", "; rest in none", ""}
		return append(line, plainLine(none[form])...)
	}
	return line
}

// offer describes, in each form of the line, the effect of keyCover: how many seqs it picks, and how many operations
// are in no listed seq.
func (t tally) offer(c *coverage) [forms]string {
	n, none := words.Count(len(c.rows)), len(c.Operations)
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
	case c.IsMinimum:
		texts[longest] = does + "the fewest that cover " + what + ": " + n
	}
	return texts
}

func plainLine(text string) draw.Line { return draw.TextLine(text, theme.Plain) }

// keyLine draws the name of a key, and its effect.
func keyLine(b key.Binding, does string) draw.Line {
	return draw.Line{{Text: widget.KeyName(b), Style: theme.Accent}, {Text: does, Style: theme.Plain}}
}
