// Package probe builds a Go service with probes. It is the first of four packages on the way from
// source to scores, which the comment of package probedata lists. It edits source on the way to
// the compiler, and writes a manifest that describes what the probes record. The service's source
// files, go.mod and go.sum do not change. The package does not start the service.
//
// The probes follow section 4.3 of the EvoMaster paper, in source instead of bytecode. Targets are
// blocks of statements, calls that return, and branches. Most branches have the branch distance of
// search-based testing. Calls of functions that compare strings have one, too: a probe that
// computes the distance replaces them. A call that was reached and did not return has a score of ½.
// As in the paper, only the packages that the user chooses are probed, because probes cost time.
//
// How a build works:
//
//   - load reads and type-checks the packages.
//   - prober and exprProber walk the files, and record edits and targets.
//   - overlay writes the edited files for go build -overlay.
//   - A file that does not compile with probes is built without them.
package probe
