package broker_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/campaign/broker"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// configVariable is the environment variable with the configuration file of a server that this binary is to run.
const configVariable = "SONDE_TEST_SERVER"

// TestMain runs a server instead of the tests if configVariable is set.
func TestMain(m *testing.M) {
	if file := os.Getenv(configVariable); file != "" {
		if err := runServer(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func runServer(file string) error {
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		return err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		return errors.New("the server is not ready")
	}
	fmt.Println(s.Addr())
	s.WaitForShutdown()
	return nil
}

// startServer starts a server as a process with a configuration file, and returns its address.
func startServer(t *testing.T, config string) (address string) {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "server.conf")
	write(t, file, fmt.Sprintf("host: 127.0.0.1\nport: -1\njetstream { store_dir: %q }\n%s\n", filepath.Join(folder, "data"), config))
	c := exec.Command(os.Args[0])
	c.Env, c.Stderr = append(os.Environ(), configVariable+"="+file), os.Stderr
	out, err := c.StdoutPipe()
	must(t, out, err)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	if _, err := fmt.Fscanln(out, &address); err != nil {
		t.Fatal(err)
	}
	return address
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func must[T any](t *testing.T, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// newKey returns the public key and the seed of a new NKey.
func newKey(t *testing.T, create func() (nkeys.KeyPair, error)) (pair nkeys.KeyPair, public, seed string) {
	t.Helper()
	pair, err := create()
	must(t, pair, err)
	public, err = pair.PublicKey()
	must(t, public, err)
	data, err := pair.Seed()
	return pair, public, string(must(t, data, err))
}

// authority issues certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string // the certificate
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{file: filepath.Join(t.TempDir(), name+".pem")}
	a.certificate, a.key = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, nil
	a.issue(t, a.certificate, a.file, a.file+".key")
	return a
}

// issue writes a certificate and its key to files. The first certificate that issue writes is that of the authority
// itself.
func (a *authority) issue(t *testing.T, c *x509.Certificate, file, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, key, err)
	if a.key == nil {
		a.key = key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.certificate, &key.PublicKey, a.key)
	must(t, der, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, private, err)
	write(t, file, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
}

// files returns a certificate of the authority for 127.0.0.1, and its key.
func (a *authority) files(t *testing.T, usage x509.ExtKeyUsage) model.TLSFiles {
	t.Helper()
	return a.filesUntil(t, usage, time.Now().Add(time.Hour))
}

// filesUntil is like files, for a certificate that is valid from one day before end until end.
func (a *authority) filesUntil(t *testing.T, usage x509.ExtKeyUsage, end time.Time) model.TLSFiles {
	t.Helper()
	folder := t.TempDir()
	f := model.TLSFiles{CACert: a.file, Cert: filepath.Join(folder, "cert.pem"), Key: filepath.Join(folder, "key.pem")}
	a.issue(t, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test"}, NotBefore: end.Add(-24 * time.Hour), NotAfter: end,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{usage},
	}, f.Cert, f.Key)
	return f
}

// A login is one way to connect. want is a part of the error, "" if the server accepts the login.
type login struct {
	broker.Options
	want string
}

// try connects in each way. It checks that an error has one line, contains no secret, and names the given
// credentials.
func try(t *testing.T, logins []login) {
	t.Helper()
	for _, l := range logins {
		c, err := broker.Connect(t.Context(), l.Options)
		switch {
		case l.want == "" && err != nil:
			t.Errorf("%+v: %v", l.Options, err)
		case l.want != "" && err == nil:
			t.Errorf("the server accepts %+v, want %q", l.Options, l.want)
		case l.want != "" && (!strings.Contains(err.Error(), l.want) || strings.ContainsAny(err.Error(), "\n") ||
			strings.Contains(err.Error(), "s3cret")):
			t.Errorf("got %q, want %q", err, l.want)
		}
		if err == nil {
			c.Close()
		}
	}
}

func servers(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers as processes")
	}
}

func TestTokensAndUsers(t *testing.T) {
	servers(t)
	t.Parallel()
	token := startServer(t, `authorization { token: "right" }`)
	user := startServer(t, `authorization { user: "ann", password: "right" }`)
	url := "nats://" + token
	try(t, []login{
		{broker.Options{URL: url, Token: "right"}, ""},
		{broker.Options{URL: "nats://right@" + token}, ""},
		{broker.Options{URL: url, Token: "s3cret"}, "refuses the token in SONDE_NATS_TOKEN"},
		{broker.Options{URL: "nats://s3cret@" + token}, "refuses the user or the token in the URL"},
		{broker.Options{URL: url}, "wants a login: give --nats-creds, --nats-nkey, SONDE_NATS_TOKEN or a user in the URL"},
		{broker.Options{URL: "nats://127.0.0.1:1," + url}, "wants a login"}, // the other server does not answer
		{broker.Options{URL: "tls://" + token, Token: "right"}, "has no TLS: use nats://"},
		{broker.Options{URL: "nats://ann:right@" + user}, ""},
		{broker.Options{URL: "nats://ann:s3cret@" + user}, "refuses the user or the token in the URL"},
	})
}

