package search

import (
	"sonde/model"
	"sonde/runner/network/netsim"
	"sonde/runner/target/client"
)

// played is the outcome of a test.
type played struct {
	testCoverage

	// test has the statuses of the answers and the links that held: see client.PlayTest.
	test model.Test
	// results has one result for each call that was sent. It is empty if no call was sent, the test was cut short or
	// a log-in failed. Then the test must not be judged.
	results []client.CallResult
	// at is the number that the test's last request has in the run.
	at int
	// restarts is how often the service was restarted for the test.
	restarts int
	// silentFault is the fault of a call that got no answer, or after which the service ended; nil if there is none.
	silentFault *model.Fault
	// lateFault is a fault of the previous test of the worker that was noticed only now, or nil.
	lateFault *model.Fault
	// contacts are the contacts of the service with the virtual network during the test.
	contacts []model.Contact
	// emptyQueries are the queries that returned no rows, and tables describes the tables that they name.
	emptyQueries []model.EmptyQuery
	tables       []model.Table
	// startContacts are the contacts before the first test of the worker. Only the first test has them.
	startContacts []model.Contact
	// open maps a host to its open connections after the test.
	open map[string]netsim.Open
	// ended are the users whom the service no longer accepted after the test, including users who were restored.
	ended []model.EndedUser
	// short is true if the budget did not allow all requests.
	short bool
	// err says why no more tests can be played: client.ErrBudget, the context's error, a
	// *sut.ResetError, a *client.LoginError or an *UnreachableError.
	err error
}
