package export

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// served returns a suite that passes on the test service.
func served() Suite {
	return Suite{
		Title: "Small Shop", BaseURL: "http://127.0.0.1:1", Reset: &model.Reset{Method: "POST", Path: "/__reset"},
		Users: []model.User{
			{Name: "ann", Header: "Authorization", Env: "SHOP_ANN", Public: "Bearer ann-demo"},
			{Name: "admin", Header: "X-Key", Env: "SHOP_ADMIN"},
		},
		Tests: []model.Test{
			{
				ID: "located",
				Calls: []model.Call{
					{Op: "POST /products", User: "ann", Body: jsonBody(`{"name":"Big tent","price":12.50}`), Status: 201},
					{Op: "GET /products/{id}", Args: []model.Arg{inPath("id", "x")}, Status: 200},
					{Op: "GET /products/{id}/price", Args: []model.Arg{inPath("id", "x"), inQuery("currency", "E U&R")}, Status: 404},
				},
				Links: []model.Link{
					{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id"},
					{From: 0, To: 2, Header: "Location", In: model.InPath, Name: "id"},
				},
				Checks: []model.Check{
					present(0, "/created"), equal(0, "/price", "125e-1"), equal(1, "/name", `"Big tent"`),
					equal(2, "", `{"error":"no price in E U\u0026R"}`),
				},
			},
			{
				ID: "in the body",
				Calls: []model.Call{
					{Op: "POST /products", User: "ann", Body: jsonBody(`{"name":"Rope"}`), Status: 201},
					{Op: "POST /orders", Body: jsonBody(`{"lines":[{"product":99}]}`), Status: 201},
					{Op: "POST /orders/{id}/pay", Args: []model.Arg{inPath("id", "x")}, Status: 204},
					{Op: "POST /orders/{id}/pay", Args: []model.Arg{inPath("id", "x")}, Status: 500},
					{Op: "GET /orders/{id}"},
				},
				Links: []model.Link{
					{From: 0, To: 1, Pointer: "/number", In: model.InBody, Name: "/lines/0/product"},
					{From: 1, To: 2, Pointer: "/order/id", In: model.InPath, Name: "id"},
					{From: 1, To: 3, Pointer: "/order/id", In: model.InPath, Name: "id"},
				},
			},
			{
				ID: "the client's own",
				Calls: []model.Call{
					{Op: "PUT /stock/{sku}", Args: []model.Arg{inPath("sku", "a/b%2F \u2028")}, Status: 201},
					{Op: "DELETE /stock/{sku}", Args: []model.Arg{inPath("sku", "x")}, Status: 204},
					{Op: "DELETE /stock/{sku}", Args: []model.Arg{inPath("sku", "x")}, Status: 404},
				},
				Links: []model.Link{
					{From: 0, To: 1, Param: "sku", In: model.InPath, Name: "sku"},
					{From: 0, To: 2, Param: "sku", In: model.InPath, Name: "sku"},
				},
			},
			inTexts(),
			{ID: "anonymous", Calls: []model.Call{{Op: "POST /products", Body: jsonBody(`{}`), Status: 401}}},
			{ID: "redirect", Calls: []model.Call{{Op: "GET /old", Status: 301}}},
			echoed(),
		},
	}
}

// inTexts returns a test whose links take parts of texts.
func inTexts() model.Test {
	get := func() model.Call {
		return model.Call{Op: "GET /slips/{id}", Args: []model.Arg{inPath("id", "x")}, Status: 200}
	}
	link := func(from, to int, header, pointer, pattern string) model.Link {
		return model.Link{From: from, To: to, Header: header, Pointer: pointer, Pattern: pattern, In: model.InPath, Name: "id"}
	}
	return model.Test{
		ID: "in texts",
		Calls: []model.Call{
			{Op: "POST /slips", Status: 200},
			get(), get(), get(),
			{Op: "POST /slips/text", Status: 200},
			get(),
			{Op: "GET /slips/where", Status: 200},
			get(),
			{Op: "POST /slips", Status: 200, Body: &model.Payload{Media: "application/xml", Data: "<slip>\n <a/><of>x</of></slip>"}},
		},
		Links: []model.Link{
			link(0, 1, "Location", "", `(?:^|[/<])slips/([^/?#>]+)/state/?(?:[?#]|$)`),
			link(0, 2, "Link", "", `(?:^|[/<])slips/([^/?#>]+)/?(?:[?#][^>]*)?>[^<]*;\s*rel\s*=\s*"?(?:[^"<]*\s)?self\b`),
			link(0, 3, "", model.WholeBody, `(?:[\s\S]*?<id[\s/>]){1}[\s\S]*?<id(?:\s[^>]*)?>\s*([^<]*?)\s*<`),
			link(4, 5, "", model.WholeBody, `(\S+)`),
			link(6, 7, "", "/self", `/slips/([^/]+)/`),
			{From: 0, To: 8, Pointer: model.WholeBody, Pattern: `<id n='1'>\s*(\S+)`, In: model.InBody, Name: "/of"},
		},
		Checks: []model.Check{equal(7, "/id", `"a b"`)},
	}
}

// echoed returns a test that sends unusual values in every place.
func echoed() model.Test {
	body := "<a>`\x00\xff\u2028</a>\n"
	return model.Test{
		ID: "echo",
		Calls: []model.Call{{
			Op: "POST /echo/{a}/{b}", Status: 200,
			Args: []model.Arg{
				inPath("a", "ü/?#{b}"), inPath("b", ".."), inQuery("z", "1"), inQuery("a[]", "x&y"), inQuery("z", "2"),
				{In: model.InHeader, Name: "X-Odd", Value: "a \"b\"\n"},
				{In: model.InCookie, Name: "c", Value: "1;2"},
				{In: model.InCookie, Name: "d", Value: ""},
			},
			Body: &model.Payload{Media: "application/xml", Data: body},
		}},
		Checks: []model.Check{
			equal(0, "/a", `"ü/?#{b}"`), equal(0, "/b", `".."`), equal(0, "/query", `"z=1&a%5B%5D=x%26y&z=2"`),
			equal(0, "/header", `"a \"b\""`), equal(0, "/cookie", `"c=1%3B2; d="`), equal(0, "/media", `"application/xml"`),
			equal(0, "/body", `"<a>`+"`"+`\u0000\ufffd\u2028</a>\n"`),
		},
	}
}

// pixel is a PNG of one pixel.
const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\b\x00\x00\x00\x00:~\x9bU" +
	"\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"

// Uploads returns a suite whose tests send a PNG: as a file of a form, and as a body.
func Uploads() Suite {
	form := "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\na cat\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"cat.png\"\r\nContent-Type: image/png\r\n\r\n" +
		pixel + "\r\n--x--\r\n"
	return Suite{Title: "Photos", Tests: []model.Test{
		{
			ID: "form",
			Calls: []model.Call{
				{Op: "POST /photos", Status: 201, Body: &model.Payload{Media: "multipart/form-data; boundary=x", Data: form}},
			},
			Checks: []model.Check{equal(0, "/title", `"a cat"`), equal(0, "/file", `"cat.png"`), equal(0, "/width", "1")},
		},
		{
			ID:     "body",
			Calls:  []model.Call{{Op: "PUT /avatar", Status: 200, Body: &model.Payload{Media: "image/png", Data: pixel}}},
			Checks: []model.Check{equal(0, "/width", "1")},
		},
	}}
}

// LeaveOutIfShort skips the test in short mode, because the test builds or runs exported files.
func LeaveOutIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs exported files: left out by -short")
	}
}

