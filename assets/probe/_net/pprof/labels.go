//go:build unix

// These declarations are added to runtime/pprof. If the service sets the labels of a goroutine, the
// label with the request that the goroutine works for remains.
package pprof

import (
	"context"
	"internal/poll"
)

// SetGoroutineLabels sets the current goroutine's labels to match ctx.
func SetGoroutineLabels(ctx context.Context) {
	before := poll.SondeLabels()
	sondeRealSetGoroutineLabels(ctx)
	poll.SondeKeepRequest(before)
}
