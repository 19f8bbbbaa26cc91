package broker

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// login describes the credentials with which the client logs in, "" if there are none.
func (o Options) login() string {
	first, _, _ := strings.Cut(o.URL, ",")
	u, err := url.Parse(strings.TrimSpace(first))
	switch {
	case o.CredentialsFile != "":
		return fmt.Sprintf("--nats-creds %q", o.CredentialsFile)
	case o.NKeyFile != "":
		return fmt.Sprintf("--nats-nkey %q", o.NKeyFile)
	case err == nil && u.User != nil:
		return "the user or the token in the URL"
	case o.Token != "":
		return "the token in SONDE_NATS_TOKEN"
	case o.TLS.Cert != "":
		return fmt.Sprintf("--nats-cert %q", o.TLS.Cert)
	}
	return ""
}

// loginOptions returns the client's options for the user and the token. It reads the files before the client does, so
// that an error names the file.
func (o Options) loginOptions() (all []nats.Option, err error) {
	if o.CredentialsFile != "" && o.NKeyFile != "" {
		return nil, errors.New("--nats-creds and --nats-nkey are two users: give one of them")
	}
	if o.CredentialsFile != "" {
		if err := checkCredentials(o.CredentialsFile); err != nil {
			return nil, fmt.Errorf("--nats-creds %q: %w", o.CredentialsFile, err)
		}
		all = append(all, nats.UserCredentials(o.CredentialsFile)) // reads the file again at each login
	}
	if o.NKeyFile != "" {
		if _, err := os.Stat(o.NKeyFile); err != nil {
			return nil, fmt.Errorf("--nats-nkey %q: %w", o.NKeyFile, pathless(err))
		}
		key, err := nats.NkeyOptionFromSeed(o.NKeyFile)
		if err != nil {
			return nil, fmt.Errorf("--nats-nkey %q has no NKey seed of a user, a line that begins with SU: %w", o.NKeyFile, err)
		}
		all = append(all, key)
	}
	if o.Token != "" {
		all = append(all, nats.Token(o.Token))
	}
	return all, nil
}

// pathless returns err without the path of the file, because the message already has the path.
func pathless(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

// checkCredentials returns an error if a file has no JWT or no NKey.
func checkCredentials(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return pathless(err)
	}
	token, err := nkeys.ParseDecoratedJWT(data)
	if err == nil && strings.Count(token, ".") == 2 {
		_, err = nkeys.ParseDecoratedUserNKey(data)
	} else {
		err = errors.New("it has no JWT")
	}
	if err != nil {
		return fmt.Errorf("not a file with the JWT and the NKey of a user, as nsc generate creds writes it: %w", err)
	}
	return nil
}

// expiry returns when the JWT of a credentials file expires, or the zero time if it does not expire or cannot be read.
func expiry(file string) time.Time {
	data, _ := os.ReadFile(file)
	token, _ := nkeys.ParseDecoratedJWT(data)
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}
	}
	claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
	var c struct {
		Expires int64 `json:"exp"`
	}
	if json.Unmarshal(claims, &c) != nil || c.Expires == 0 {
		return time.Time{}
	}
	return time.Unix(c.Expires, 0)
}

// tlsOptions returns the options for TLS.
func (o Options) tlsOptions() (all []nats.Option, err error) {
	if file := o.TLS.CACert; file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--nats-ca %q: %w", file, pathless(err))
		}
		if !x509.NewCertPool().AppendCertsFromPEM(data) {
			return nil, fmt.Errorf("--nats-ca %q has no certificate in PEM", file)
		}
		all = append(all, nats.RootCAs(file))
	}
	switch cert, key := o.TLS.Cert, o.TLS.Key; {
	case cert == "" && key != "":
		return nil, fmt.Errorf("--nats-key %q is the key of a certificate: --nats-cert is missing", key)
	case cert != "":
		what := fmt.Sprintf("--nats-cert %q with --nats-key %q", cert, key)
		if key == "" { // both may be in one file
			key, what = cert, fmt.Sprintf("--nats-cert %q without --nats-key", cert)
		}
		if _, err := tls.LoadX509KeyPair(cert, key); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		all = append(all, nats.ClientCert(cert, key))
	}
	return all, nil
}