func TestNKeys(t *testing.T) {
	servers(t)
	t.Parallel()
	folder := t.TempDir()
	right, wrong, none := filepath.Join(folder, "right"), filepath.Join(folder, "wrong"), filepath.Join(folder, "none")
	_, public, seed := newKey(t, nkeys.CreateUser)
	write(t, right, seed)
	_, _, seed = newKey(t, nkeys.CreateUser)
	write(t, wrong, seed)
	write(t, none, "no seed")
	url := "nats://" + startServer(t, "authorization { users: [ { nkey: "+public+" } ] }")
	try(t, []login{
		{broker.Options{URL: url, NKeyFile: right}, ""},
		{broker.Options{URL: url, NKeyFile: wrong}, fmt.Sprintf("refuses --nats-nkey %q", wrong)},
		{broker.Options{URL: url, NKeyFile: none}, fmt.Sprintf("--nats-nkey %q has no NKey seed of a user", none)},
		{broker.Options{URL: url, NKeyFile: "missing"}, `--nats-nkey "missing": no such file`},
		{broker.Options{URL: url, NKeyFile: right, CredentialsFile: right}, "give one of them"},
		{broker.Options{URL: url}, "wants a login"},
	})
}

func TestTLS(t *testing.T) {
	servers(t)
	t.Parallel()
	ours, other := newAuthority(t, "ours"), newAuthority(t, "other")
	own := ours.files(t, x509.ExtKeyUsageServerAuth)
	address := startServer(t, fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }", own.Cert, own.Key, ours.file))
	url := "tls://" + address
	right, stranger := ours.files(t, x509.ExtKeyUsageClientAuth), other.files(t, x509.ExtKeyUsageClientAuth)
	with := func(change func(f *model.TLSFiles)) broker.Options {
		f := right
		change(&f)
		return broker.Options{URL: url, TLS: f}
	}
	_, port, _ := net.SplitHostPort(address)
	try(t, []login{
		{broker.Options{URL: url, TLS: right}, ""},
		{broker.Options{URL: "nats://" + address, TLS: right}, ""},
		{broker.Options{URL: "tls://localhost:" + port, TLS: right}, "is for another name: use a name of it in the URL"},
		{with(func(f *model.TLSFiles) { f.CACert = "" }), "give the authority by --nats-ca"},
		{with(func(f *model.TLSFiles) { f.CACert = other.file }), fmt.Sprintf("is not of the authority in --nats-ca %q", other.file)},
		{with(func(f *model.TLSFiles) { f.CACert = right.Key }), fmt.Sprintf("--nats-ca %q has no certificate", right.Key)},
		{with(func(f *model.TLSFiles) { f.CACert = "missing" }), `--nats-ca "missing": no such file`},
		{with(func(f *model.TLSFiles) { f.Cert, f.Key = "", "" }), "give --nats-cert with --nats-key"},
		{
			with(func(f *model.TLSFiles) { f.Cert, f.Key = stranger.Cert, stranger.Key }),
			"refuses --nats-cert " + strconv.Quote(stranger.Cert),
		},
		{with(func(f *model.TLSFiles) { f.Key = stranger.Key }), "with --nats-key " + strconv.Quote(stranger.Key)},
		{with(func(f *model.TLSFiles) { f.Key = "" }), "without --nats-key"},
		{with(func(f *model.TLSFiles) { f.Cert = "" }), "--nats-cert is missing"},
	})
	for _, end := range []time.Duration{-time.Hour, 48 * time.Hour} {
		wrong := ours.filesUntil(t, x509.ExtKeyUsageServerAuth, time.Now().Add(end))
		server := startServer(t, fmt.Sprintf("tls { cert_file: %q, key_file: %q }", wrong.Cert, wrong.Key))
		try(t, []login{{broker.Options{URL: "tls://" + server, TLS: model.TLSFiles{CACert: ours.file}}, "is not valid now: renew it"}})
	}
}

