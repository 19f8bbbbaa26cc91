// Package depend finds what depends on what in an API: the resources and what they
// need, the graph of values that flow between operations, and the calls that a call
// needs before it to succeed (templates of tests). It sends no calls.
//
// All results are in the order of the document, and equal input gives equal results. No
// type of the graph library is exported.
package depend
