package gotest

import (
	"io"

	"sonde/assets/wire"
)

// DatabaseRequest is the type of package wire, whose source an exported file has.
type DatabaseRequest = wire.DatabaseRequest

// NewRedisSession is the function of package wire.
func NewRedisSession(in io.Reader) *wire.RedisSession { return wire.NewRedisSession(in) }

// NewPostgresSession is the function of package wire.
func NewPostgresSession(in io.Reader, lookup func(query string) []string) *wire.PostgresSession {
	return wire.NewPostgresSession(in, lookup)
}

// NewMySQLSession is the function of package wire.
func NewMySQLSession(in io.Reader, lookup func(query string) []string) *wire.MySQLSession {
	return wire.NewMySQLSession(in, lookup)
}
