package gotest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
)

// httpClient does not follow redirects, so that the tests can check them.
var httpClient = &http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     freshConnections(),
}

// freshConnections returns a transport that opens a new connection for each request. A service may close a connection
// after an answer without notice, and the next request on the connection would fail.
func freshConnections() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	return transport
}

// trustAnyCertificate makes the tests accept any certificate of the service, for example a self-signed certificate.
func trustAnyCertificate() {
	transport := freshConnections()
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	httpClient.Transport = transport
}

// configureTLS makes the tests trust the authorities in the file caCert, in addition to the system's. If the service
// asks for a certificate, the tests present the certificate in the file cert with the key in the file key. "" means
// no file. The environment variables SONDE_CACERT, SONDE_CERT and SONDE_KEY override the files. insecure makes the
// tests accept any certificate.
func configureTLS(caCert, cert, key string, insecure bool) {
	override := func(variable, file string) string {
		if file := os.Getenv(variable); file != "" {
			return file
		}
		return file
	}
	caCert, cert, key = override("SONDE_CACERT", caCert), override("SONDE_CERT", cert), override("SONDE_KEY", key)
	config := &tls.Config{InsecureSkipVerify: insecure}
	if caCert != "" {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		data, err := os.ReadFile(caCert)
		if err != nil || !pool.AppendCertsFromPEM(data) {
			panic("no CA certificate can be read from " + caCert + ": set SONDE_CACERT to the file that has it")
		}
		config.RootCAs = pool
	}
	if cert != "" {
		if key == "" {
			key = cert
		}
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			panic("the client certificate cannot be used: set SONDE_CERT and SONDE_KEY to the files that have it: " + err.Error())
		}
		config.Certificates = []tls.Certificate{pair}
	}
	transport := freshConnections()
	transport.TLSClientConfig = config
	httpClient.Transport = transport
}

// baseURL returns the service's URL: SONDE_BASE_URL or, if it is not set, defaultURL. The test ends if there is
// neither.
func baseURL(t *testing.T) string {
	t.Helper()
	base := os.Getenv("SONDE_BASE_URL")
	if base == "" {
		base = defaultURL
	}
	if base == "" {
		t.Fatal("no service to call: set SONDE_BASE_URL to where it is, such as http://127.0.0.1:8080")
	}
	return strings.TrimRight(base, "/")
}

// request is a request before it is sent. Options change it.
type request struct {
	base, target string // the two parts of the URL, escaped
	header       http.Header
	body         string
	resend       func(status int) bool // reports whether to send the request again; nil for never
}

// option changes a request.
type option func(t *testing.T, r *request)

// reply is the answer to a call.
type reply struct {
	t       *testing.T
	call    string
	status  int
	header  http.Header
	trailer http.Header
	body    []byte
}

// call sends a request and returns the answer. The path must be escaped.
func call(t *testing.T, method, path string, options ...option) *reply {
	t.Helper()
	r := request{base: baseURL(t), target: path, header: http.Header{"Accept": {"*/*"}}}
	for _, o := range options {
		o(t, &r)
	}
	req, err := http.NewRequest(method, r.base+r.target, strings.NewReader(r.body))
	if err != nil {
		t.Fatalf("%s %s cannot be sent to %q: is SONDE_BASE_URL like http://127.0.0.1:8080?", method, path, r.base)
	}
	req.Header = r.header
	res, err := httpClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s got no answer: %v: is the service there? SONDE_BASE_URL says where", method, path, errors.Unwrap(err))
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	if err != nil {
		t.Fatalf("%s %s: the answer broke off: %v", method, path, err)
	}
	if r.resend != nil && r.resend(res.StatusCode) {
		return call(t, method, path, options...)
	}
	return &reply{t: t, call: method + " " + path, status: res.StatusCode, header: res.Header, trailer: res.Trailer, body: body}
}

// withHeader sets a header, in place of one of the same name.
func withHeader(name, value string) option {
	return func(_ *testing.T, r *request) { r.header.Set(name, value) }
}

// withCookie adds a cookie, whose value must be escaped.
func withCookie(name, value string) option {
	return func(_ *testing.T, r *request) {
		cookies := name + "=" + value
		if others := r.header.Get("Cookie"); others != "" {
			cookies = others + "; " + cookies
		}
		r.header.Set("Cookie", cookies)
	}
}

// withBody sends a body of any media type.
func withBody(media, data string) option {
	return func(_ *testing.T, r *request) {
		r.header.Set("Content-Type", media)
		r.body = data
	}
}

// withJSON sends a JSON body.
func withJSON(data string) option {
	return withBody("application/json", data)
}

// want ends the test unless the answer has this status.
func (r *reply) want(status int) {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("%s: want status %d, got %d with body %s", r.call, status, r.status, excerpt(r.body))
	}
}

// wantSuccess ends the test unless the status is 2xx.
func (r *reply) wantSuccess() {
	r.t.Helper()
	if r.status < 200 || r.status > 299 {
		r.t.Fatalf("%s: want a status of success, got %d with body %s", r.call, r.status, excerpt(r.body))
	}
}

// wantPresent fails the test unless the body has a value at a JSON pointer.
func (r *reply) wantPresent(pointer string) {
	r.t.Helper()
	if _, err := r.at(pointer); err != nil {
		r.t.Errorf("%s: want a value at %q, but %v", r.call, pointer, err)
	}
}

