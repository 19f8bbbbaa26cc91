//go:build unix

// These declarations are added to runtime/pprof: labels that the service sets replace
// those of a goroutine, except the request that it works for.
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
