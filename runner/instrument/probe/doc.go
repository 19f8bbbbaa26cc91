// Package probe builds a Go service with probes: it rewrites the source on the way to
// the compiler, and describes in a manifest what the probes record. The service's
// source, go.mod and go.sum stay as they are. The package starts no service; package
// probedata reads what the probes of a running one recorded.
//
// The probes follow section 4.3 of the EvoMaster paper, for source instead of
// bytecode. Targets are blocks of statements, calls that return, and branches. A
// branch has the branch distance of search-based testing, also for strings, whose
// comparing functions are replaced by probes that compute a distance. A call has a
// score of ½ when it is reached. Only packages that the user chooses are probed, as
// the paper does it against the overhead.
//
// How a build works:
//
//   - load reads and type-checks the packages.
//   - prober and exprProber walk the files, and record edits and targets.
//   - overlay writes the edited files for go build -overlay.
//   - A file that does not compile with probes is built without.
package probe