// gotool runs a tool of Go in a folder, without network access and with additional environment variables.
// It returns the output.
func gotool(t *testing.T, dir string, env []string, tool string, args ...string) (string, error) {
	t.Helper()
	LeaveOutIfShort(t)
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skip("the tools of Go are not here:", err)
	}
	env = append(env, "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local")
	return run(t, dir, append(os.Environ(), env...), path, args...)
}

// buildTests builds the tests in a folder, without debug information and without optimizations, which take
// longer than they save. It writes the binary into the folder.
func buildTests(t *testing.T, dir, binary string) {
	t.Helper()
	if output, err := gotool(
		t, dir, nil, "go", "test", "-c", "-trimpath", "-vet=off", "-ldflags=-s -w", "-gcflags=-N -l", "-o", binary, TestsFileName,
	); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, output)
	}
}

func run(t *testing.T, dir string, env []string, command string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, args...)
	cmd.Dir, cmd.Env = dir, env
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// write writes a suite into a new folder and returns the folder.
func write(t *testing.T, s Suite) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sonde-tests")
	if _, err := WriteGoFile(dir, s, false); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestExportedTestsPassWithoutModule(t *testing.T) {
	t.Parallel()
	s := newService(t)
	output, err := gotool(t, write(t, served()), []string{"SONDE_BASE_URL=" + s.URL + "/"}, "go", "test", "-count=2", "-v", TestsFileName)
	if err != nil {
		t.Fatalf("go test: %v\n%s", err, output)
	}
	if got := strings.Count(output, "\n--- PASS: "); got != 2*7 {
		t.Errorf("got %d passes, want 14:\n%s", got, output)
	}
	s.wantAsked(t)
}

