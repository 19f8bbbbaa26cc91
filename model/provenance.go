package model

// Provenance is the source of a test. An export uses it to find or start the service of the tests, and to
// name the command that writes the same files again. In contrast, Origin is only the kind of source.
//
// Provenance is not part of a test's JSON, because folders differ between machines, and equal tests must
// have equal encodings. Each source sets it on the tests that it returns. The zero value is the provenance
// of a test without a known source, such as a draft.
type Provenance struct {
	// Run is the folder of the search that keeps exactly this test. It is "" for a test that was changed
	// later or has another source.
	Run string
	// Recording is the folder of the recording from which the test was made, "" for other tests.
	Recording string
	// Parent is the ID of the test from which this test was derived by a change, "" for other tests.
	Parent string
	// Virtual reports whether the test was played on a virtual network.
	Virtual bool
}

// Derived returns a shallow copy of the test, to be changed. The copy has the same ID, has the test as its
// Parent, and belongs to no run.
func (t Test) Derived() Test {
	t.Provenance.Run, t.Provenance.Parent = "", t.ID
	return t
}
