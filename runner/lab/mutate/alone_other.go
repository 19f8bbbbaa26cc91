//go:build !linux

package mutate

import (
	"os/exec"

	"sonde/runner/network/netns"
)

// startAlone is for systems that have network namespaces.
func startAlone(*exec.Cmd) (over func(), err error) { return nil, netns.ErrUnsupported }
