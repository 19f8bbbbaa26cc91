//go:build unix

// What is added to runtime/pprof: labels that the service sets replace those that a
// goroutine has, but for the request for which it works.
package pprof

import (
	"context"
	"internal/poll"
)

// SetGoroutineLabels sets the current goroutine's labels to match ctx.
func SetGoroutineLabels(ctx context.Context) {
	before := poll.SondeLabels()
	sondeRealSetGoroutineLabels(ctx)
	poll.SondeKeep(before)
}
