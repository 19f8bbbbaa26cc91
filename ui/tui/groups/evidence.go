package groups

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// evidence is a place that holds a value, and why it is that value there.
type evidence struct {
	op  model.OpID
	use match.Use
}

// value is the exchanged value under the members' cursor, "" where that is on
// an operation. What it is stands in place of the seqs while the person looks
// at the members.
func (s *Screen) value() string {
	g := s.group()
	if g < 0 || s.focus != members && s.focus != seqs {
		return ""
	}
	at := s.members.At - len(s.study.Groups[g].Operations)
	if all := s.exchanged(); at >= 0 && at < len(all) {
		return all[at].names[0]
	}
	return ""
}

// proof returns where the group's operations hold a value: first those that
// emit it.
func (s *Screen) proof(value string) []evidence {
	var emit, take []evidence
	for _, op := range operations(s.study, s.group()) {
		for _, u := range s.study.Matcher.Uses(op) {
			switch {
			case u.ID != value:
			case u.Out:
				emit = append(emit, evidence{op.ID, u})
			default:
				take = append(take, evidence{op.ID, u})
			}
		}
	}
	return append(emit, take...)
}

func (s *Screen) viewProof(r pane.Rect, value string) string {
	all := s.proof(value)
	f := s.frame(seqs, r, "Why "+pane.Clean(value)+" is one value", words.Plural(len(all), "place"))
	w, _ := f.Inner()
	var lines []string
	from, to := s.seqs.Visible()
	for i := from; i < min(to, len(all)); i++ {
		at := i == s.seqs.At
		row := append(pane.Text(s.cursor(at, seqs)+" ", theme.Active), all[i].row(w-3)...)
		lines = append(lines, row.Render(w, at && s.focus == seqs))
	}
	return f.Render(strings.Join(lines, "\n"))
}

// row is the operation, where it emits or takes the value, and why.
func (e evidence) row(width int) pane.Line {
	arrow := "▸" // the value goes into the operation
	if e.use.Out {
		arrow = "◂"
	}
	place := fmt.Sprintf("%s %s %s", arrow, where(e.use), pane.Clean(cmp.Or(e.use.Pointer, e.use.Name)))
	first, second := max(aWord, 3*width/10), max(aWord, width/4)
	row := pane.Operation(string(e.op), first).At(first+1, pane.Span{Text: layout.Truncate(place, second), Style: theme.Value})
	if e.use.Why == "" {
		return row
	}
	return row.At(first+second+3, pane.Span{Text: pane.Clean(e.use.Why), Style: theme.Dim})
}

func where(u match.Use) string {
	if u.In == model.InResponse {
		return "body"
	}
	return string(u.In)
}
