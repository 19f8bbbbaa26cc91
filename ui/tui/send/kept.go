package send

import (
	"reflect"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// keptForm is a form that was closed after the user changed it.
type keptForm struct{ form form }

// keepForm keeps the form of the pane for the next time that it is opened for the operation, if the user has changed it.
func (p *Pane) keepForm() {
	if p.op != nil && p.changed() {
		p.kept[p.op.ID] = keptForm{form: p.form.form}
	}
}

// formFor returns the form for an operation. If the spec was read again, the form gets the parameters of the new operation.
func (k keptForm) formFor(op *model.Operation) form {
	if k.form.op == op {
		return k.form
	}
	return newForm(op, usecase.RequestDraft{Test: k.form.test(), Ready: !k.form.before, Users: k.form.users})
}

// withUsers returns the form with the current users.
func (k keptForm) withUsers(msg screen.UsersChanged) keptForm {
	v := formView{form: k.form}
	v.setUsers(msg)
	return keptForm{form: v.form}
}

// changed reports whether the values of the form differ from those of a draft.
func (p *Pane) changed() bool {
	return !p.form.form.empty() && !reflect.DeepEqual(p.form.form.test(), p.initial)
}

// discardForm replaces the values of the form by those of a new draft.
func (p *Pane) discardForm() tea.Cmd {
	op := p.op.ID
	delete(p.kept, op)
	p.initial = p.form.form.test() // so that the form is not kept when it is replaced
	return p.draft(op, nil)
}
