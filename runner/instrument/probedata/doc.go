// Package probedata reads what the probes of a running service record. It is the last of four
// packages on the way from source to scores:
//
//   - runner/instrument/probe adds probes to source, builds it and writes a manifest.
//   - assets/probe embeds the source that a build adds to the service.
//   - assets/probe/sondeprobe, a part of that source, records in a shared file what the service
//     does.
//   - probedata reads that file, with the manifest that says what its bytes mean.
//
// The scores follow section 4.3 of the EvoMaster paper. The score is 0 for a target that was not reached, and 1 for a
// covered target. For a target that was reached but not covered, the score depends on the branch distance. The score is
// ½ if the target has no distance, such as a call that did not return.
package probedata
