package demo

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Serve serves the shop on the listener until ctx ends. It then waits a few
// seconds for the calls in progress, and closes the listener. It returns an
// error only if serving failed.
func Serve(ctx context.Context, l net.Listener, s *Shop) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		stopped <- server.Shutdown(grace)
	})
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	return <-stopped
}
