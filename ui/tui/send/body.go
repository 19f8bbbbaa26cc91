package send

import (
	"fmt"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// bodyRows are the keys of an answer's body.
var bodyRows = []keymap.Row[*Pane]{
	{
		Key:   keymap.Bind("⏎", "fold this", "enter"),
		Help:  func(p *Pane) string { return folding(p.body.doc.Folded(p.bodyLine()), "this") },
		Needs: []need{onAnswer, {Met: func(p *Pane) bool { return p.body.doc.Foldable(p.bodyLine()) }}},
		Do:    keymap.Act(func(p *Pane) { p.toBody(p.body.doc.Fold(p.bodyLine())) }),
	},
	{
		Key:   keymap.Bind("F", "fold all"),
		Help:  func(p *Pane) string { return folding(p.body.doc.AnyFolded(), "all") },
		Needs: []need{onAnswer, {Met: func(p *Pane) bool { return p.body.doc.AnyFolded() || p.body.doc.Deep() }}},
		Do:    keymap.Act((*Pane).foldAll),
	},
	{Key: keymap.Bind("n", "next found"), Needs: []need{sought}, Do: keymap.Act(func(p *Pane) { p.next(+1) })},
	{Key: keymap.Bind("N", "found before"), Needs: []need{sought}, Do: keymap.Act(func(p *Pane) { p.next(-1) })},
	{Key: keyForget, Needs: []need{sought}, Do: keymap.Act((*Pane).forget)},
	{Key: keymap.Bind("/", "find"), Needs: []need{haveAnswer}, Do: (*Pane).find},
}

// folding says what a key does that folds and unfolds.
func folding(folded bool, what string) string {
	if folded {
		return "unfold " + what
	}
	return "fold " + what
}

// body is that of an answer, in which a text is looked for.
type body struct {
	doc   *widget.Payload // nil where there is none
	field textinput.Model
	hits  int // lines that have the text
	hit   int // the number of the one gone to last, 0 for none
}

func newBody(doc *widget.Payload) body { return body{doc: doc, field: widget.FilterField("text")} }

// doc is the body on show, nil where there is none.
func (p *Pane) doc() *widget.Payload {
	if p.Out() || p.way.err != nil {
		return nil
	}
	return p.body.doc
}

// docLines is how many lines the body on show has.
func (p *Pane) docLines() int {
	if doc := p.doc(); doc != nil {
		return doc.Len()
	}
	return 0
}

func (b *body) typing() bool { return b.field.Focused() }

// title says of what kind the body is, or what is looked for in it.
func (p *Pane) title(width int) string {
	b := &p.body
	switch {
	case p.doc() == nil:
		return "Answer"
	case b.typing():
		b.field.Width = max(1, width-14)
		return "Answer " + b.field.View()
	case b.field.Value() == "":
		return "Answer" + theme.Dim.Render(" · "+b.doc.Kind)
	case b.hits == 0:
		return fmt.Sprintf("Answer · %q is not in it", draw.Clean(b.field.Value()))
	case b.hit > 0:
		return fmt.Sprintf("Answer · %q: %s of %s", draw.Clean(b.field.Value()), words.Count(b.hit), words.Plural(b.hits, "line"))
	}
	return fmt.Sprintf("Answer · %q: %s", draw.Clean(b.field.Value()), words.Plural(b.hits, "line"))
}

// bodyLine is the line of the body that has the cursor, less than 0 above it.
func (p *Pane) bodyLine() int { return p.page.At - len(p.answer(p.layout().answer.W-2)) }

// find lets a text be typed that is looked for.
func (p *Pane) find() tea.Cmd {
	p.reading = true
	p.body.field.Focus() // its cursor does not blink, so there is nothing to wait for
	return nil
}

// forget looks for nothing any more.
func (p *Pane) forget() { p.seek("") }

// foldAll folds the whole body, or unfolds it.
func (p *Pane) foldAll() {
	line := p.bodyLine()
	p.body.doc.FoldAll(!p.body.doc.AnyFolded())
	p.toBody(min(line, p.body.doc.Len()-1))
}

// typedBody takes a key of the text that is looked for, and goes to the first line that
// has it.
func (p *Pane) typedBody(k tea.KeyMsg) tea.Cmd {
	b := &p.body
	was := b.field.Value()
	b.field, _ = b.field.Update(k)
	if b.field.Value() != was {
		b.hits = b.doc.Seek(b.field.Value())
		p.next(0)
	}
	return nil
}

// seek looks for a text that was not typed.
func (p *Pane) seek(text string) {
	p.body.field.Blur()
	p.body.field.SetValue(text)
	p.body.hits, p.body.hit = p.body.doc.Seek(text), 0
}

// next goes on to a line that has what is looked for.
func (p *Pane) next(step int) {
	to, number := p.body.doc.Next(p.bodyLine(), step)
	p.body.hit = number
	if number > 0 {
		p.reading = true
		p.toBody(to)
	}
}

// toBody puts the cursor on a line of the body.
func (p *Pane) toBody(line int) {
	head := len(p.answer(p.layout().answer.W - 2))
	p.fit()
	p.page.Go(head + line)
}

// docOf reads the last answer's body.
func docOf(s screen.SendResult) *widget.Payload {
	if len(s.Exchanges) == 0 {
		return nil
	}
	x := s.Exchanges[len(s.Exchanges)-1]
	if x.Err != nil || len(x.Reply.Body) == 0 {
		return nil
	}
	return widget.ReadPayload(x.Reply.Body)
}
