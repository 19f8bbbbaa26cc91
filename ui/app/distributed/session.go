// Package distributed runs commands as campaigns over many processes: it connects to NATS servers or starts one, coordinates,
// and works. Package runner/campaign distributes units; the packages of the use cases say what their units are.
package distributed

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/ui/app/userdata"
	"sonde/ui/app/version"
)

// TokenVariable is the environment variable with the token for NATS servers.
const TokenVariable = "SONDE_NATS_TOKEN"

// Servers says where NATS servers are, and how to log in there.
type Servers struct {
	URL             string // URLs, separated by commas, or "embedded", "embedded:PORT" or "embedded:HOST:PORT"
	CredentialsFile string
	NKeyFile        string
	TLS             model.TLSFiles
}

// Embedded is the URL of a server in this process, at any free port.
const Embedded = "embedded"

// IsEmbedded reports whether this process is to run the server.
func (v Servers) IsEmbedded() bool {
	return v.URL == Embedded || strings.HasPrefix(v.URL, Embedded+":")
}

// Redacted returns the URLs without passwords and tokens.
func (v Servers) Redacted() string {
	if v.IsEmbedded() {
		return v.URL
	}
	return broker.Redacted(v.URL)
}

// Name names the servers, without secrets.
func (v Servers) Name() string { return broker.Redacted(v.URL) }

// options returns how to connect to servers that run already.
func (v Servers) options() broker.Options {
	return broker.Options{
		URL: v.URL, Client: "sonde " + version.Release, CredentialsFile: v.CredentialsFile, NKeyFile: v.NKeyFile,
		Token: os.Getenv(TokenVariable), TLS: v.TLS,
	}
}

// Session is a connection to the servers of campaigns.
type Session struct {
	Store   *campaign.Store
	conn    *broker.Conn
	servers Servers // servers that a process of one unit connects to
	token   string
	server  *broker.Server // server in this process, or nil
	folder  string         // folder with the data of the server
	join    string
}

// Open connects to servers.
func Open(ctx context.Context, v Servers) (*Session, error) {
	return open(ctx, v.options(), &Session{servers: v, token: os.Getenv(TokenVariable)})
}

// OpenFor is like Open, but starts the server of a campaign if the servers are embedded.
func OpenFor(ctx context.Context, v Servers, campaignID string) (*Session, error) {
	if !v.IsEmbedded() {
		return Open(ctx, v)
	}
	host, port, err := v.address()
	if err != nil {
		return nil, err
	}
	state, err := userdata.StateFile()
	if err != nil {
		return nil, err
	}
	all := filepath.Join(filepath.Dir(state), "campaigns")
	if err := campaign.RemoveUnused(all); err != nil {
		return nil, err
	}
	s := &Session{folder: filepath.Join(all, campaignID)}
	s.token = cmp.Or(os.Getenv(TokenVariable), newToken())
	s.server, err = broker.Serve(host, port, s.folder, s.token)
	if err != nil {
		return nil, err
	}
	s.servers = Servers{URL: s.server.ClientURL()}
	s.join = fmt.Sprintf("%s=%s sonde worker --nats %s", TokenVariable, s.token, reachable(s.servers.URL))
	return open(ctx, s.server.Options(), s)
}

func open(ctx context.Context, o broker.Options, s *Session) (_ *Session, err error) {
	if s.conn, err = broker.Connect(ctx, o); err == nil {
		s.Store, err = campaign.OpenStore(ctx, s.conn)
		err = s.conn.Explain(err)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Join returns the command with which other machines start workers for the server in this process. It returns "" if
// this process runs no server.
func (s *Session) Join() string { return s.join }

// Close closes the connection, and stops the server of this process.
func (s *Session) Close() error {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.server == nil {
		return nil
	}
	return s.server.Close()
}

// Remove does the same as Close, and then removes the data of the server in this process, if there is one.
func (s *Session) Remove() error {
	err := s.Close()
	if s.folder == "" || err != nil {
		return err
	}
	return os.RemoveAll(s.folder)
}

// address returns the host and the port at which an embedded server listens. Port 0 means any free one.
func (v Servers) address() (host string, port int, err error) {
	host, rest := "127.0.0.1", strings.TrimPrefix(strings.TrimPrefix(v.URL, Embedded), ":")
	if rest == "" {
		return host, 0, nil
	}
	if strings.Contains(rest, ":") {
		if host, rest, err = net.SplitHostPort(rest); err != nil {
			return "", 0, fmt.Errorf("--nats %q: %w", v.URL, err)
		}
	}
	port, err = strconv.Atoi(rest)
	if err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("--nats %q: the port is a number from 1 to 65535", v.URL)
	}
	return host, port, nil
}

// reachable returns the URL by which other machines reach a server. If the server listens on all addresses, the URL
// has the name of this machine. Any other URL is returned unchanged.
func reachable(url string) string {
	name, err := os.Hostname()
	if err != nil {
		return url
	}
	return strings.NewReplacer("//0.0.0.0:", "//"+name+":", "//[::]:", "//"+name+":").Replace(url)
}

func newToken() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
