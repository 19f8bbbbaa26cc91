// Package probe builds a Go service with probes. It is the first of four packages on the way from
// source to scores, which the comment of package probedata lists. It edits source on the way to
// the compiler, and writes a manifest that describes what the probes record. The service's source
// files, go.mod and go.sum do not change. The package does not start the service.
//
// The probes follow section 4.3 of the EvoMaster paper, in source instead of bytecode. Targets are
// blocks of statements, calls that return, and branches. Most branches have the branch distance of
// search-based testing. So do calls of functions that compare strings, which are replaced by a probe
// that computes the distance. A call that was reached and did not return has a score of ½. As in the
// paper, only the packages that the user chooses are probed, because probes cost time. The paper has no gradient that
// removes the cause of an exception. If the user wants it, operations that panic for some operands are predicates here,
// with a distance in both directions; see panicProber.
//
// Comments in this package use these words:
//
//   - A hit is a byte that a probe sets when a place in the source is reached. Hits have numbers.
//   - A predicate is an expression with outcomes, such as true and false. Each outcome has a slot for
//     its distance. The service watches a predicate, that is, it computes distances, while Sonde
//     needs them.
//   - The terms of an outcome compute a score from slots, see probedata.ScoreTerm.
//
// How a build works:
//
//   - load reads and type-checks the packages.
//   - prober and exprProber walk the files, and record edits and targets.
//   - overlay writes the edited files for go build -overlay.
//   - A file that does not compile with probes is built without them.
package probe
