//go:build !linux && !darwin && !freebsd

// Package sondeagent does nothing where memory cannot be shared by a file: the
// probes then write where nobody looks.
package sondeagent

import _ "sonde/assets/probe/sondeprobe"
