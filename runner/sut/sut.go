// Package sut looks after the service under test: for now, bringing it back
// to its first state between tests.
package sut

import (
	"context"
	"fmt"

	"sonde/model"
	"sonde/runner/client"
)

// Service is a running service.
type Service struct {
	client *client.Client
	reset  *model.Reset
}

// New returns the service that a client talks to; reset may be nil.
func New(c *client.Client, reset *model.Reset) *Service {
	return &Service{c, reset}
}

// Resets tells whether the service can be reset.
func (s *Service) Resets() bool { return s.reset != nil }

// WrongAnswer is the error of a reset that the service refused.
type WrongAnswer struct {
	Reset  model.Reset
	Status int
}

func (w *WrongAnswer) Error() string {
	return fmt.Sprintf("reset %s %s answered %d: without it tests disturb each other", w.Reset.Method, w.Reset.Path, w.Status)
}

// Reset brings the service back to its first state, if anybody knows how. The
// error is client.ErrBudget, a WrongAnswer, or the network's.
func (s *Service) Reset(ctx context.Context) error {
	if s.reset == nil {
		return nil
	}
	x := s.client.Send(ctx, model.Request{Method: s.reset.Method, URL: s.reset.Path})
	if x.Err == nil && x.Reply.Status/100 != 2 {
		return &WrongAnswer{*s.reset, x.Reply.Status}
	}
	return x.Err
}
