//go:build !((linux || darwin || freebsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

// Package sondeagent does nothing on this system, on which a file cannot be mapped over the memory
// of the probes. No other process reads that memory.
package sondeagent

import _ "sonde/assets/probe/sondeprobe"
