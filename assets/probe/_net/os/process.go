//go:build unix

package os

import "internal/poll"

// StartProcess starts a new process. It reports the start, because the new process may use the real network.
func StartProcess(name string, argv []string, attr *ProcAttr) (*Process, error) {
	if report := poll.SondeReport.Load(); report != nil && poll.SondeVirtual.Load() {
		(*report)("exec", name)
	}
	return sondeRealStartProcess(name, argv, attr)
}
