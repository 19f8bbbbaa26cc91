//go:build unix

package os

import "internal/poll"

// StartProcess starts a new process, and reports that, because the process may use the real network.
func StartProcess(name string, argv []string, attr *ProcAttr) (*Process, error) {
	if tell := poll.SondeTell.Load(); tell != nil && poll.SondeVirtual.Load() {
		(*tell)("exec", name)
	}
	return sondeRealStartProcess(name, argv, attr)
}
