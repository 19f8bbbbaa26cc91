// Package broker connects to NATS servers with JetStream, and runs such a server inside of this process.
package broker

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"sonde/model"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say how to connect. The zero values of all fields but URL mean that the server needs none.
type Options struct {
	URL             string // of one server or of several of a cluster, separated by commas
	Client          string // what the server shows as the name of the connection
	CredentialsFile string // with a JWT and its NKey, as nsc writes it
	NKeyFile        string // with the seed of an NKey
	Token           string
	TLS             model.TLSFiles

	embedded *Server
}

// Conn is a connection to servers with JetStream. It reconnects by itself, to any server of the cluster, until it is
// closed. It is safe for concurrent use.
type Conn struct {
	JetStream jetstream.JetStream
	nats      *nats.Conn
}

const (
	connectTimeout = 5 * time.Second
	reconnectWait  = 250 * time.Millisecond
	// requestTimeout bounds one request to JetStream. An election of a leader takes a few seconds.
	requestTimeout = 5 * time.Second
	// transferTimeout bounds the transfer of one file.
	transferTimeout = 5 * time.Minute
)

// Connect connects, and checks that the servers have JetStream. The error has one line and names the servers without
// their passwords.
func Connect(ctx context.Context, o Options) (*Conn, error) {
	where := Redacted(o.URL)
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	link, err := nats.Connect(o.URL, settings...)
	if err != nil {
		return nil, connectError(where, err)
	}
	js, err := jetstream.New(link, jetstream.WithDefaultTimeout(requestTimeout))
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		link.Close()
		return nil, jetStreamError(where, err)
	}
	return &Conn{JetStream: js, nats: link}, nil
}

// settings returns the options of the client.
func (o Options) settings() ([]nats.Option, error) {
	all := []nats.Option{
		nats.Name(o.Client), nats.Timeout(connectTimeout), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // the client would print them
	}
	if o.embedded != nil {
		all = append(all, nats.InProcessServer(o.embedded))
	}
	if o.CredentialsFile != "" {
		all = append(all, nats.UserCredentials(o.CredentialsFile))
	}
	if o.NKeyFile != "" {
		key, err := nats.NkeyOptionFromSeed(o.NKeyFile)
		if err != nil {
			return nil, fmt.Errorf("%q has no NKey seed: %w", o.NKeyFile, err)
		}
		all = append(all, key)
	}
	if o.Token != "" {
		all = append(all, nats.Token(o.Token))
	}
	if o.TLS.CACert != "" {
		all = append(all, nats.RootCAs(o.TLS.CACert))
	}
	if o.TLS.Cert != "" || o.TLS.Key != "" {
		all = append(all, nats.ClientCert(o.TLS.Cert, o.TLS.Key))
	}
	return all, nil
}

func connectError(where string, err error) error {
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("no NATS server answers at %s: start nats-server -js there, or correct the URL", where)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired):
		return fmt.Errorf(
			"the NATS server at %s refuses these credentials: use --nats-creds, --nats-nkey or SONDE_NATS_TOKEN (%w)", where, err,
		)
	}
	return fmt.Errorf("cannot connect to the NATS server at %s: %w", where, err)
}

func jetStreamError(where string, err error) error {
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return fmt.Errorf("the NATS server at %s has no JetStream for this account: start it with nats-server -js", where)
	}
	return fmt.Errorf("JetStream of the NATS server at %s does not answer: %w", where, err)
}

// Redacted returns URLs of servers, separated by commas, without passwords and tokens.
func Redacted(urls string) string {
	var all []string
	for text := range strings.SplitSeq(urls, ",") {
		text = strings.TrimSpace(text)
		u, err := url.Parse(text)
		switch {
		case err != nil:
			text = "(not a URL)"
		case u.User != nil:
			u.User = url.User("xxxxx")
			text = u.String()
		}
		all = append(all, text)
	}
	return strings.Join(all, ",")
}

// Replicas returns how many servers should keep a copy of each message: 3 if the cluster has as many servers, else 1.
func (c *Conn) Replicas() int {
	servers := c.nats.Servers()
	slices.Sort(servers)
	if len(slices.Compact(servers)) < 3 || c.nats.ConnectedClusterName() == "" {
		return 1
	}
	return 3
}

// MaxPayload returns the maximum size of a message in bytes.
func (c *Conn) MaxPayload() int { return int(c.nats.MaxPayload()) }

// Check returns an error if no server answers before the deadline of ctx. reconnects is how often the connection was lost and made again.
func (c *Conn) Check(ctx context.Context) (reconnects int, err error) {
	if c.nats.IsConnected() {
		err = c.nats.FlushWithContext(ctx)
	} else {
		err = nats.ErrDisconnected
	}
	return int(c.nats.Stats().Reconnects), err
}

// Close closes the connection.
func (c *Conn) Close() { c.nats.Close() }

// maxOutage is how long Retry waits for servers that do not answer.
const maxOutage = 2 * time.Minute

// Retry calls do until it succeeds, its error is not temporary, ctx ends, or the servers did not answer for maxOutage.
// An error is temporary if servers do not answer, such as during the election of a leader. do may thus be called again
// although a server has done what it asks for.
func Retry(ctx context.Context, do func(ctx context.Context) error) error {
	return retry(ctx, requestTimeout, do)
}

// Transfer is like Retry, for requests that send or read a file.
func Transfer(ctx context.Context, do func(ctx context.Context) error) error {
	return retry(ctx, transferTimeout, do)
}

func retry(ctx context.Context, timeout time.Duration, do func(ctx context.Context) error) error {
	for began, wait := time.Now(), 50*time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		attempt, end := context.WithTimeout(ctx, timeout)
		err := do(attempt)
		end()
		switch {
		case err == nil || !isTemporary(err):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Since(began) > maxOutage:
			return fmt.Errorf("the NATS servers do not answer: %w", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// temporaryCodes are JetStream's codes of temporary errors: JetStream is not available, a server is not the leader, and a
// stream is offline.
var temporaryCodes = []jetstream.ErrorCode{10008, 10009, 10118}

func isTemporary(err error) bool {
	for _, known := range []error{
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
		context.DeadlineExceeded, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && slices.Contains(temporaryCodes, api.ErrorCode)
}
