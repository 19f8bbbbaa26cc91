package send

import (
	"fmt"

	"sonde/ui/pane"
	"sonde/ui/payload"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys of an answer's body.
var (
	keyFold    = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "fold this"))
	keyUnfold  = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "unfold this"))
	keyFolds   = key.NewBinding(key.WithKeys("F"), key.WithHelp("F", "fold all"))
	keyUnfolds = key.NewBinding(key.WithKeys("F"), key.WithHelp("F", "unfold all"))
	keyFind    = key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "find"))
	keyNext    = key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "next found"))
	keyBefore  = key.NewBinding(key.WithKeys("N"), key.WithHelp("N", "found before"))
	keyForget  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "find nothing"))
	keyFound   = key.NewBinding(key.WithKeys("enter", "down"), key.WithHelp("⏎", "to the answer"))
)

// body is that of an answer, in which a text is looked for.
type body struct {
	doc   *payload.Doc // nil where there is none
	field textinput.Model
	hits  int // lines that have the text
	hit   int // the number of the one gone to last, 0 for none
}

func newBody(doc *payload.Doc) body { return body{doc: doc, field: pane.Field("text")} }

// doc is the body on show, nil where there is none.
func (p *Pane) doc() *payload.Doc {
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
		return fmt.Sprintf("Answer · %q is not in it", pane.Clean(b.field.Value()))
	case b.hit > 0:
		return fmt.Sprintf("Answer · %q: %s of %s", pane.Clean(b.field.Value()), words.Count(b.hit), words.Plural(b.hits, "line"))
	}
	return fmt.Sprintf("Answer · %q: %s", pane.Clean(b.field.Value()), words.Plural(b.hits, "line"))
}

// bodyKeys are those of the body under the cursor.
func (p *Pane) bodyKeys() (keys []key.Binding) {
	b := &p.body
	if p.doc() == nil {
		return nil
	}
	line := p.bodyLine()
	switch {
	case b.doc.Folded(line):
		keys = append(keys, keyUnfold)
	case b.doc.Foldable(line):
		keys = append(keys, keyFold)
	}
	switch {
	case b.doc.AnyFolded():
		keys = append(keys, keyUnfolds)
	case b.doc.Deep():
		keys = append(keys, keyFolds)
	}
	if b.field.Value() != "" {
		keys = append(keys, keyNext, keyBefore, keyForget)
	}
	return append(keys, keyFind)
}

// bodyLine is the line of the body that has the cursor, less than 0 above it.
func (p *Pane) bodyLine() int { return p.page.At - len(p.answer(p.layout().answer.W-2)) }

// pressBody takes a key for the body, and reports whether it was one.
func (p *Pane) pressBody(k tea.KeyMsg) bool {
	b := &p.body
	if p.doc() == nil {
		return false
	}
	line := p.bodyLine()
	switch {
	case key.Matches(k, keyFind):
		p.reading = true
		b.field.Focus()
	case b.field.Value() != "" && key.Matches(k, keyForget):
		p.seek("")
	case b.field.Value() != "" && key.Matches(k, keyNext):
		p.next(+1)
	case b.field.Value() != "" && key.Matches(k, keyBefore):
		p.next(-1)
	case !p.reading:
		return false
	case key.Matches(k, keyFolds):
		b.doc.FoldAll(!b.doc.AnyFolded())
		p.toBody(min(line, b.doc.Len()-1))
	case key.Matches(k, keyFold) && b.doc.Foldable(line):
		p.toBody(b.doc.Fold(line))
	default:
		return false
	}
	return true
}

// typedBody takes a key while it is typed what to look for, and goes to the first line
// that has it.
func (p *Pane) typedBody(k tea.KeyMsg) {
	b := &p.body
	switch {
	case key.Matches(k, keyForget):
		p.seek("")
	case key.Matches(k, keyFound):
		b.field.Blur()
	default:
		was := b.field.Value()
		b.field, _ = b.field.Update(k)
		if b.field.Value() != was {
			b.hits = b.doc.Seek(b.field.Value())
			p.next(0)
		}
	}
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
func docOf(s screen.Sent) *payload.Doc {
	if len(s.Exchanges) == 0 {
		return nil
	}
	x := s.Exchanges[len(s.Exchanges)-1]
	if x.Err != nil || len(x.Reply.Body) == 0 {
		return nil
	}
	return payload.Read(x.Reply.Body)
}
