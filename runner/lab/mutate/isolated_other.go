//go:build !linux

package mutate

import (
	"os/exec"

	"sonde/runner/network/netns"
)

// startIsolated returns an error: only Linux has network namespaces.
func startIsolated(*exec.Cmd) (release func(), err error) { return nil, netns.ErrUnsupported }
