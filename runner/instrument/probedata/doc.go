// Package probedata reads what the probes of a running service record. It is the last of four
// packages on the way from source to scores:
//
//   - runner/instrument/probe adds probes to source, builds it and writes a manifest.
//   - assets/probe embeds the source that a build adds to the service.
//   - assets/probe/sondeprobe, a part of that source, records in a shared file what the service
//     does.
//   - probedata reads that file, with the manifest that says what its bytes mean.
//
// The scores follow section 4.3 of the EvoMaster paper. The score is 0 for a target that was not
// reached, 1 for a covered target, ½ for a call that was reached and did not return, and depends
// on the branch distance for the others.
package probedata
