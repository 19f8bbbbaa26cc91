// Package depend finds the dependencies in an API: the resources and their needs, the graph of values that flow
// between operations, and the earlier calls that a call needs to succeed (templates of tests). It sends no calls.
//
// A feeder is an operation that emits a value that another operation takes (feeder.go). The binder decides which
// earlier call of a seq gives the value of an input (binder.go). Seqs, paths and templates use the binder.
//
// All results are in the order of the document, and equal input gives equal results. No type of the
// graph library is exported.
package depend
