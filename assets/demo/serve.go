package demo

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Serve serves the shop on the listener until ctx ends. It then closes the
// listener, and waits a few seconds for the calls in progress. It returns an
// error if serving failed, or if calls did not end in time.
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
