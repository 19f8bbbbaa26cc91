// Package broker connects to NATS servers with JetStream, and runs such a server inside of this process.
package broker

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"sonde/model"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options are the settings for a connection. All fields but URL may be empty if the servers do not need them.
type Options struct {
	URL             string // the URL of a server, or the URLs of several servers of a cluster, separated by commas
	Client          string // the name of the connection that the servers show
	CredentialsFile string // path of a file with a JWT and its NKey, as nsc writes it
	NKeyFile        string // path of a file with the seed of an NKey
	Token           string
	TLS             model.TLSFiles

	embedded *Server
}

// Conn is a connection to servers with JetStream. If the connection is lost, Conn connects again, to any server of the
// cluster. It closes itself if the servers no longer accept its login, or deny an operation that it needs; see Explain.
// It is safe for concurrent use.
type Conn struct {
	JetStream jetstream.JetStream
	nats      *nats.Conn
	options   Options

	mu     sync.Mutex
	reason error // why the connection has closed itself
}

const (
	connectTimeout = 5 * time.Second
	reconnectWait  = 250 * time.Millisecond
	// requestTimeout bounds one request to JetStream. An election of a leader takes a few seconds.
	requestTimeout = 5 * time.Second
	// startTimeout is how long a client waits for a cluster that elects its leaders.
	startTimeout = 20 * time.Second
	// transferTimeout bounds the transfer of one file.
	transferTimeout = 5 * time.Minute
)

// Connect connects, and checks that the servers have JetStream. The error has one line and names the servers without
// their passwords.
func Connect(ctx context.Context, o Options) (*Conn, error) {
	c := &Conn{options: o}
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	settings = append(settings, nats.ErrorHandler(c.note))
	if c.nats, err = dial(o.URL, settings); err != nil {
		return nil, o.connectError(err)
	}
	c.JetStream, err = jetstream.New(c.nats, jetstream.WithDefaultTimeout(requestTimeout))
	if err == nil {
		starting, end := context.WithTimeout(ctx, startTimeout)
		defer end()
		err = Retry(starting, func(ctx context.Context) error {
			_, err := c.JetStream.AccountInfo(ctx)
			return err
		})
	}
	if err != nil {
		c.nats.Close()
		return nil, o.jetStreamError(c.Explain(err))
	}
	return c, nil
}

// dial connects to one of the servers. If it cannot connect to any of them, dial returns the error of a server that
// answered, if there is one.
func dial(urls string, settings []nats.Option) (*nats.Conn, error) {
	link, err := nats.Connect(urls, settings...)
	if !errors.Is(err, nats.ErrNoServers) {
		return link, err
	}
	for one := range strings.SplitSeq(urls, ",") { // nats.Connect returns only the error of the last server
		if link, err := nats.Connect(one, settings...); !errors.Is(err, nats.ErrNoServers) {
			return link, err
		}
	}
	return nil, err
}

// note handles an error that a server sends by itself, not as an answer to a request. If a server denies an operation
// or refuses the login, note keeps the reason for Explain. After a denial, it closes the connection. If a server
// refuses the login twice, the client closes the connection by itself.
func (c *Conn) note(link *nats.Conn, _ *nats.Subscription, err error) {
	isDenied := errors.Is(err, nats.ErrPermissionViolation)
	if !isDenied && !isRefusal(err) {
		return // the client handles all other errors
	}
	c.mu.Lock()
	c.reason = c.options.connectError(err)
	c.mu.Unlock()
	if isDenied {
		link.Close() // the servers do not answer requests that they deny, so waiting for answers is useless
	}
}

// Explain returns why the connection has closed itself, if there is such a reason and err says that the connection is
// closed. Otherwise Explain returns err.
func (c *Conn) Explain(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason != nil && IsClosed(err) {
		return c.reason
	}
	return err
}

// IsClosed reports whether an error says that the connection is closed.
func IsClosed(err error) bool {
	return errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, jetstream.ErrConnectionClosed)
}

// settings returns the options of the client.
func (o Options) settings() ([]nats.Option, error) {
	all := []nats.Option{
		nats.Name(o.Client), nats.Timeout(connectTimeout), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // without a handler, the client prints the errors
	}
	if o.embedded != nil {
		all = append(all, nats.InProcessServer(o.embedded))
	}
	login, err := o.loginOptions()
	if err != nil {
		return nil, err
	}
	secure, err := o.tlsOptions()
	return append(append(all, login...), secure...), err
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

// Replicas returns how many servers should keep a copy of each message: 3 if the cluster has at least 3 servers, else
// 1.
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

// Check returns an error if no server answers before the deadline of ctx. reconnects is how often the client lost the
// connection and connected again.
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

// Retry calls the function do until it succeeds or returns an error that is not temporary. It gives up when ctx ends,
// or when the servers have not answered for maxOutage.
//
// An error is temporary if servers do not answer, such as during the election of a leader. A server may therefore have
// carried out a request before Retry sends it again.
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
