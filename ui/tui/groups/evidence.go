package groups

import (
	"cmp"
	"slices"
	"strings"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// evidence is a place that holds a value, and why it is that value there.
type evidence struct {
	op         model.OpID
	emits      bool
	place, why string
}

func newEvidence(op model.OpID, u match.Use) evidence {
	return evidence{op: op, emits: u.Out, place: draw.Clean(where(u) + " " + cmp.Or(u.Pointer, u.Name)), why: draw.Clean(u.Why)}
}

// value is the exchanged value under the members' cursor, "" where that is on
// an operation. What it is stands in place of the seqs while the person looks
// at the members.
func (s *Screen) value() string {
	g := s.group()
	if g < 0 || s.focus != members && s.focus != seqs {
		return ""
	}
	at := s.member(s.members.At) - len(s.study.Groups[g].Operations)
	if all := s.exchanged(); at >= 0 && at < len(all) {
		return all[at].names[0]
	}
	return ""
}

// proof returns where the group's operations hold a value: first those that
// emit it. A place that several answers have is one.
func (s *Screen) proof(value string) []evidence {
	ops := operations(s.study, s.group())
	emit, take := credentialProof(s.study.Grants, ops, value), []evidence(nil)
	seen := map[evidence]bool{}
	for _, op := range ops {
		for _, u := range s.study.Matcher.Uses(op) {
			e := newEvidence(op.ID, u)
			switch {
			case u.ID != value || seen[e]:
				continue
			case e.emits:
				emit = append(emit, e)
			default:
				take = append(take, e)
			}
			seen[e] = true
		}
	}
	return append(emit, take...)
}

func (s *Screen) viewProof(r draw.Rect, value string) string {
	all := s.proof(value)
	title := "Why " + draw.Clean(value) + " is one value"
	if slices.ContainsFunc(s.study.Grants, func(g match.Grant) bool { return g.ID == value }) {
		title = "Who gives and takes " + draw.Clean(value)
	}
	f := s.frame(seqs, r, title, words.Plural(len(all), "place"))
	w, _ := f.Inner()
	var lines []string
	from, to := s.seqs.Visible()
	for i := from; i < min(to, len(all)); i++ {
		at := i == s.seqs.At
		row := append(draw.TextLine(s.cursor(at, seqs)+" ", theme.Active), all[i].row(w-3)...)
		lines = append(lines, row.Render(w, at && s.focus == seqs))
	}
	if spare(all, r) > 0 {
		lines = append(lines, "")
		for _, l := range all[s.seqs.At].told(w) {
			lines = append(lines, " "+theme.Dim.Render(l))
		}
	}
	return f.Render(strings.Join(lines, "\n"))
}

// spare is how many lines are kept free to tell the row under the cursor as a
// whole: none where each fits into its line, or where the pane is too low.
func spare(all []evidence, r draw.Rect) int {
	w, h := r.W-2, r.H-2
	cut := func(e evidence) bool { return e.cut(w - 3) }
	if !slices.ContainsFunc(all, cut) {
		return 0
	}
	most := 0
	for _, e := range all {
		most = max(most, 1+len(e.told(w)))
	}
	if most > h/2 {
		return 0
	}
	return most
}

// told is the evidence as a sentence, in lines.
func (e evidence) told(width int) []string {
	verb := "takes"
	if e.emits {
		verb = "emits"
	}
	text := draw.Clean(string(e.op)) + " " + verb + " it in " + e.place
	if e.why != "" {
		text += ": " + e.why
	}
	return words.Wrap(text, width-2)
}

// row is the operation, where it emits or takes the value, and why.
func (e evidence) row(width int) draw.Line {
	first, second := columnsOf(width)
	row := draw.OperationLine(string(e.op), first).At(
		first+1, draw.Span{Text: layout.Truncate(e.arrow()+" "+e.place, second), Style: theme.Value},
	)
	if e.why == "" {
		return row
	}
	return row.At(first+second+3, draw.Span{Text: e.why, Style: theme.Dim})
}

// cut reports whether the row is not whole.
func (e evidence) cut(width int) bool {
	first, second := columnsOf(width)
	return layout.Width(draw.Clean(string(e.op))) > first || layout.Width(e.arrow()+" "+e.place) > second ||
		first+second+3+layout.Width(e.why) > width
}

// columnsOf are the widths of the operation and of the place in a row.
func columnsOf(width int) (operation, place int) {
	return max(aWord, 3*width/10), max(aWord, width/4)
}

func (e evidence) arrow() string {
	if e.emits {
		return "◂"
	}
	return "▸" // the value goes into the operation
}

func where(u match.Use) string {
	if u.In == model.InResponse {
		return "body"
	}
	return string(u.In)
}
