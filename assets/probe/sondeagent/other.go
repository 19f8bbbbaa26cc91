//go:build !((linux || darwin || freebsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

// Package sondeagent does nothing on this system, on which a file cannot be mapped over the memory of
// the probes. So no other process can read the memory.
package sondeagent

import _ "sonde/assets/probe/sondeprobe"
