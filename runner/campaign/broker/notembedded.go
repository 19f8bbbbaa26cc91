//go:build noembed

package broker

import (
	"errors"
	"net"
)

// Server would be a NATS server inside of this process. This binary was built without one.
type Server struct{}

var errNotEmbedded = errors.New("this binary was built without a NATS server (-tags noembed): start nats-server -js, and give its URL")

// Serve returns an error.
func Serve(string, int, string, string) (*Server, error) { return nil, errNotEmbedded }

// Options returns no options.
func (s *Server) Options() Options { return Options{} }

// InProcessConn returns an error.
func (s *Server) InProcessConn() (net.Conn, error) { return nil, errNotEmbedded }

// ClientURL returns "".
func (s *Server) ClientURL() string { return "" }

// Close does nothing.
func (s *Server) Close() error { return nil }

// Embeds reports whether Serve works in this binary.
func Embeds() bool { return false }