// wantAsked fails unless requests were escaped as by Sonde's client.
func (s *service) wantAsked(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := strings.Join(s.log, "\n")
	for _, want := range []string{
		"POST /__reset\nPOST /products\nGET /products/Big%20tent%2F1\n" +
			"GET /products/Big%20tent%2F1/price?currency=E%20U%26R\nPOST /__reset\n",
		"PUT /stock/a%2Fb%252F%20%E2%80%A8\n",
		"POST /echo/%C3%BC%2F%3F%23%7Bb%7D/%2E%2E?z=1&a%5B%5D=x%26y&z=2",
	} {
		if !strings.Contains(asked, want) {
			t.Errorf("the service was not asked %q but:\n%s", want, asked)
		}
	}
}

func TestExportedTestsPassInAModule(t *testing.T) {
	t.Parallel()
	s := newService(t)
	suite := served()
	suite.BaseURL = s.URL
	dir := write(t, suite)
	module := filepath.Dir(dir)
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.18\n", "shop.go": "package shop\n"} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, err := gotool(t, module, []string{"SONDE_BASE_URL="}, "go", "test", "-count=1", "./sonde-tests"); err != nil {
		t.Errorf("go test ./sonde-tests: %v\n%s", err, output)
	}
	if output, err := gotool(t, module, nil, "go", "vet", "./..."); err != nil {
		t.Errorf("go vet: %v\n%s", err, output)
	}
	if output, err := gotool(t, dir, nil, "gofmt", "-l", "."); err != nil || output != "" {
		t.Errorf("gofmt -l: %v\n%s", err, output)
	}
}

// getA returns a suite of one call.
func getA(files model.TLSFiles, insecure bool) Suite {
	return Suite{
		BaseURL: "https://127.0.0.1:1", TLS: files, Insecure: insecure,
		Tests: []model.Test{{ID: "a", Calls: []model.Call{{Op: "GET /a", Status: 200}}}},
	}
}

// A self-signed certificate is accepted only if the run accepted any certificate.
func TestExportedTestsTrustAnyCertificate(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	for insecure, want := range map[bool]string{true: "PASS", false: "certificate"} {
		output, err := runBuilt(t, built(t, getA(model.TLSFiles{}, insecure)), []string{"SONDE_BASE_URL=" + s.URL})
		if (err == nil) != insecure || !strings.Contains(output, want) {
			t.Errorf("insecure %t: error %v, output %s", insecure, err, output)
		}
	}
}

// ownTLS returns the paths of a certificate, and of a file with the certificate and its key.
func ownTLS(t *testing.T) model.TLSFiles {
	t.Helper()
	dir, err := sharedDir()
	if err != nil {
		t.Fatal(err)
	}
	return model.TLSFiles{CACert: filepath.Join(dir, "tls", "ca.pem"), Cert: filepath.Join(dir, "tls", "both.pem")}
}

// certificates returns suites with the files of ownTLS, without a client certificate, and with a missing
// client certificate.
func certificates(t *testing.T) map[string]Suite {
	own := ownTLS(t)
	return map[string]Suite{
		"own":  getA(own, false),
		"none": getA(model.TLSFiles{CACert: own.CACert}, false),
		"gone": getA(model.TLSFiles{CACert: own.CACert, Cert: "gone.pem"}, false),
	}
}

// If a service requires a client certificate, the tests present the certificate of the run, or the one that the
// environment names.
func TestExportedTestsShowACertificate(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS, s.Config.ErrorLog = &tls.Config{ClientAuth: tls.RequireAnyClientCert}, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	key, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	own := ownTLS(t)
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.MkdirAll(filepath.Dir(own.CACert), 0o700); err != nil {
		t.Fatal(err)
	}
	both := append(slices.Clone(cert), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	for path, text := range map[string][]byte{own.CACert: cert, own.Cert: both} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	suites := certificates(t)
	none, gone := built(t, suites["none"]), built(t, suites["gone"])
	for _, c := range []struct {
		name string
		dir  string
		env  []string
		want string
	}{
		{"as in the run", built(t, suites["own"]), nil, "PASS"},
		{"by the environment", gone, []string{"SONDE_CERT=" + own.Cert}, "PASS"},
		{"without a certificate", none, nil, "certificate required"},
		{"with one that is gone", gone, nil, "set SONDE_CERT and SONDE_KEY to the files that have it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			output, _ := runBuilt(t, c.dir, append(c.env, "SONDE_BASE_URL="+s.URL))
			if !strings.Contains(output, c.want) {
				t.Errorf("want %q in %s", c.want, output)
			}
		})
	}
}