// connectError returns an error of one line that names the servers and the given credentials, and says what to do.
func (o Options) connectError(err error) error {
	where := Redacted(o.URL)
	unknownAuthority, isUnknown := errors.AsType[x509.UnknownAuthorityError](err)
	otherHost, isOtherHost := errors.AsType[x509.HostnameError](err)
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](err)
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("no NATS server answers at %s: start nats-server -js there, or correct the URL", where)
	case errors.Is(err, nats.ErrPermissionViolation):
		return fmt.Errorf("the NATS server at %s does not let this user do what it must, see docs/distributed.md: %w", where, err)
	case isRefusal(err):
		return o.refusal(where, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("the NATS server at %s has no TLS: use nats:// without --nats-ca and --nats-cert, "+
			"or give the server a certificate", where)
	case isUnknown && o.TLS.CACert == "":
		return fmt.Errorf("the certificate of the NATS server at %s is of an authority that this machine does not know: "+
			"give the authority by --nats-ca (%w)", where, unknownAuthority)
	case isUnknown:
		return fmt.Errorf("the certificate of the NATS server at %s is not of the authority in --nats-ca %q (%w)",
			where, o.TLS.CACert, unknownAuthority)
	case isInvalid && invalid.Reason == x509.Expired: // the certificate has expired or is not yet valid
		return fmt.Errorf("the certificate of the NATS server at %s is not valid now: renew it, or set the clock of this machine (%w)",
			where, invalid)
	case isOtherHost:
		return fmt.Errorf("the certificate of the NATS server at %s is for another name: use a name of it in the URL (%w)",
			where, otherHost)
	case isCertificateRefusal(err) && o.TLS.Cert == "":
		return fmt.Errorf("the NATS server at %s wants a certificate of the client: give --nats-cert with --nats-key (%w)", where, err)
	case isCertificateRefusal(err):
		return fmt.Errorf("the NATS server at %s refuses --nats-cert %q: it must be of an authority that the server knows (%w)",
			where, o.TLS.Cert, err)
	}
	return fmt.Errorf("cannot connect to the NATS server at %s: %w", where, err)
}

// isRefusal reports whether an error says that the servers do not accept the user or the token.
func isRefusal(err error) bool {
	for _, known := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// isCertificateRefusal reports whether an error says that a server does not accept the certificate of the client, or
// requires a certificate and got none. With TLS 1.3 the client only learns this when the server has closed the
// connection.
func isCertificateRefusal(err error) bool {
	text := err.Error()
	for _, known := range []string{
		"closed by remote after TLS handshake", "remote error: tls: certificate required", "remote error: tls: bad certificate",
		"remote error: tls: unknown certificate", "remote error: tls: expired certificate",
	} {
		if strings.Contains(text, known) {
			return true
		}
	}
	return false
}

func (o Options) refusal(where string, err error) error {
	login := o.login()
	expired := expiry(o.CredentialsFile)
	switch {
	case login == "":
		return fmt.Errorf("the NATS server at %s wants a login: give --nats-creds, --nats-nkey, SONDE_NATS_TOKEN or a user in the URL (%w)",
			where, err)
	case !expired.IsZero() && expired.Before(time.Now()):
		return fmt.Errorf("the NATS server at %s refuses %s, which expired at %s: get a new file",
			where, login, expired.UTC().Format(time.RFC3339))
	}
	return fmt.Errorf("the NATS server at %s refuses %s: correct it, or log in otherwise (%w)", where, login, err)
}

// jetStreamError is like connectError, for the first request to JetStream.
func (o Options) jetStreamError(err error) error {
	where := Redacted(o.URL)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return fmt.Errorf("the NATS server at %s has no JetStream: start it with nats-server -js", where)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("the NATS server at %s has no JetStream for this account: enable it there, or log in to another account", where)
	case errors.Is(err, nats.ErrPermissionViolation):
		return err // the error from Conn.note
	}
	return fmt.Errorf("JetStream of the NATS server at %s does not answer: %w", where, err)
}
