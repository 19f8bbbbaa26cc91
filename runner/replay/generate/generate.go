package generate

import (
	"sonde/model"
)

// Options select the exchanges that become tests.
type Options struct {
	// Only and Except are patterns of operations; see MatchesOperation.
	Only, Except []string
	// Exchanges are IDs of exchanges, or prefixes of IDs. If set, only these exchanges become
	// tests.
	Exchanges []string
	// MaxTests is the maximum number of tests, 0 for no limit.
	MaxTests int
	// SkipFaults leaves out exchanges whose answer is most likely a fault of the service. If it is false, tests expect
	// such answers as recorded.
	SkipFaults bool
	// Snapshot says with which snapshot of the service's state a test begins.
	Snapshot SnapshotUse
}

// SnapshotUse says which snapshot of the service's state is restored before a test.
type SnapshotUse int

// The uses of snapshots.
const (
	NoSnapshot SnapshotUse = iota // calls set up the state
	// OneSnapshot is one snapshot that is restored before every test. It has everything that the tests need, so that
	// no calls set up the state.
	OneSnapshot
	// NearestSnapshot is the recording's last snapshot before the exchange under test with which the test can begin.
	// Calls set up what was written between the snapshot and the exchange.
	NearestSnapshot
)

// Tests makes the tests of a recording. If the recording says which code the service ran, Tests first takes exchanges
// that run code that was not run by the exchanges taken before. Then, for each operation, it takes the first exchange
// of each shape and of each trait that no taken exchange has. (RICK takes the first invocation of each method.) If an
// exchange cannot become a test, Tests tries another one that runs the same code, or has the same shape or trait.
func Tests(rec model.Recording, spec *model.Spec, o Options) Suite {
	index := newRecordingIndex(rec, spec)
	users := newUserDirectory(index, rec.Users, o.Snapshot == OneSnapshot)
	generator := testGenerator{
		recordingIndex: index,
		users:          users,
		snapshot:       o.Snapshot,
		processStubs:   append(index.backgroundStubs(), index.keptAnswers()...),
	}
	suite := Suite{
		Base:            index.mostFrequentBase(),
		BackgroundCalls: len(index.background.calls),
		Strays:          len(index.rec.Unattributed),
		Causes:          index.causes(),
	}
	suite.Background = index.shared.stubs()
	for _, s := range generator.processStubs {
		suite.Background = append(suite.Background, s.Stub)
	}
	c := choice{Options: o, generator: generator, base: suite.Base}
	c.choose(index.exchanges)
	suite.Skipped = c.skippedExchanges()
	tests := c.limited()
	for _, t := range tests {
		suite.Tests = append(suite.Tests, t.test)
	}
	suite.Code = index.codeChoice(tests)
	suite.Users = users.users
	suite.Operations = index.operations(suite.Tests)
	return suite
}

// testGenerator makes tests from the exchanges of one recording.
type testGenerator struct {
	*recordingIndex
	users    *userDirectory
	snapshot SnapshotUse
	// processStubs answer the calls that no request caused, and the lookups whose answers the service kept.
	processStubs []backgroundStub
}

// operationID returns the operation of x, "" if x is a request to no operation.
func operationID(x *recordedExchange) model.OpID {
	if x.op == nil {
		return ""
	}
	return x.op.ID
}
