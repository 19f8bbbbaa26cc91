package send

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys of the form that appear in texts of the pane, or in several rows.
var (
	keyAccept   = keymap.Bind("ctrl+s", "accept")
	keyCancel   = keymap.Bind("esc", "cancel")
	keyComplete = keymap.Bind("tab", "complete")

	keyNextValue     = keymap.Bind("→", "next value", "right", "l", " ", "enter")
	keyPreviousValue = keymap.Bind("←", "previous value", "left", "h")
)

var (
	optional  = need{Met: func(p *Pane) bool { return p.form.optional() }}
	removable = need{Met: func(p *Pane) bool { return p.form.removable() }}
	takesFile = need{Met: func(p *Pane) bool { return p.form.takesFile() }}
	editable  = need{
		Met: func(p *Pane) bool { return p.form.textToEdit() != nil },
		Why: "needs the body, or a field of a form, that is text",
	}
	severalBodies = need{Met: func(p *Pane) bool { return len(p.form.form.bodies) > 1 }}
	completable   = need{Met: func(p *Pane) bool {
		return p.form.edit.path || len(p.form.edit.hint.completion.candidates) > 0
	}}
)

// onRow returns the condition that the cursor is on a row of one of the given kinds.
func onRow(kinds ...rowKind) need {
	return need{Met: func(p *Pane) bool {
		return !p.answer.focused && !p.form.form.empty() && slices.Contains(kinds, p.form.current().kind)
	}}
}

// areaMode has the keys while the body is typed.
var areaMode = keymap.Mode[*Pane]{
	On:   func(p *Pane) bool { return p.form.edit.area != nil },
	Busy: "the body is being typed",
	Rows: []keymap.Row[*Pane]{
		{Key: keyAccept, Do: acceptEdit},
		{Key: keyCancel, Do: keymap.Act(func(p *Pane) { p.form.cancelEdit() })},
		{Key: keyComplete, Needs: []need{completable}, Do: complete},
	},
	Rest: typeInForm,
}

// fieldMode has the keys while another value is typed.
var fieldMode = keymap.Mode[*Pane]{
	On:   func(p *Pane) bool { return p.form.edit.field != nil },
	Busy: "a value is being typed",
	Rows: []keymap.Row[*Pane]{
		{Key: keymap.Bind("⏎", "accept", "enter"), Do: acceptEdit},
		{Key: keyCancel, Do: keymap.Act(func(p *Pane) { p.form.cancelEdit() })},
		{Key: keyComplete, Needs: []need{completable}, Do: complete},
	},
	Rest: typeInForm,
}

// formRows are the keys of the form.
var formRows = []keymap.Row[*Pane]{
	{Key: keySend, Do: (*Pane).send},
	{
		Key:   keymap.Bind("⏎", "edit", "enter"),
		Needs: []need{onForm, onRow(fieldRow, extraRow, bodyRow, formFieldRow, textRow)},
		Do:    keymap.Act(func(p *Pane) { p.form.startEdit() }),
	},
	{Key: keymap.Bind("⏎", "add it", "enter"), Needs: []need{onRow(addRow)}, Do: keymap.Act(func(p *Pane) { p.form.startEdit() })},
	{Key: keyNextValue, Needs: []need{onRow(userRow, beforeRow, networkRow, hostsRow)}, Do: nextValue(+1)},
	{Key: keyPreviousValue, Needs: []need{onRow(userRow)}, Do: nextValue(-1)},
	{
		Key:    keyPreviousValue,
		Needs:  []need{onRow(beforeRow, networkRow, hostsRow)},
		Do:     nextValue(+1), // of two values, the next one is also the previous one
		Hidden: true,
	},
	{Key: keymap.Bind("→", "add another kind", "right", "l", " "), Needs: []need{onRow(addRow)}, Do: nextValue(+1)},
	{Key: keyPreviousValue, Needs: []need{onRow(addRow)}, Do: nextValue(-1), Hidden: true},
	{Key: keymap.Bind("→", "next media type", "right", "l"), Needs: []need{onRow(bodyRow), severalBodies}, Do: nextValue(+1)},
	{Key: keyPreviousValue, Needs: []need{onRow(bodyRow), severalBodies}, Do: nextValue(-1), Hidden: true},
	{
		Key:   keymap.Bind("space", "send it or not", " "),
		Needs: []need{onForm, optional},
		Do:    keymap.Act(func(p *Pane) { p.form.toggle() }),
	},
	{
		Key:   keymap.Bind("f", "send a file"),
		Needs: []need{onForm, takesFile},
		Do:    keymap.Act(func(p *Pane) { p.form.chooseFile() }),
	},
	{Key: keymap.Bind("e", "in your editor"), Needs: []need{onForm, editable}, Do: openEditor},
	{Key: keymap.Bind("x", "remove it"), Needs: []need{onForm, removable}, Do: keymap.Act(func(p *Pane) { p.form.remove() })},
}

// TypingKeys returns the keys that work only while the user types. They may be those of the app's frame.
func TypingKeys() []key.Binding { return []key.Binding{keyAccept, keyCancel, keyComplete} }

func typeInForm(p *Pane, k tea.KeyMsg) tea.Cmd {
	p.form.edit.typeKey(k)
	p.form.suggest()
	return nil
}

// nextValue returns the action that switches the row under the cursor to its next value or, for -1, to the previous one.
// If the row is the network, the action only sends a message, because another screen has this setting.
func nextValue(by int) func(*Pane) tea.Cmd {
	return func(p *Pane) tea.Cmd {
		if p.form.switchValue(by) || p.form.current().kind != networkRow {
			return nil
		}
		return p.queue.Send(screen.UseNetwork{Virtual: !p.form.around.Net})
	}
}

// acceptEdit stores the typed value, or shows what is wrong with it. It also looks for the size of a chosen file.
func acceptEdit(p *Pane) tea.Cmd {
	chosen := ""
	if p.form.edit.path {
		chosen = p.form.edit.field.Value()
	}
	if err := p.form.acceptEdit(); err != nil {
		return screen.ShowError(err)
	}
	return p.form.tasks.measure(chosen)
}

// complete completes the text that is typed.
func complete(p *Pane) tea.Cmd {
	if p.form.edit.path {
		return p.form.tasks.listPaths(p.form.edit.field.Value())
	}
	if p.form.edit.complete() {
		p.form.suggest()
	}
	return nil
}

// openEditor opens the text under the cursor in the user's editor.
func openEditor(p *Pane) tea.Cmd {
	name := "body" + fileEnding(p.form.form.sentBody().media)
	if f := p.form.currentField(); f != nil {
		name = "field" + fileEnding(f.header.Get("Content-Type"))
	}
	return p.form.tasks.writeFile(name, *p.form.textToEdit())
}