// operator issues the JWTs of a server.
type operator struct {
	folder string
	config string
	app    nkeys.KeyPair // the account with JetStream
	bare   nkeys.KeyPair // the account without JetStream
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	root, public, _ := newKey(t, nkeys.CreateOperator)
	o, claims := &operator{folder: t.TempDir()}, jwt.NewOperatorClaims(public)
	var preload strings.Builder
	account := func(limits jwt.JetStreamLimits) (nkeys.KeyPair, string) {
		pair, public, _ := newKey(t, nkeys.CreateAccount)
		claims := jwt.NewAccountClaims(public)
		claims.Limits.JetStreamLimits = limits
		text, err := claims.Encode(root)
		fmt.Fprintf(&preload, "%s: %s\n", public, must(t, text, err))
		return pair, public
	}
	o.app, _ = account(jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1})
	o.bare, _ = account(jwt.JetStreamLimits{})
	_, claims.SystemAccount = account(jwt.JetStreamLimits{})
	text, err := claims.Encode(root)
	o.config = fmt.Sprintf("operator: %s\nsystem_account: %s\nresolver: MEMORY\nresolver_preload {\n%s}\n",
		must(t, text, err), claims.SystemAccount, preload.String())
	return o
}

// user writes a file for a new user of an account.
func (o *operator) user(t *testing.T, name string, account nkeys.KeyPair, change func(*jwt.UserClaims)) (file string) {
	t.Helper()
	_, public, seed := newKey(t, nkeys.CreateUser)
	claims := jwt.NewUserClaims(public)
	change(claims)
	text, err := claims.Encode(account)
	data, err := jwt.FormatUserConfig(must(t, text, err), []byte(seed))
	file = filepath.Join(o.folder, name)
	write(t, file, string(must(t, data, err)))
	return file
}

func TestCredentialsFiles(t *testing.T) {
	servers(t)
	t.Parallel()
	o := newOperator(t)
	url := "nats://" + startServer(t, o.config)
	same := func(*jwt.UserClaims) {}
	right, bare := o.user(t, "right", o.app, same), o.user(t, "bare", o.bare, same)
	unknown, _, _ := newKey(t, nkeys.CreateAccount)
	stranger := o.user(t, "stranger", unknown, same)
	expired := o.user(t, "expired", o.app, func(c *jwt.UserClaims) { c.Expires = time.Now().Add(-time.Hour).Unix() })
	restricted := o.user(t, "restricted", o.app, func(c *jwt.UserClaims) { c.Pub.Allow.Add("other") })
	seed := filepath.Join(o.folder, "seed")
	_, _, text := newKey(t, nkeys.CreateUser)
	write(t, seed, text)
	try(t, []login{
		{broker.Options{URL: url, CredentialsFile: right}, ""},
		{broker.Options{URL: url, CredentialsFile: bare}, "has no JetStream for this account"},
		{broker.Options{URL: url, CredentialsFile: stranger}, fmt.Sprintf("refuses --nats-creds %q: correct it", stranger)},
		{broker.Options{URL: url, CredentialsFile: expired}, fmt.Sprintf("refuses --nats-creds %q, which expired at 2", expired)},
		{broker.Options{URL: url, CredentialsFile: restricted}, `Permissions Violation for Publish to "$JS.API.INFO"`},
		{broker.Options{URL: url, CredentialsFile: seed}, fmt.Sprintf("--nats-creds %q: not a file with the JWT", seed)},
		{broker.Options{URL: url, CredentialsFile: "missing"}, `--nats-creds "missing": no such file`},
		{broker.Options{URL: url, NKeyFile: seed}, fmt.Sprintf("refuses --nats-nkey %q", seed)},
		{broker.Options{URL: url}, "wants a login"},
	})
}

// When a login expires, the connection closes itself instead of reconnecting forever. Explain then returns the
// reason.
func TestLoginExpires(t *testing.T) {
	servers(t)
	t.Parallel()
	o := newOperator(t)
	url := "nats://" + startServer(t, o.config)
	var soon string
	var c *broker.Conn
	err := errors.New("not connected")
	for life := 3 * time.Second; err != nil && life < time.Minute; life *= 2 { // on a slow machine it may expire too early
		soon = o.user(t, "soon", o.app, func(c *jwt.UserClaims) { c.Expires = time.Now().Add(life).Unix() })
		c, err = broker.Connect(t.Context(), broker.Options{URL: url, CredentialsFile: soon})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Explain(errors.New("other")); err.Error() != "other" {
		t.Errorf("an error that does not say that the connection is closed: %v", err)
	}
	for end := time.Now().Add(2 * time.Minute); !broker.IsClosed(err); time.Sleep(50 * time.Millisecond) {
		if _, err = c.JetStream.AccountInfo(t.Context()); time.Now().After(end) {
			t.Fatalf("the connection is not closed: %v", err)
		}
	}
	want := "refuses --nats-creds " + strconv.Quote(soon) + ", which expired"
	if err := c.Explain(nats.ErrConnectionClosed); !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
