package send

import (
	"slices"

	"sonde/ui/draw"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys that the pane's texts name.
var (
	keyGo     = keymap.Bind("r", "send it")
	keyStop   = keymap.Bind("esc", "give it up")
	keyTake   = keymap.Bind("ctrl+s", "take it")
	keyCancel = keymap.Bind("esc", "leave it")

	keySend = keymap.Bind("y", "send it")
	keyDont = keymap.Bind("n", "send nothing", "n", "esc")
)

var (
	keyForward  = keymap.Bind("→", "the other", "right", "l", " ", "enter")
	keyBackward = keymap.Bind("←", "the one before", "left", "h")
	keyForget   = keymap.Bind("esc", "find nothing")
)

type need = keymap.Need[*Pane]

var (
	onForm = need{
		Met: func(p *Pane) bool { return p.Open() && !p.reading },
		Why: "needs a request that is open, and its list",
	}
	onAnswer   = need{Met: func(p *Pane) bool { return p.reading && p.doc() != nil }, Why: "needs an answer on show"}
	haveAnswer = need{Met: func(p *Pane) bool { return p.doc() != nil }, Why: "needs an answer on show"}
	sent       = need{
		Met:     func(p *Pane) bool { return p.way.sent != nil },
		Why:     "nothing was sent yet",
		Explain: func(*Pane) string { return "Nothing was sent yet: " + widget.KeyName(keyGo) + " sends it" },
	}
	sought = need{Met: func(p *Pane) bool { return p.doc() != nil && p.body.field.Value() != "" }, Why: "nothing is looked for"}
)

// on is the need that the cursor is on a row of one of some kinds.
func on(kinds ...kind) need {
	return need{Met: func(p *Pane) bool { return !p.reading && slices.Contains(kinds, p.row().kind) }}
}

// keys are all that the keys do.
var keys = keymap.Map[*Pane]{
	{
		On:   func(p *Pane) bool { return p.question.Open() },
		Busy: "a question is open",
		Keys: func(p *Pane) []key.Binding { return p.question.Keys() },
		Rest: func(p *Pane, k tea.KeyMsg) tea.Cmd {
			_, cmd := p.question.Update(k)
			return cmd
		},
	},
	{
		On:   func(p *Pane) bool { return p.edit.area != nil },
		Busy: "the body is typed",
		Rows: []keymap.Row[*Pane]{
			{Key: keyTake, Do: keymap.Act((*Pane).takeBody)},
			{Key: keyCancel, Do: keymap.Act((*Pane).cancel)},
		},
		Rest: func(p *Pane, k tea.KeyMsg) tea.Cmd {
			area, _ := p.edit.area.Update(k)
			p.edit.area = &area
			return nil
		},
	},
	{
		On:   func(p *Pane) bool { return p.edit.field != nil },
		Busy: "a value is typed",
		Rows: []keymap.Row[*Pane]{
			{Key: keymap.Bind("⏎", "take it", "enter"), Do: keymap.Act((*Pane).takeField)},
			{Key: keyCancel, Do: keymap.Act((*Pane).cancel)},
		},
		Rest: func(p *Pane, k tea.KeyMsg) tea.Cmd {
			field, _ := p.edit.field.Update(k)
			p.edit.field = &field
			return nil
		},
	},
	{
		On:   func(p *Pane) bool { return p.body.typing() },
		Busy: "what is looked for is typed",
		Rows: []keymap.Row[*Pane]{
			{
				Key: keymap.Bind("⏎", "to the answer", "enter", "down"),
				Do:  keymap.Act(func(p *Pane) { p.body.field.Blur() }),
			},
			{Key: keyForget, Do: keymap.Act((*Pane).forget)},
		},
		Rest: (*Pane).typedBody,
	},
	{
		On:   (*Pane).Out,
		Busy: "a request is on its way",
		Rows: []keymap.Row[*Pane]{{Key: keyStop, Do: (*Pane).stopWaiting}},
	},
	{Rows: slices.Concat([]keymap.Row[*Pane]{
		{Key: keyGo, Do: (*Pane).send},
		{Key: keymap.Bind("⏎", "edit", "enter"), Needs: []need{onForm, on(ofField, ofBody)}, Do: keymap.Act((*Pane).begin)},
		{Key: keyForward, Needs: []need{on(ofUser, ofBefore, ofNetwork, ofHosts)}, Do: (*Pane).forward},
		{Key: keyBackward, Needs: []need{on(ofUser)}, Do: keymap.Act(func(p *Pane) { p.form.turn(-1) })},
		{Key: keyBackward, Needs: []need{on(ofBefore, ofNetwork, ofHosts)}, Do: (*Pane).forward, Hidden: true},
		{
			Key:   keymap.Bind("space", "send it or not", " "),
			Needs: []need{onForm, {Met: (*Pane).optional}},
			Do:    keymap.Act((*Pane).toggle),
		},
	}, bodyRows, []keymap.Row[*Pane]{
		{Key: keymap.Bind("a", "keep as a test"), Needs: []need{sent}, Do: (*Pane).keep},
		{Key: keymap.Bind("y", "copy as curl"), Needs: []need{sent}, Do: (*Pane).copy},
		{Key: keymap.Bind("esc", "to the operation"), Needs: []need{keymap.Not(sought.Met, "")}, Do: keymap.Act((*Pane).close)},
		{Key: keymap.Bind("v", "other pane"), Do: keymap.Act(func(p *Pane) { p.reading = !p.reading })},
	}, keymap.Each(widget.MoveKeys(), (*Pane).move))},
}

// Keys returns the keys that do something now.
func (p *Pane) Keys() []key.Binding { return keys.Keys(p) }

// Actions returns all that the keys do, and why not now.
func (p *Pane) Actions() []screen.Action { return keys.Actions(p) }

// Listed returns all keys, for the page of keys.
func (p *Pane) Listed() []key.Binding { return keys.Listed() }

func (p *Pane) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(p, k)
	return cmd
}

