//go:build !noembed

package broker

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server with JetStream inside of this process.
type Server struct {
	*server.Server
	lock  *flock.Flock
	token string
}

// Serve starts a server that listens at host and port and keeps its data in a folder. Port 0 means any free port.
// Clients need the token. The server handles no signals: it runs until Close.
func Serve(host string, port int, folder, token string) (*Server, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("no folder for the data of the NATS server: %w", err)
	}
	lock := flock.New(filepath.Join(folder, lockFile))
	free, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("data of the NATS server in %q: %w", folder, err)
	case !free:
		return nil, fmt.Errorf("data of the NATS server in %q: another process uses it", folder)
	}
	s, err := startServer(&server.Options{
		ServerName: "sonde", Host: host, Port: cmp.Or(port, server.RANDOM_PORT), Authorization: token, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: folder,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the NATS server cannot start: %w", err), lock.Close())
	}
	return &Server{Server: s, lock: lock, token: token}, nil
}

// startServer starts a server and waits until clients can connect to it. If the port is taken, it returns an error at
// once: the server itself reports no reason.
func startServer(o *server.Options) (*server.Server, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(o.Host, strconv.Itoa(max(0, o.Port))))
	if err != nil {
		return nil, err
	}
	if err := l.Close(); err != nil {
		return nil, err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(connectTimeout) {
		s.Shutdown()
		return nil, errors.New("it is not ready after " + connectTimeout.String())
	}
	return s, nil
}

// Options returns the settings with which this process connects to the server.
func (s *Server) Options() Options { return Options{URL: s.ClientURL(), Token: s.token, embedded: s} }

// Close stops the server and waits until its data is on disk.
func (s *Server) Close() error {
	s.Shutdown()
	s.WaitForShutdown()
	return s.lock.Close()
}

// Embeds reports whether Serve works in this binary.
func Embeds() bool { return true }
