//go:build !unix

package tty

import "os"

// kill ends a program.
func kill(p *os.Process) { _ = p.Kill() }
