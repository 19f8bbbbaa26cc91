//go:build unix

// This file is added to package sondeagent, for services whose requests are recorded with the code that they run.
package sondeagent

import (
	"internal/poll"

	"sonde/assets/probe/sondeprobe"
)

func init() { sondeprobe.RequestTag = poll.SondeRequestTag }
