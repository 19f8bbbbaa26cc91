//go:build unix

// These declarations are added to runtime/pprof. When the service sets the labels of a goroutine, the
// goroutine keeps the label that says for which request it works.
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
