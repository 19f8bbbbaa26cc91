package gotest

import (
	"math/big"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestNormalizedNumber(t *testing.T) {
	tests := map[string]string{
		"0":                        "0",
		"-0":                       "0",
		"0.00e7":                   "0",
		"12.50":                    "125e-1",
		"1250e-2":                  "125e-1",
		"-1E+2":                    "-1e2",
		"100":                      "1e2",
		"12345678901234567890.001": "12345678901234567890001e-3",
		"1e400":                    "1e400",
	}
	for text, want := range tests {
		if got := normalizedNumber(text); got.String() != want {
			t.Errorf("normalizedNumber(%s) = %s, want %s", text, got, want)
		}
	}
}

func TestNormalizedNumberAgreesWithRationals(t *testing.T) {
	number := rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?([eE][+-]?[0-2])?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got, want := normalizedNumber(a) == normalizedNumber(b), x.Cmp(y) == 0; got != want {
			t.Fatalf("%s and %s are the same: got %v, want %v", a, b, got, want)
		}
	})
}

func TestNormalizedIgnoresOrderAndSpelling(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[2.0,null]}`, `{"b":[2,null],"a":1.0}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`"1"`, `1`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`{"a":null}`, `{}`, false},
		{`"\u0061"`, `"a"`, true},
	}
	for _, tt := range tests {
		a, _ := decode(tt.a)
		b, _ := decode(tt.b)
		if got := reflect.DeepEqual(normalized(a), normalized(b)); got != tt.same {
			t.Errorf("%s and %s are the same: got %v, want %v", tt.a, tt.b, got, tt.same)
		}
	}
}

func TestAt(t *testing.T) {
	r := reply{body: []byte(`{"a":[{"b/c":1},{"~":2}],"":{"":3},"n":null}`)}
	tests := []struct {
		pointer, want string
		missing       bool
	}{
		{pointer: "/a/0/b~1c", want: "1"},
		{pointer: "/a/1/~0", want: "2"},
		{pointer: "//", want: "3"},
		{pointer: "/n", want: "null"},
		{pointer: "/a/1", want: `{"~":2}`},
		{pointer: "/a/2", missing: true},
		{pointer: "/a/-1", missing: true},
		{pointer: "/a/x", missing: true},
		{pointer: "/n/x", missing: true},
		{pointer: "/x", missing: true},
	}
	for _, tt := range tests {
		got, err := r.at(tt.pointer)
		if (err != nil) != tt.missing {
			t.Errorf("at(%q): error %v, want one: %v", tt.pointer, err, tt.missing)
		}
		if err == nil && encode(got) != tt.want {
			t.Errorf("at(%q) = %s, want %s", tt.pointer, encode(got), tt.want)
		}
	}
}

func TestExcerptIsOneSafeLine(t *testing.T) {
	got := excerpt([]byte("a\x1b[31mb\r\nc\u009b2J\u202ed\x00"))
	if want := "a [31mb c 2J d"; got != want {
		t.Errorf("excerpt = %q, want %q", got, want)
	}
	if got := excerpt(make([]byte, 1000)); got != "…" {
		t.Errorf("excerpt of 1000 NULs = %q, want …", got)
	}
}

func TestValueIsEscapedForItsPlace(t *testing.T) {
	number, _ := decode("12.50")
	tests := []struct {
		v                 any
		path, query, json string
		number            string
	}{
		{"a/b c", "a%2Fb%20c", "a%2Fb%20c", `"a/b c"`, `"a/b c"`},
		{";a;b", "%3Ba%3Bb", "%3Ba%3Bb", `";a;b"`, `";a;b"`},
		{"a,b;+", "a%2Cb%3B+", "a%2Cb%3B%2B", `"a,b;+"`, `"a,b;+"`},
		{"..", "%2E%2E", "..", `".."`, `".."`},
		{"17", "17", "17", `"17"`, `17`},
		{"017", "017", "017", `"017"`, `"017"`},
		{"17 ", "17%20", "17%20", `"17 "`, `"17 "`},
		{number, "12.50", "12.50", `12.50`, `12.50`},
		{true, "true", "true", `true`, `true`},
	}
	for _, tt := range tests {
		v := value{tt.v}
		got := []string{v.path(), v.query(), v.json(), v.number()}
		if want := []string{tt.path, tt.query, tt.json, tt.number}; !reflect.DeepEqual(got, want) {
			t.Errorf("%#v: got %q, want %q", tt.v, got, want)
		}
	}
}

func TestFormEscapesSpacesAsPluses(t *testing.T) {
	if got := (value{"a b,c&"}).form(); got != "a+b%2Cc%26" {
		t.Errorf("got %q", got)
	}
}

func TestIDIn(t *testing.T) {
	for _, c := range []struct{ location, want string }{
		{"/products/17", "17"},
		{"http://h:1/products/17/?x=1#y", "17"},
		{"products/a%2Fb%20c", "a/b c"},
		{" 17 ", "17"},
	} {
		r := reply{t: t, header: http.Header{"Location": {c.location}}}
		if got := r.idIn("Location").text(); got != c.want {
			t.Errorf("idIn of %q = %q, want %q", c.location, got, c.want)
		}
	}
}

func TestCallSendsItsOptions(t *testing.T) {
	var got *http.Request
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer service.Close()
	t.Setenv("SONDE_BASE_URL", service.URL+"/")
	t.Setenv("GOTEST_ALICE", "")

	r := call(t, "POST", "/a%2Fb?x=1&x=2", as("alice"), withHeader("X-Trace", "7"),
		withCookie("a", "1"), withCookie("b", "2"), withJSON(`{}`))
	r.want(302)
	if want := "POST /a%2Fb?x=1&x=2"; r.call != want || got.RequestURI != "/a%2Fb?x=1&x=2" {
		t.Errorf("got %q as %q, want %q", got.RequestURI, r.call, want)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer alice", "X-Trace": "7", "Cookie": "a=1; b=2",
		"Content-Type": "application/json", "Accept": "*/*",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("header %s: got %q, want %q", name, got.Header.Get(name), want)
		}
	}
	t.Setenv("GOTEST_ALICE", "Bearer secret")
	call(t, "GET", "/", as("alice"))
	if got.Header.Get("Authorization") != "Bearer secret" {
		t.Errorf("the environment's credential was not sent: got %q", got.Header.Get("Authorization"))
	}
}

// Each request has a connection of its own, even if files for TLS are configured.
func TestConfiguredTLSKeepsFreshConnections(t *testing.T) {
	defer func(before http.RoundTripper) { httpClient.Transport = before }(httpClient.Transport)
	configureTLS("", "", "", true)
	transport := httpClient.Transport.(*http.Transport)
	if !transport.DisableKeepAlives || !transport.TLSClientConfig.InsecureSkipVerify {
		t.Errorf("keep-alives disabled: %t, any certificate: %t", transport.DisableKeepAlives, transport.TLSClientConfig.InsecureSkipVerify)
	}
}
