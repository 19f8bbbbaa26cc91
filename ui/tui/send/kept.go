package send

import (
	"reflect"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// formMemory keeps the values that the user has typed into forms.
type formMemory struct {
	kept    map[model.OpID]form // forms that were closed after the user changed them
	initial model.Test          // what the open form sent before the user changed it
}

// changed reports whether the values of the open form differ from those with which it began.
func (m *formMemory) changed(f *form) bool {
	return !f.empty() && !reflect.DeepEqual(f.outline(), m.initial)
}

// keep keeps a form for the next time that the pane is opened for its operation, if the user has changed it.
func (m *formMemory) keep(op model.OpID, f form) {
	if m.changed(&f) {
		m.kept[op] = f
	}
}

// formFor returns the kept form of an operation. If the spec was read again, the form gets the parameters of the new
// operation, unless it has files. formFor returns false if no form was kept.
func (m *formMemory) formFor(op *model.Operation) (form, bool) {
	f, ok := m.kept[op.ID]
	if ok && f.op != op {
		if b := f.sentBody(); b != nil && len(b.files()) > 0 {
			return form{}, false
		}
		f = newForm(op, usecase.RequestDraft{Test: f.outline(), Ready: !f.before, Users: f.users})
	}
	return f, ok
}

// discard forgets the form of an operation. The open form is not kept when it is replaced.
func (m *formMemory) discard(op model.OpID, open *form) {
	delete(m.kept, op)
	m.initial = open.outline()
}

// setUsers stores the current users in the kept forms.
func (m *formMemory) setUsers(msg screen.UsersChanged) {
	for op, f := range m.kept {
		v := formView{form: f}
		v.setUsers(msg)
		m.kept[op] = v.form
	}
}
