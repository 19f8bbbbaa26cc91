package broker_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

func TestRedacted(t *testing.T) {
	for urls, want := range map[string]string{
		"nats://host:4222":                     "nats://host:4222",
		"nats://ann:secret@host:4222, tls://b": "nats://xxxxx@host:4222,tls://b",
		"nats://token@host":                    "nats://xxxxx@host",
		"nats://%zz":                           "(not a URL)",
	} {
		if got := broker.Redacted(urls); got != want {
			t.Errorf("%q: got %q", urls, got)
		}
	}
}

func TestServe(t *testing.T) {
	folder := t.TempDir()
	s := serve(t, folder)
	ctx := t.Context()
	c, err := broker.Connect(ctx, s.Options())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Replicas() != 1 || c.MaxPayload() < 1<<20 {
		t.Errorf("%d replicas, messages of %d bytes", c.Replicas(), c.MaxPayload())
	}
	byTCP, err := broker.Connect(ctx, broker.Options{URL: s.ClientURL(), Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	byTCP.Close()
	if !broker.IsInUse(folder) || broker.IsInUse(t.TempDir()) {
		t.Error("only the folder of the server is in use")
	}
	if _, err := broker.Serve("127.0.0.1", 0, folder, ""); err == nil || !strings.Contains(err.Error(), "another process uses it") {
		t.Errorf("the same folder twice: %v", err)
	}
	_, err = broker.Serve("127.0.0.1", portOf(t, s.ClientURL()), t.TempDir(), "")
	if err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a taken port: %v", err)
	}
}

func serve(t *testing.T, folder string) *broker.Server {
	t.Helper()
	if !broker.Embeds() {
		t.Skip("this binary has no NATS server")
	}
	s, err := broker.Serve("127.0.0.1", 0, folder, "secret")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func portOf(t *testing.T, url string) int {
	t.Helper()
	a, err := net.ResolveTCPAddr("tcp", strings.TrimPrefix(url, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	return a.Port
}

// An error has one line, which names the server but no secret, and says what to do.
func TestConnectErrors(t *testing.T) {
	s := serve(t, t.TempDir())
	plain := otherServer(t, &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	noKey := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(noKey, []byte("no seed"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]broker.Options{
		"no NATS server answers at nats://xxxxx@127.0.0.1:1": {URL: "nats://ann:private@127.0.0.1:1"},
		"wants a login":    {URL: s.ClientURL()},
		"has no JetStream": {URL: plain},
		"has no NKey seed": {URL: plain, NKeyFile: noKey},
		"no-such-file":     {URL: plain, CredentialsFile: "no-such-file"},
		"no-such-ca":       {URL: plain, TLS: model.TLSFiles{CACert: "no-such-ca"}},
		"no-such-cert":     {URL: plain, TLS: model.TLSFiles{Cert: "no-such-cert", Key: "no-such-key"}},
	} {
		_, err := broker.Connect(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "private") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}

// otherServer starts a server that is not Sonde's, and returns its URL.
func otherServer(t *testing.T, o *server.Options) string {
	t.Helper()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(5 * time.Second) {
		t.Fatal("the server is not ready")
	}
	return s.ClientURL()
}

func TestRetry(t *testing.T) {
	calls := 0
	err := broker.Retry(t.Context(), func(context.Context) error {
		calls++
		if calls < 3 {
			return nats.ErrNoResponders
		}
		return nil
	})
	if err != nil || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
	other := errors.New("full")
	calls = 0
	if err := broker.Retry(t.Context(), func(context.Context) error { calls++; return other }); !errors.Is(err, other) || calls != 1 {
		t.Errorf("%d calls, %v: want one for an error that is not temporary", calls, err)
	}
	ctx, end := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer end()
	err = broker.Retry(ctx, func(context.Context) error { return nats.ErrTimeout })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the end of the context: %v", err)
	}
}
