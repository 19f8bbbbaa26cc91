package search

import (
	"sonde/model"
	"sonde/runner/target/client"
)

// played is the outcome of a test.
type played struct {
	// test has the actual statuses, and the links that held: see client.Play.
	test model.Test
	// results are those of the calls that were sent. If it is empty, the outcome means nothing.
	results []client.CallResult
	at      int // the number of the last request
	// restarts is how often the service was restarted for the test.
	restarts int
	// broken is how the service failed without an answer; late is the same for the previous test
	// on the same copy, if it was noticed only now.
	silentFault, lateFault *model.Fault
	// seen are the scores of code targets; setUp those of starting and resetting the service,
	// before the first test of this copy; belated those of the previous test after its end.
	seen, setUp, belated []model.Score
	// marks are set for a sweep: the index of the call that was the first to cover a code target,
	// by target ID.
	marks map[string]int
	// unseen is the error because of which coverage could not be read, nil if it was read or not
	// wanted.
	unseen error
	// contacts are those of the service with the virtual network, and start those before its
	// first test, set for the first test only.
	contacts, start []model.Contact
	// open is the number of open connections after the test, by host.
	open map[string]int
	// sooner are the targets to which a call before the last came nearest. Only for tests of the
	// search.
	sooner []nearCall
	// compared are the operands that the service compared.
	compared []model.ComparedOperands
	// ended are the users whom the service no longer accepts since the test.
	ended []model.EndedUser
	// short is true if the budget did not allow all requests.
	short bool
	// err says why no more tests can be played: client.ErrBudget, the context's error, a
	// *sut.Failed, a *client.LoginError or an *UnreachableError.
	err error
}
