package runner

import "sonde/model"

// admit lets later tests know which users were accepted where. A call that was
// refused is made by the other users, too, until one of them is accepted: the test is
// played again with that call made by the next of them.
func (e *engine) admit(t *trial) {
	for _, c := range t.test.Calls {
		e.tests.Admit(c.Op, c.User, c.Status)
	}
	if t.kept != nil || t.sweeps() {
		return
	}
	for i, c := range t.test.Calls {
		if !forbidden(c.Status) {
			continue
		}
		if ind := e.tests.ByNextUser(t.individual, i); ind != nil {
			birth := &model.Birth{Call: e.budget.calls, Rule: model.ByMutation, Parent: t.test.ID, Change: ind.Change()}
			e.search.Plant(&trial{individual: ind, birth: birth})
		}
	}
}
