package groups

import (
	"context"
	"fmt"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// regrouping changes the mode in which values are read and matched. Another mode leads to other groups. The analysis
// in a new mode is slow, so it runs in the background. Only the latest analysis is used.
type regrouping struct {
	mode    match.Mode // the mode that the user has chosen; the spec on the screen may have another one
	number  int        // number of the latest analysis
	cancel  context.CancelFunc
	changes []change // index: group; value: its change; nil if the mode was not changed
}

// change is the effect of a new mode on a group. A merged group has operations of several old groups. A
// split group has only a part of an old group.
type change struct{ merged, split bool }

// sign returns the sign before the group's name.
func (c change) sign() string {
	switch {
	case c.merged && c.split:
		return "* "
	case c.merged:
		return "+ "
	case c.split:
		return "/ "
	}
	return ""
}

// regrouped is sent when the spec was analyzed in another mode.
type regrouped struct {
	number   int
	analyzed *screen.AnalyzedSpec
}

// reset sets the mode of a new spec.
func (r *regrouping) reset(mode match.Mode) {
	r.abandon()
	r.mode, r.changes = mode, nil
}

// running reports whether an analysis is in progress.
func (r *regrouping) running() bool { return r.cancel != nil }

// abandon stops the current analysis, if there is one.
func (r *regrouping) abandon() {
	r.number++
	if r.cancel != nil {
		r.cancel()
		r.cancel = nil
	}
}

// start abandons the current analysis and starts an analysis in another mode. The command returns a regrouped. It
// returns nil if the new analysis is abandoned before it is finished.
func (r *regrouping) start(spec *model.Spec, mode match.Mode) tea.Cmd {
	r.abandon()
	r.mode = mode
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	number := r.number
	return func() tea.Msg {
		analyzed, err := screen.AnalyzeSpec(ctx, spec, mode)
		if err != nil {
			return nil
		}
		return regrouped{number: number, analyzed: analyzed}
	}
}

// finish reports whether msg is the result of the latest analysis. If so, it marks the analysis as
// finished.
func (r *regrouping) finish(msg regrouped) bool {
	if msg.number != r.number || r.cancel == nil {
		return false
	}
	r.cancel()
	r.cancel = nil
	return true
}

// sign returns the sign for the effect of the last change of mode on a group.
func (r *regrouping) sign(group int) string {
	if group >= len(r.changes) {
		return ""
	}
	return r.changes[group].sign()
}

// otherMatch returns the mode with the other way of matching values.
func otherMatch(m match.Mode) match.Mode {
	m.Match = other(m.Match, match.MatchQualified, match.MatchByName)
	return m
}

// otherDepth returns the mode with the other depth of reading values.
func otherDepth(m match.Mode) match.Mode {
	m.Values = other(m.Values, match.DeepReading, match.ShallowReading)
	return m
}

// other returns the second of two values if the current value is the first, and the first value otherwise.
func other[T comparable](now, first, second T) T {
	if now == first {
		return second
	}
	return first
}

// compare returns how each group of the new analysis differs from the groups of the old one.
func compare(before, after *screen.AnalyzedSpec) []change {
	parts := map[int]map[int]bool{} // key: group of the old analysis; value: its groups in the new one
	out := make([]change, len(after.Groups))
	for g, group := range after.Groups {
		from := map[int]bool{}
		for _, op := range group.Operations {
			old := before.GroupOf[op]
			from[old] = true
			if parts[old] == nil {
				parts[old] = map[int]bool{}
			}
			parts[old][g] = true
		}
		out[g].merged = len(from) > 1
	}
	for _, into := range parts {
		for g := range into {
			out[g].split = out[g].split || len(into) > 1
		}
	}
	return out
}

// report describes the effect of the last change of mode on the groups.
func (r *regrouping) report(before, after *screen.AnalyzedSpec) string {
	merged, split := 0, 0
	for _, c := range r.changes {
		if c.merged {
			merged++
		}
		if c.split {
			split++
		}
	}
	text := fmt.Sprintf("%s: %s, %s before", modeText(after.Matcher.Mode),
		words.Plural(len(after.Groups), "group"), words.Count(len(before.Groups)))
	if merged > 0 {
		text += fmt.Sprintf(", %s merged", words.Count(merged))
	}
	if split > 0 {
		text += fmt.Sprintf(", %s split", words.Count(split))
	}
	return text
}

// modeText returns the name of a mode, such as "by name, deep".
func modeText(m match.Mode) string {
	text := string(m.Match)
	if m.Match == match.MatchByName {
		text = "by name"
	}
	return text + ", " + string(m.Values)
}
