package oracle

// securityExamination applies the rules that need security tests.
type securityExamination struct{ *examination }

// examine checks an answer of a run with security tests, together with the calls before it.
func (e securityExamination) examine(i int, op *operation) {
	e.examineScript(i)
	e.examineSQLError(i)
	e.examineSQLCondition(i)
	e.examineSQLDelay(i)
	e.examineServerSideRequest(i)
	e.examineTraversal(i)
	e.examineSecrets(i, op)
	e.examineAssignment(i)
	e.examineSeparation(i)
	e.examineOverride(i)
	e.examineRole(i, op)
}
