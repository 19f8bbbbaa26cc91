// Package generate makes tests from a recording, after RICK ("Mimicking Production Behavior with
// Generated Mocks", section 3.3.3). Each test repeats one exchange, replaces the outward calls by
// stubs, and asserts what three oracles expect: the output oracle (OO), the parameter oracle (PO)
// and the call oracle (CO). The package also loosens assertions on values that vary between
// replays, and reports how well the tests mimic the recording (the paper's Tables 3 to 5). It reads
// no files and calls no hosts.
//
// # Who owns what
//
//	choice           which exchanges become tests, and which of them come first
//	codeCoverage     the code that the chosen exchanges run
//	testGenerator    makes the test of one exchange, with a testBuilder for its parts
//	arranger         the calls that create what the test needs
//	outwardCall      the answers of the stub of one outward call
//	stubDraft        a stub to which answers are added; testBuilder.addStubs makes the stubs
//	stubber          the match of that stub, and what the parameter oracle expects
//	learner          loosens the tests after they were replayed
package generate
