package model

// Provenance is where a test comes from. An export follows from it: how the tests find or start
// their service, and which command writes the same files again. Origin says what produced a test;
// Provenance says which one of them.
//
// It is not part of a test's JSON: each source sets it on the tests that it returns. Folders differ
// from machine to machine, and equal tests are equal bytes. The zero value is a test of no known
// source, such as a draft.
type Provenance struct {
	// Run is the folder of the search that keeps exactly this test; "" for a test that was changed
	// since, or comes from elsewhere.
	Run string
	// Recording is the folder of the recording that the test was made of, "" for others.
	Recording string
	// Parent is the ID of the test that this one was derived from by a change, "" for others.
	Parent string
	// Virtual reports whether the test was played on a virtual network.
	Virtual bool
}

// Derived returns the test as a changed one: it has the ID, but is no longer what its run keeps.
func (t Test) Derived() Test {
	t.Provenance.Run, t.Provenance.Parent = "", t.ID
	return t
}
