package groups

import (
	"cmp"
	"slices"

	"sonde/analysis/layout"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// evidence is a place where an operation emits or takes a value. why is the reason why this is the same value as in
// the other places.
type evidence struct {
	op         model.OpID
	emits      bool
	place, why string
}

func newEvidence(op model.OpID, u match.ValueUse) evidence {
	return evidence{
		op:    op,
		emits: u.Out,
		place: draw.Clean(place(u) + " " + cmp.Or(u.Pointer, u.Name)),
		why:   draw.Clean(u.Why),
	}
}

// evidenceOf returns the places of a value in some operations. Operations that emit the value come first. A
// place that several answers have is listed once.
func evidenceOf(analyzed *screen.AnalyzedSpec, ops []*model.Operation, value string) []evidence {
	emit, take := credentialEvidence(analyzed.Grants, ops, value), []evidence(nil)
	seen := map[evidence]bool{}
	for _, op := range ops {
		for _, u := range analyzed.Matcher.UsesOf(op) {
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

// spare returns the number of lines of a pane that show the row under the cursor as a sentence. It returns 0 if no
// row needs a sentence, because all rows fit into their lines. It also returns 0 if the pane has no room for two rows
// and a sentence.
func spare(all []evidence, r draw.Rect) int {
	w, h := r.W-2, r.H-2
	cut := func(e evidence) bool { return e.cut(w - 3) }
	if !slices.ContainsFunc(all, cut) {
		return 0
	}
	most := 0
	for _, e := range all {
		most = max(most, 1+len(e.sentence(w)))
	}
	if most > h-2 {
		return 0
	}
	return most
}

// sentence returns the evidence as a sentence, in lines.
func (e evidence) sentence(width int) []string {
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

// row draws the operation, the place where the operation emits or takes the value, and the reason why it is the same
// value there.
func (e evidence) row(names draw.SeqNames, width int) draw.Line {
	first, second := columnWidths(width)
	row := names.Operation(e.op, first).At(
		first+1, draw.Span{Text: layout.TruncateText(e.arrow()+" "+e.place, second), Style: theme.Value},
	)
	if e.why == "" {
		return row
	}
	return row.At(first+second+3, draw.Span{Text: e.why, Style: theme.Dim})
}

// cut reports whether row truncates something.
func (e evidence) cut(width int) bool {
	first, second := columnWidths(width)
	return layout.TextWidth(draw.Clean(string(e.op))) > first || layout.TextWidth(e.arrow()+" "+e.place) > second ||
		first+second+3+layout.TextWidth(e.why) > width
}

// columnWidths returns the widths of the operation and of the place in a row.
func columnWidths(width int) (operation, place int) {
	const wordWidth = 10 // the minimum width of the operation, and of the place
	return max(wordWidth, 3*width/10), max(wordWidth, width/4)
}

func (e evidence) arrow() string {
	if e.emits {
		return "◂"
	}
	return "▸" // points from the value into the operation
}

// place returns the name of the message part that has a value.
func place(u match.ValueUse) string {
	if u.In == model.InResponse {
		return "body"
	}
	return string(u.In)
}
