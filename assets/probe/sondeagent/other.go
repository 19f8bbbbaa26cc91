//go:build !((linux || darwin || freebsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

// Package sondeagent does nothing on systems where a file cannot be mapped into memory:
// the probes then write to memory that no other process reads.
package sondeagent

import _ "sonde/assets/probe/sondeprobe"
