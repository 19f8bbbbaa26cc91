package correct

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// fields returns the fields of the form.
func (b *Box) fields(*draft) []widget.FormField[draft] {
	kinds := make([]string, len(model.ValueKinds))
	for i, k := range model.ValueKinds {
		kinds[i] = string(k)
	}
	var scopes []string
	for _, s := range b.scopes {
		scopes = append(scopes, s.name)
	}
	return []widget.FormField[draft]{
		{
			Name: "kind", Help: "an attribute links no operations", Choices: kinds,
			Chosen: func(d *draft) string { return string(d.kind) },
			Choose: func(d *draft, c string) { d.kind = model.ValueKind(c) },
		},
		{
			Name: "identity", Help: "values with the same identity are the same: a part of a name finds those that exist",
			Text:     func(d *draft) *string { return &d.is },
			Complete: b.found.completions,
		},
		{
			Name: "where", Choices: scopes,
			Chosen: func(d *draft) string { return d.scope },
			Choose: func(d *draft, c string) { d.scope = c },
		},
	}
}

// typed handles a key for the text of the identity.
func (b *Box) typed(k tea.KeyMsg) tea.Cmd { return b.form.Type(k) }

// maxWidth is the maximum width of the box, in cells. labels is the width of the column with the labels at the left
// of the box. The texts begin after this column.
const maxWidth, labels = 76, 15

// maxReason is the maximum number of lines for the kind with its evidence, and for the identity with its evidence.
const maxReason = 5

// Over draws the box on a picture of width × height cells.
func (b *Box) Over(picture string, width, height int) string {
	f := draw.Frame{Title: "Correct " + draw.Clean(b.subject.Use.Name), Width: min(width, maxWidth), Focused: true}
	inner := f.Width - 2
	foot := b.foot(inner - 2)
	head := b.head(inner)
	f.Height = min(height, len(head)+b.form.Rows()+len(foot)+2)
	if room := f.Height - 2 - b.form.Rows() - len(foot); room < len(head) {
		head = head[:max(0, room)]
	}
	lines := slices.Concat(head, b.form.Lines(inner, max(1, f.Height-2-len(head)-len(foot))), foot)
	return draw.Overlay(picture, f.Render(strings.Join(lines, "\n")), (width-f.Width)/2, max(0, (height-f.Height)/3))
}

// head draws the value's kind and identity, and the evidence for them.
func (b *Box) head(width int) (lines []string) {
	row := func(label, text, why string) {
		line := draw.TextLine(draw.Clean(text), theme.Value)
		if why != "" {
			line = append(line, draw.Span{Text: ": " + draw.Clean(why), Style: theme.Dim})
		}
		for i, l := range line.Wrap(width-1-labels, maxReason) {
			if i > 0 {
				label = ""
			}
			l = draw.Line{}.At(2, draw.Span{Text: label, Style: theme.Dim}).At(labels, l...)
			lines = append(lines, l.Render(width, false))
		}
	}
	u := &b.subject.Use
	row("is now", u.ID, u.Why)
	row("", string(u.Kind), u.KindWhy())
	if len(b.applied) > 0 {
		was := &b.applied[0].Before
		row("as matched", was.ID, was.Why)
		row("", string(was.Kind), was.KindWhy())
	}
	return append(lines, "")
}

// foot draws the keys, and above them the help of the field under the cursor or the error of the last
// attempt to save.
func (b *Box) foot(width int) []string {
	switch {
	case b.err != nil:
		return widget.BoxFoot(theme.Failed+" "+draw.Clean(b.err.Error()), theme.Bad, b.Keys(), width)
	case b.busy:
		return widget.BoxFoot("…", theme.Dim, b.Keys(), width)
	}
	return widget.BoxFoot(b.help(), theme.Dim, b.Keys(), width)
}

// maxCompletions is the maximum number of identities in the help of the field.
const maxCompletions = 4

// help explains the field under the cursor.
func (b *Box) help() string {
	switch f := b.form.Field(); {
	case f.Name == "where":
		s := b.scope()
		text := s.place()
		if n, ok := b.found.operations[s.name]; ok {
			text += fmt.Sprintf(": %s in %s", draw.Clean(s.base.ID), words.Plural(n, "operation"))
		}
		return text
	case f.Complete == nil || !b.found.isNew(b.form.Typed.is):
		return f.Help
	}
	fit := b.form.Completions()
	if len(fit) == 0 {
		return "a new identity: no other value has it"
	}
	text := strings.Join(fit[:min(len(fit), maxCompletions)], ", ")
	if n := len(fit) - maxCompletions; n > 0 {
		text += fmt.Sprintf(", %s more", words.Count(n))
	}
	return draw.Clean(text)
}
