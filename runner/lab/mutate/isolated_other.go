//go:build !linux

package mutate

import (
	"os/exec"

	"sonde/runner/network/netns"
)

// startIsolated is for systems that have network namespaces.
func startIsolated(*exec.Cmd) (over func(), err error) { return nil, netns.ErrUnsupported }
