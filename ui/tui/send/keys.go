package send

import (
	"slices"

	"sonde/ui/pane"
	"sonde/ui/payload"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyGo     = key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "send it"))
	keyEdit   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "edit"))
	keyToggle = key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "send it or not"))
	keyTurn   = key.NewBinding(key.WithKeys("right", "l", " ", "enter"), key.WithHelp("→", "the other"))
	keyBack   = key.NewBinding(key.WithKeys("left", "h"), key.WithHelp("←", "the one before"))
	keyKeep   = key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "keep as a test"))
	keyCopy   = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy as curl"))
	keyPane   = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "other pane"))
	keyStop   = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "give it up"))
	keyClose  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "to the operation"))

	keyAccept = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "take it"))
	keyTake   = key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "take it"))
	keyCancel = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it"))

	keySend = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "send it"))
	keyDont = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "send nothing"))
)

// edit is what is being typed.
type edit struct {
	field *textinput.Model
	area  *textarea.Model
	fresh bool // there was nothing before
}

func (e edit) open() bool { return e.field != nil || e.area != nil }

// Keys are the keys that matter now.
func (p *Pane) Keys() []key.Binding {
	switch {
	case p.question.Open():
		return p.question.Keys()
	case p.edit.area != nil:
		return []key.Binding{keyTake, keyCancel}
	case p.edit.field != nil:
		return []key.Binding{keyAccept, keyCancel}
	case p.body.typing():
		return []key.Binding{keyFound, keyForget}
	case p.Out():
		return []key.Binding{keyStop}
	}
	keys := []key.Binding{keyGo}
	if !p.reading {
		keys = append(keys, p.rowKeys()...)
	}
	if p.reading {
		keys = append(keys, p.bodyKeys()...)
	} else if p.doc() != nil {
		keys = append(keys, keyFind)
	}
	if p.way.sent != nil {
		keys = append(keys, keyKeep, keyCopy)
	}
	return slices.Concat(keys, []key.Binding{keyClose, keyPane}, pane.Moves())
}

// Actions are what can be done to a request and its answer, and when.
func Actions() []screen.Action {
	return slices.Concat(
		screen.Barred("needs a request that is open, and its list", keyEdit, keyToggle),
		screen.Barred("needs an answer on show", keyKeep, keyCopy, keyFold, keyFolds, keyFind, keyNext, keyBefore),
	)
}

// rowKeys change the row under the cursor.
func (p *Pane) rowKeys() []key.Binding {
	switch r := p.row(); r.kind {
	case ofUser:
		return []key.Binding{keyTurn, keyBack}
	case ofBefore, ofNetwork, ofHosts:
		return []key.Binding{keyTurn}
	case ofField:
		if p.form.fields[r.at].param.Required {
			return []key.Binding{keyEdit}
		}
		return []key.Binding{keyEdit, keyToggle}
	case ofBody:
		return []key.Binding{keyEdit, keyToggle}
	}
	return nil
}

func (p *Pane) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case p.question.Open():
		_, cmd := p.question.Update(k)
		return cmd
	case p.edit.open():
		p.typed(k)
	case p.body.typing():
		p.typedBody(k)
	case p.Out():
		if key.Matches(k, keyStop) {
			p.giveUp()
			return screen.Tell("given up; the service may go on with it")
		}
	case p.pressBody(k):
	case key.Matches(k, keyGo):
		return p.send()
	case key.Matches(k, keyKeep):
		return p.keep()
	case key.Matches(k, keyCopy):
		return p.copy()
	case key.Matches(k, keyClose):
		p.close()
	case key.Matches(k, keyPane):
		p.reading = !p.reading
	case p.reading:
		p.page.Key(k)
	case p.list.Key(k):
	default:
		return p.change(k)
	}
	return nil
}

// change changes the row under the cursor.
func (p *Pane) change(k tea.KeyMsg) tea.Cmd {
	switch r := p.row(); r.kind {
	case ofUser:
		switch {
		case key.Matches(k, keyTurn):
			p.form.turn(+1)
		case key.Matches(k, keyBack):
			p.form.turn(-1)
		}
	case ofBefore, ofNetwork, ofHosts:
		if key.Matches(k, keyTurn, keyBack) {
			return p.turn(r.kind)
		}
	case ofField:
		p.changeField(k, &p.form.fields[r.at])
	case ofBody:
		p.changeBody(k)
	}
	return nil
}

// turn switches one of the rows that are on or off.
func (p *Pane) turn(k kind) tea.Cmd {
	switch k {
	case ofBefore:
		p.form.before = !p.form.before
	case ofHosts:
		p.form.hosts = !p.form.hosts
	case ofNetwork:
		return p.engine.Post.Send(screen.Surround{Net: !p.around.Net})
	}
	return nil
}

func (p *Pane) changeField(k tea.KeyMsg, f *field) {
	switch {
	case key.Matches(k, keyEdit):
		text := pane.Clean(f.text())
		if len(f.args) == 0 {
			text = example(f.param.Schema)
		}
		field := pane.Value(text)
		p.edit.field = &field
	case key.Matches(k, keyToggle):
		f.toggle()
	}
}

func (p *Pane) changeBody(k tea.KeyMsg) {
	switch {
	case key.Matches(k, keyEdit):
		fresh := p.form.body == nil
		if fresh {
			p.form.begin()
		}
		area := pane.Area(payload.Escaped(p.form.body.Data))
		p.edit = edit{area: &area, fresh: fresh}
	case key.Matches(k, keyToggle) && p.form.body == nil:
		p.form.begin()
	case key.Matches(k, keyToggle):
		p.form.body = nil
	}
}

// typed takes a key while a value is typed.
func (p *Pane) typed(k tea.KeyMsg) {
	switch {
	case key.Matches(k, keyCancel):
		if p.edit.fresh {
			p.form.body = nil
		}
		p.edit = edit{}
	case p.edit.field != nil && key.Matches(k, keyAccept):
		p.form.fields[p.row().at].take(p.edit.field.Value())
		p.edit = edit{}
	case p.edit.field != nil:
		field, _ := p.edit.field.Update(k)
		p.edit.field = &field
	case key.Matches(k, keyTake):
		p.form.body.Data = p.edit.area.Value()
		p.edit = edit{}
	default:
		area, _ := p.edit.area.Update(k)
		p.edit.area = &area
	}
}
