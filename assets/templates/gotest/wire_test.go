package gotest

import (
	"io"

	"sonde/assets/wire"
)

// DatabaseRequest is the type of package wire. An exported file does not have the declarations in this file, but a
// copy of the source of package wire.
type DatabaseRequest = wire.DatabaseRequest

// NewRedisSession calls the function of the same name in package wire.
func NewRedisSession(in io.Reader) *wire.RedisSession { return wire.NewRedisSession(in) }

// NewPostgresSession calls the function of the same name in package wire.
func NewPostgresSession(in io.Reader, lookup func(query string) []string) *wire.PostgresSession {
	return wire.NewPostgresSession(in, lookup)
}

// NewMySQLSession calls the function of the same name in package wire.
func NewMySQLSession(in io.Reader, lookup func(query string) []string) *wire.MySQLSession {
	return wire.NewMySQLSession(in, lookup)
}

// IsGRPC calls the function of the same name in package wire.
func IsGRPC(contentType string) bool { return wire.IsGRPC(contentType) }

// GRPCToJSON calls the function of the same name in package wire.
func GRPCToJSON(body []byte) (text string, ok bool) { return wire.GRPCToJSON(body) }

// GRPCFromJSON calls the function of the same name in package wire.
func GRPCFromJSON(text []byte) (body []byte, ok bool) { return wire.GRPCFromJSON(text) }