// edit is what is being typed.
type edit struct {
	field *textinput.Model
	area  *textarea.Model
	fresh bool // there was nothing before
}

func (e edit) open() bool { return e.field != nil || e.area != nil }

// move moves the cursor of the list or the answer, whichever has the focus.
func (p *Pane) move(k tea.KeyMsg) tea.Cmd {
	if p.reading {
		p.page.Key(k)
	} else {
		p.list.Key(k)
	}
	return nil
}

// stopWaiting gives up the request that is on its way.
func (p *Pane) stopWaiting() tea.Cmd {
	p.giveUp()
	return screen.ShowStatus("given up; the service may go on with it")
}

// forward switches the row under the cursor to its next value.
func (p *Pane) forward() tea.Cmd {
	switch p.row().kind {
	case ofUser:
		p.form.turn(+1)
	case ofBefore:
		p.form.before = !p.form.before
	case ofHosts:
		p.form.hosts = !p.form.hosts
	case ofNetwork:
		return p.engine.Queue.Send(screen.UseNetwork{Virtual: !p.around.Net})
	}
	return nil
}

// optional reports whether the row under the cursor may be left out of the request.
func (p *Pane) optional() bool {
	r := p.row()
	if r.kind == ofField {
		f := p.form.fields[r.at]
		return !f.param.Required || len(f.args) == 0
	}
	return r.kind == ofBody
}

// toggle leaves the row under the cursor out of the request, or sends it.
func (p *Pane) toggle() {
	r := p.row()
	switch {
	case r.kind == ofField:
		p.form.fields[r.at].toggle()
	case p.form.body == nil:
		p.form.begin()
	default:
		p.form.body = nil
	}
}

// begin opens the row under the cursor for typing.
func (p *Pane) begin() {
	r := p.row()
	if r.kind == ofBody {
		fresh := p.form.body == nil
		if fresh {
			p.form.begin()
		}
		area := widget.TextArea(widget.EscapeControls(p.form.body.Data))
		p.edit = edit{area: &area, fresh: fresh}
		return
	}
	f := &p.form.fields[r.at]
	text := draw.Clean(f.text())
	if len(f.args) == 0 {
		text = example(f.param.Schema)
	}
	field := widget.ValueField(text)
	p.edit.field = &field
}

// cancel leaves the row as it was before it was opened.
func (p *Pane) cancel() {
	if p.edit.fresh {
		p.form.body = nil
	}
	p.edit = edit{}
}

func (p *Pane) takeField() {
	p.form.fields[p.row().at].take(p.edit.field.Value())
	p.edit = edit{}
}

func (p *Pane) takeBody() {
	p.form.body.Data = p.edit.area.Value()
	p.edit = edit{}
}
