package groups

import (
	"context"
	"fmt"

	"sonde/model/match"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// reading is in which way the values are read and told apart, and what became of
// the groups when that was changed last.
type reading struct {
	way   match.Mode // that is wanted; the study may still be of another
	no    int        // of the newest study that was asked for
	stop  context.CancelFunc
	moved []moved // by group, nil where nothing was changed
}

// moved says what became of a group by a change: it has operations of several
// groups of before, or not all of one of them.
type moved struct{ merged, split bool }

// sign is what stands before the group's name.
func (m moved) sign() string {
	switch {
	case m.merged && m.split:
		return "* "
	case m.merged:
		return "+ "
	case m.split:
		return "/ "
	}
	return ""
}

// restudied brings the study of a spec in another way.
type restudied struct {
	no    int
	study *screen.AnalyzedSpec
}

// reset forgets how a spec before was read.
func (r *reading) reset(way match.Mode) {
	r.halt()
	r.way, r.moved = way, nil
}

// halt ends the study that goes on.
func (r *reading) halt() {
	r.no++
	if r.stop != nil {
		r.stop()
		r.stop = nil
	}
}

// names and depths change how values are told apart, and how deeply they are read.
func names(w match.Mode) match.Mode {
	w.Match = other(w.Match, match.Qualified, match.ByName)
	return w
}

func depths(w match.Mode) match.Mode {
	w.Values = other(w.Values, match.Deep, match.Shallow)
	return w
}

// other is the usual one of two, or the second where it is that already.
func other[T comparable](now, usual, second T) T {
	if now == usual {
		return second
	}
	return usual
}

// restudy studies the spec in another way, in the background.
func (s *Screen) restudy(change func(match.Mode) match.Mode) tea.Cmd {
	s.read.halt()
	s.read.way = change(s.read.way)
	ctx, stop := context.WithCancel(context.Background())
	s.read.stop = stop
	spec, way, no := s.study.Spec, s.read.way, s.read.no
	return func() tea.Msg {
		study, err := screen.AnalyzeSpec(ctx, spec, way)
		if err != nil {
			return nil // another way is wanted by now, or another spec
		}
		return restudied{no, study}
	}
}

// restudied shows the groups of the other way. The cursor stays on its operation.
func (s *Screen) restudied(msg restudied) tea.Cmd {
	if msg.no != s.read.no {
		return nil
	}
	s.read.stop()
	s.read.stop = nil
	before, focus, op := s.study, s.focus, s.op()
	if g := s.group(); op == "" && g >= 0 {
		op = before.Groups[g].Operations[0]
	}
	s.take(msg.study)
	s.read.moved = compare(before, msg.study)
	s.visit(op)
	s.focus = focus
	return screen.ShowStatus(s.said(len(before.Groups)))
}

// compare says of each group what became of it by a change.
func compare(before, after *screen.AnalyzedSpec) []moved {
	parts := map[int]map[int]bool{} // group before → groups after
	out := make([]moved, len(after.Groups))
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

// said tells what a change did.
func (s *Screen) said(before int) string {
	merged, split := 0, 0
	for _, m := range s.read.moved {
		if m.merged {
			merged++
		}
		if m.split {
			split++
		}
	}
	text := fmt.Sprintf("%s: %s, %s before", wayText(s.study.Matcher.Mode), words.Plural(len(s.study.Groups), "group"), words.Count(before))
	if merged > 0 {
		text += fmt.Sprintf(", %s merged", words.Count(merged))
	}
	if split > 0 {
		text += fmt.Sprintf(", %s split", words.Count(split))
	}
	return text
}

// wayText names a way: "by name, deep".
func wayText(w match.Mode) string {
	text := string(w.Match)
	if w.Match == match.ByName {
		text = "by name"
	}
	return text + ", " + string(w.Values)
}