func TestExportedTestsFailClearly(t *testing.T) {
	t.Parallel()
	s := newService(t)
	dir := write(t, wrong())
	buildTests(t, dir, "wrong.test")
	tests := []struct{ name, test, base, want string }{
		{"status", "TestGetProduct_200", s.URL, `GET /products/7: want status 200, got 404 with body {"error":"no such product"}`},
		{"unsafe body", "TestListTerminalEscapes_404", s.URL, `GET /terminal-escapes: want status 404, got 200 with body [2J hi`},
		{"value", "TestGetAdmin_403", s.URL, `GET /secrets/of/the/admin: want "ask ann" at "/error", got "not for you"`},
		{
			"presence", "TestGetAdmin_403", s.URL,
			`GET /secrets/of/the/admin: want a value at "/way/out", but the body is {"error":"not for you"}`,
		},
		{"id", "TestGetOldThenGetProduct_200", s.URL, `GET /old: want an id at the end of the header X-Id, got ""`},
		{"credential", "TestGetAdmin_200", s.URL, `no secret to send: set SHOP_ADMIN in the environment, as the top of this file says`},
		{"no service", "TestGetProduct_200", "http://127.0.0.1:1", `GET /products/7 got no answer: dial tcp 127.0.0.1:1: `},
		{"way out", "TestGetProduct_200", "http://127.0.0.1:1", "is the service there? SONDE_BASE_URL says where"},
		{"no URL", "TestGetProduct_200", "127.0.0.1:80", "is SONDE_BASE_URL like http://127.0.0.1:8080?"},
		{"no base URL", "TestGetProduct_200", "", "no service to call: set SONDE_BASE_URL to where it is, such as http://127.0.0.1:8080"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			output, err := run(t, dir, []string{"SONDE_BASE_URL=" + tt.base}, filepath.Join(dir, "wrong.test"), "-test.run=^"+tt.test+"$")
			if err == nil || !strings.Contains(output, tt.want) {
				t.Errorf("got %v, want a failure with %s in:\n%s", err, tt.want, output)
			}
			if strings.Contains(output, "panic") || strings.ContainsAny(output, "\x1b\u202e") {
				t.Errorf("the output is unsafe: %q", output)
			}
		})
	}
	admin := []string{"SONDE_BASE_URL=" + s.URL, "SHOP_ADMIN=admin's own"}
	if output, err := run(t, dir, admin, filepath.Join(dir, "wrong.test"), "-test.run=^TestGetAdmin_200$"); err != nil {
		t.Errorf("with a credential: %v\n%s", err, output)
	}
}

// wrong returns a suite that fails on the test service.
func wrong() Suite {
	return Suite{
		Users: []model.User{{Name: "admin", Header: "X-Key", Env: "SHOP_ADMIN"}},
		Tests: []model.Test{
			{ID: "status", Calls: []model.Call{{Op: "GET /products/{id}", Args: []model.Arg{inPath("id", "7")}, Status: 200}}},
			{ID: "escapes", Calls: []model.Call{{Op: "GET /terminal-escapes", Status: 404}}},
			{
				ID:     "checks",
				Calls:  []model.Call{{Op: "GET /secrets/of/the/admin", Status: 403}},
				Checks: []model.Check{equal(0, "/error", `"ask ann"`), present(0, "/way/out")},
			},
			{
				ID: "id",
				Calls: []model.Call{
					{Op: "GET /old", Status: 301},
					{Op: "GET /products/{id}", Args: []model.Arg{inPath("id", "7")}, Status: 200},
				},
				Links: []model.Link{{From: 0, To: 1, Header: "X-Id", In: model.InPath, Name: "id"}},
			},
			{ID: "credential", Calls: []model.Call{{Op: "GET /secrets/of/the/admin", User: "admin", Status: 200}}},
		},
	}
}