// wantJSON fails the test unless the body has the wanted JSON value at a JSON pointer. The order of keys and the
// spelling of numbers do not matter.
func (r *reply) wantJSON(pointer, want string) {
	r.t.Helper()
	got, err := r.at(pointer)
	if err != nil {
		r.t.Errorf("%s: want %s at %q, but %v", r.call, excerpt([]byte(want)), pointer, err)
		return
	}
	wanted, err := decode(want)
	if err != nil {
		r.t.Fatalf("the test wants invalid JSON: %v", err)
	}
	if !reflect.DeepEqual(normalized(got), normalized(wanted)) {
		r.t.Errorf("%s: want %s at %q, got %s", r.call, excerpt([]byte(want)), pointer, excerpt([]byte(encode(got))))
	}
}

// value is a value of an answer that later calls need.
type value struct{ v any }

// field returns the value at a JSON pointer of the body.
func (r *reply) field(pointer string) value {
	r.t.Helper()
	v, err := r.at(pointer)
	if err != nil {
		r.t.Fatalf("%s: the next calls need the value at %q, but %v", r.call, pointer, err)
	}
	return value{v}
}

// idIn returns the last path segment of the URL in a header.
func (r *reply) idIn(header string) value {
	r.t.Helper()
	u, err := url.Parse(strings.TrimSpace(r.header.Get(header)))
	if err != nil {
		r.t.Fatalf("%s: want a URL in the header %s, got %q", r.call, header, r.header.Get(header))
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	id, err := url.PathUnescape(path[strings.LastIndex(path, "/")+1:])
	if err != nil || id == "" {
		r.t.Fatalf("%s: want an id at the end of the header %s, got %q", r.call, header, r.header.Get(header))
	}
	return value{id}
}

// part returns the text that the group of a pattern matches in the body.
func (r *reply) part(pattern string) value {
	r.t.Helper()
	found := regexp.MustCompile(pattern).FindSubmatch(r.body)
	if found == nil {
		r.t.Fatalf("%s: the next calls need a part of the body that matches %q, but it is %s", r.call, pattern, excerpt(r.body))
	}
	return value{string(found[1])}
}

// partOf returns the text that the group of a pattern matches in a URL, decoded. place says where the URL is: in a
// header with this name or, if place begins with a slash, at a JSON pointer of the body.
func (r *reply) partOf(place, pattern string) value {
	r.t.Helper()
	text := strings.Join(r.header.Values(place), ", ")
	if strings.HasPrefix(place, "/") {
		text = r.field(place).text()
	}
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		r.t.Fatalf("%s: the next calls need a part of %s that matches %q, but it is %q", r.call, place, pattern, text)
	}
	id, err := url.PathUnescape(found[1])
	if err != nil {
		r.t.Fatalf("%s: want an id in %s, got %q", r.call, place, text)
	}
	return value{id}
}

// text returns the value as a text, without quotes.
func (v value) text() string { return fmt.Sprint(v.v) }

// json returns the value as JSON: a number stays a number.
func (v value) json() string { return encode(v.v) }

// number returns the value as JSON. If the text of the value is a number, the JSON is a number.
func (v value) number() string {
	n, _ := decode(v.text())
	if n, ok := n.(json.Number); ok && n.String() == v.text() {
		return n.String()
	}
	return v.json()
}

// form returns the value escaped for a form.
func (v value) form() string { return url.QueryEscape(v.text()) }

// query returns the value escaped for a query, where a space is %20, not a plus sign.
func (v value) query() string {
	return strings.ReplaceAll(url.QueryEscape(v.text()), "+", "%20")
}

// path returns the value escaped for one segment of a path.
func (v value) path() string {
	if strings.Trim(v.text(), ".") == "" {
		return strings.ReplaceAll(v.text(), ".", "%2E")
	}
	return url.PathEscape(v.text())
}

// at returns the value at a JSON pointer of the body.
func (r *reply) at(pointer string) (any, error) {
	v, err := decode(string(r.body))
	if err != nil {
		return nil, fmt.Errorf("the body is not JSON: %s", excerpt(r.body))
	}
	if pointer == "" {
		return v, nil
	}
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		var found bool
		if v, found = childOf(v, token); !found {
			return nil, fmt.Errorf("the body is %s", excerpt(r.body))
		}
	}
	return v, nil
}

// childOf returns a member of an object, or an item of an array. The token is its name or index.
func childOf(v any, token string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		member, ok := v[token]
		return member, ok
	case []any:
		i, err := strconv.Atoi(token)
		if err == nil && 0 <= i && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

// decode reads JSON and keeps numbers as they are written.
func decode(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// encode writes a decoded value as JSON.
func encode(v any) string {
	text, _ := json.Marshal(v) // decoded values can always be encoded
	return string(text)
}

// normalized returns a value with all its numbers in one spelling.
func normalized(v any) any {
	switch v := v.(type) {
	case json.Number:
		return normalizedNumber(v.String())
	case []any:
		items := make([]any, len(v))
		for i := range v {
			items[i] = normalized(v[i])
		}
		return items
	case map[string]any:
		members := make(map[string]any, len(v))
		for name := range v {
			members[name] = normalized(v[name])
		}
		return members
	}
	return v
}

// normalizedNumber returns a number as digits and exponent, exactly: 12.50 is 125e-1.
func normalizedNumber(text string) json.Number {
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	exponent, _ := strconv.Atoi(power)
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return "0"
	}
	exponent += len(digits) - len(significant) - len(fraction)
	return json.Number(fmt.Sprintf("%s%se%d", sign, significant, exponent))
}

// excerpt returns the start of an answer on one line.
func excerpt(body []byte) string {
	const maxLength = 300
	ellipsis := ""
	if len(body) > maxLength {
		body, ellipsis = body[:maxLength], "…"
	}
	text := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, string(body))
	return strings.Join(strings.Fields(text), " ") + ellipsis
}
