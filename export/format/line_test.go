package format_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sonde/export/format"
	"sonde/model"

	"pgregory.net/rapid"
)

// A shell that runs the command sends an identical request.
func TestLineSendsTheSame(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl here: ", err)
	}
	type message struct{ method, target, note, media, body string }
	came := make(chan message, 1)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		came <- message{
			method: r.Method,
			target: r.RequestURI,
			note:   r.Header.Get("X-Note"),
			media:  r.Header.Get("Content-Type"),
			body:   string(data),
		}
	}))
	defer s.Close()
	rapid.Check(t, func(t *rapid.T) {
		want := message{
			method: rapid.SampledFrom([]string{"POST", "PUT", "DELETE", "GET"}).Draw(t, "method"),
			target: "/x/../y?q=" + rapid.StringMatching(`[a-zA-Z0-9%'$!&;()*\[\]{}]{0,9}`).Draw(t, "query"),
			note:   rapid.StringMatching(`[!-~]{0,20}`).Draw(t, "note"),
			media:  "text/plain",
			body: string(rapid.OneOf(
				rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) }),
			).Draw(t, "body")),
		}
		line, err := format.CurlCommand(model.Exchange{Base: s.URL, At: time.Now(), Request: model.Request{
			Op: "POST /x", Method: want.method, URL: want.target, Body: []byte(want.body),
			Header: map[string][]string{"X-Note": {want.note}, "Content-Type": {want.media}, "Content-Length": {"3"}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("sh", "-c", line+" -s").CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
		if got := <-came; got != want {
			t.Fatalf("%s\nsent %+v, want %+v", line, got, want)
		}
	})
}

// For a request that no command line can repeat, the error has the reason.
func TestLineRefuses(t *testing.T) {
	for why, x := range map[string]model.Exchange{
		"never sent":  {Request: model.Request{Op: "GET /x"}},
		"only a part": {At: time.Now(), Request: model.Request{Op: "GET /x", Truncated: true}},
	} {
		if line, err := format.CurlCommand(x); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: got %q, %v", why, line, err)
		}
	}
}
