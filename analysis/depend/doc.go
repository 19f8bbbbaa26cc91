// Package depend says what in an API depends on what: the tree of its
// resources, the graph of values that flow between its operations, and the
// calls that should come before another so that it can succeed.
//
// Everything is in the order of the document, and equal input gives equal
// output. No type of the graph library crosses the package's door.
package depend
