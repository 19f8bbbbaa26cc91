package model

// Provenance is where a test comes from. An export uses it to find or start the service of the tests, and to
// name the command that writes the same files again. Origin is the kind of source that produced a test;
// Provenance is the source itself.
//
// Provenance is not part of a test's JSON, because folders differ between machines and equal tests must be
// equal bytes. Each source sets it on the tests that it returns. The zero value is the provenance of a test
// without a known source, such as a draft.
type Provenance struct {
	// Run is the folder of the search that keeps exactly this test; "" for a test that was changed
	// since, or comes from elsewhere.
	Run string
	// Recording is the folder of the recording that the test was made of, "" for other tests.
	Recording string
	// Parent is the ID of the test that this one was derived from by a change, "" for other tests.
	Parent string
	// Virtual reports whether the test was played on a virtual network.
	Virtual bool
}

// Derived returns a shallow copy of the test, for a test that is made from it by a change. The copy has the
// same ID, names the test as its Parent, and belongs to no run.
func (t Test) Derived() Test {
	t.Provenance.Run, t.Provenance.Parent = "", t.ID
	return t
}
