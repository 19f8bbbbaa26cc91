//go:build !unix

package search_test

import "time"

// cpuTime is 0 where it is not known.
func cpuTime() time.Duration { return 0 }
