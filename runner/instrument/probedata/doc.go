// Package probedata reads what the probes of a running service record: a file that
// is mapped into both processes, and the manifest that says what its bytes mean.
// Package probe writes the manifest when it builds a service; sondeprobe, which is
// compiled into the service, writes the file.
//
// The scores follow section 4.3 of the EvoMaster paper: 0 for a target that was not
// reached, 1 for one that is covered, between them the branch distance, and ½ for a
// call that was reached and did not return.
package probedata
