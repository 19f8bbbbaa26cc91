package codec_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 1000, time.UTC)

// played returns three tests. The only call of the second test is sent before the calls of the first. The call of the
// third test is never sent.
func played() []model.PlayedTest {
	post := model.Exchange{
		Base: "http://127.0.0.1:1/v1", At: noon.Add(time.Second), Took: 1500 * time.Microsecond,
		Request: model.Request{
			Method: "POST",
			URL:    "/a?x=1&y=%20&&z",
			Header: map[string][]string{"Content-Type": {"application/json"}, "X-Api-Key": {"hush"}},
			Body:   []byte(`{"x":1}`),
		},
		Reply: model.Reply{
			Status: 201, Proto: "HTTP/2.0", Header: map[string][]string{
				"Location":     {"/a/1"},
				"Set-Cookie":   {"session=hush", "b=hush"},
				"Content-Type": {"text/plain"},
			},
			Body: []byte("\x1b[31m\xff"), Truncated: true,
		},
	}
	get := model.Exchange{
		Base: "http://127.0.0.1:1/v1", At: noon.Add(time.Second + 2*time.Millisecond), Request: model.Request{Method: "GET", URL: "/a/1"},
		Reply: model.Reply{Status: 200, Proto: "HTTP/1.1", Body: []byte("<é> & \u2028")},
	}
	gone := model.Exchange{
		Base:    "http://127.0.0.1:1/v1",
		At:      noon,
		Request: model.Request{Method: "GET", URL: "/a/2"},
		Err:     errors.New("EOF\x1b"),
	}
	never := model.Exchange{Request: model.Request{Method: "GET", URL: "/a/3"}, Err: errors.New("locked out")}
	calls := []model.Call{{Op: "POST /a", User: "ann"}, {Op: "GET /a/{id}"}}
	return []model.PlayedTest{
		{Test: model.Test{ID: "t1", Calls: calls}, Exchanges: []model.Exchange{post, get}},
		{Test: model.Test{ID: "t2", Calls: calls[1:]}, Exchanges: []model.Exchange{gone}},
		{Test: model.Test{ID: "t3", Calls: calls[1:]}, Exchanges: []model.Exchange{never}},
	}
}

// literalText returns the content of traffic.har for a run with these tests.
func literalText(t *testing.T, dir string, played []model.PlayedTest) []byte {
	t.Helper()
	w, err := codec.CreateRun(dir, header(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.WriteTraffic(played); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "traffic.har"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

const wantHAR = `{
 "log": {
  "version": "1.2",
  "creator": {
   "name": "Sonde",
   "version": ""
  },
  "pages": [
   {
    "startedDateTime": "2030-01-02T12:00:01.000001Z",
    "id": "t1",
    "title": "t1",
    "pageTimings": {}
   },
   {
    "startedDateTime": "2030-01-02T12:00:00.000001Z",
    "id": "t2",
    "title": "t2",
    "pageTimings": {}
   }
  ],
  "entries": [
   {
    "pageref": "t1",
    "startedDateTime": "2030-01-02T12:00:01.000001Z",
    "time": 1.5,
    "request": {
     "method": "POST",
     "url": "http://127.0.0.1:1/v1/a?x=1&y=%20&&z",
     "httpVersion": "HTTP/2.0",
     "cookies": [],
     "headers": [
      {
       "name": "Content-Type",
       "value": "application/json"
      },
      {
       "name": "X-Api-Key",
       "value": "***"
      }
     ],
     "queryString": [
      {
       "name": "x",
       "value": "1"
      },
      {
       "name": "y",
       "value": " "
      },
      {
       "name": "z",
       "value": ""
      }
     ],
     "postData": {
      "mimeType": "application/json",
      "text": "{\"x\":1}"
     },
     "headersSize": -1,
     "bodySize": 7
    },
    "response": {
     "status": 201,
     "statusText": "",
     "httpVersion": "HTTP/2.0",
     "cookies": [],
     "headers": [
      {
       "name": "Content-Type",
       "value": "text/plain"
      },
      {
       "name": "Location",
       "value": "/a/1"
      },
      {
       "name": "Set-Cookie",
       "value": "***"
      },
      {
       "name": "Set-Cookie",
       "value": "***"
      }
     ],
     "content": {
      "size": 6,
      "mimeType": "text/plain",
      "text": "G1szMW3/",
      "encoding": "base64",
      "comment": "more came than is kept here"
     },
     "redirectURL": "/a/1",
     "headersSize": -1,
     "bodySize": 6
    },
    "cache": {},
    "timings": {
     "send": 0,
     "wait": 1.5,
     "receive": 0
    },
    "comment": "sent as ann"
   },
   {
    "pageref": "t1",
    "startedDateTime": "2030-01-02T12:00:01.002001Z",
    "time": 0,
    "request": {
     "method": "GET",
     "url": "http://127.0.0.1:1/v1/a/1",
     "httpVersion": "HTTP/1.1",
     "cookies": [],
     "headers": [],
     "queryString": [],
     "headersSize": -1,
     "bodySize": 0
    },
    "response": {
     "status": 200,
     "statusText": "",
     "httpVersion": "HTTP/1.1",
     "cookies": [],
     "headers": [],
     "content": {
      "size": 10,
      "mimeType": "",
      "text": "<é> & \u2028"
     },
     "redirectURL": "",
     "headersSize": -1,
     "bodySize": 10
    },
    "cache": {},
    "timings": {
     "send": 0,
     "wait": 0,
     "receive": 0
    }
   },
   {
    "pageref": "t2",
    "startedDateTime": "2030-01-02T12:00:00.000001Z",
    "time": 0,
    "request": {
     "method": "GET",
     "url": "http://127.0.0.1:1/v1/a/2",
     "httpVersion": "unknown",
     "cookies": [],
     "headers": [],
     "queryString": [],
     "headersSize": -1,
     "bodySize": 0
    },
    "response": {
     "status": 0,
     "statusText": "",
     "httpVersion": "unknown",
     "cookies": [],
     "headers": [],
     "content": {
      "size": 0,
      "mimeType": ""
     },
     "redirectURL": "",
     "headersSize": -1,
     "bodySize": 0,
     "comment": "EOF"
    },
    "cache": {},
    "timings": {
     "send": 0,
     "wait": 0,
     "receive": 0
    }
   }
  ]
 }
}
`

// traffic.har has all that HAR 1.2 requires, contains no credential, and can be read back.
func TestTraffic(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	got := literalText(t, dir, played())
	if d := cmp.Diff(wantHAR, string(got)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	trails, err := codec.OpenRequestSeqs(filepath.Join(dir, "traffic.har"))
	if err != nil {
		t.Fatal(err)
	}
	const base = "http://127.0.0.1:1/v1"
	want := codec.RequestSeqs{Kind: codec.KindHAR, All: []codec.RequestSeq{
		{Name: "t2", Steps: []codec.RequestStep{{Method: "GET", URL: base + "/a/2"}}},
		{Name: "t1", Steps: []codec.RequestStep{{Method: "POST", URL: base + "/a?x=1&y=%20&&z"}, {Method: "GET", URL: base + "/a/1"}}},
	}}
	if d := cmp.Diff(want, trails); d != "" {
		t.Errorf("read again (-want +got):\n%s", d)
	}
	log, err := codec.OpenRunHAR(dir)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := log.Write(&again); err != nil || again.String() != wantHAR {
		t.Errorf("error %v; read and written it differs: %s", err, cmp.Diff(wantHAR, again.String()))
	}
}

// A new run has no traffic, even if the folder had another run.
func TestTrafficAtTheStart(t *testing.T) {
	dir := t.TempDir()
	literalText(t, dir, played())
	w, err := codec.CreateRun(dir, header(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if log, err := codec.OpenRunHAR(dir); err != nil || log.Entries == nil || len(log.Entries)+len(log.Pages) > 0 {
		t.Errorf("log %+v, error %v", log, err)
	}
}

// Whatever a service answers, traffic.har is valid JSON and preserves each byte of the answers.
func TestTrafficHoldsAnyBody(t *testing.T) {
	dir := t.TempDir()
	w := create(t, dir)
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.OneOf(
			rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) }),
		).Draw(t, "body")
		p := played()[:1]
		p[0].Exchanges[0].Reply.Body = body
		var file struct {
			Log struct {
				Entries []struct {
					Response struct {
						Content struct{ Text, Encoding string }
					}
				}
			}
		}
		if err := w.WriteTraffic(p); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "traffic.har"))
		err = errors.Join(err, json.Unmarshal(data, &file))
		if err != nil {
			t.Fatal(err)
		}
		content := file.Log.Entries[0].Response.Content
		got := []byte(content.Text)
		if content.Encoding == "base64" {
			got, _ = base64.StdEncoding.DecodeString(content.Text)
		}
		if !bytes.Equal(got, body) {
			t.Fatalf("got %q, want %q", got, body)
		}
	})
}

// traffic.har stays small enough for sonde adequacy to read it, however large the answers are.
func TestTrafficIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes a large run: left out by -short")
	}
	dir := t.TempDir()
	p := played()[0]
	p.Exchanges = p.Exchanges[:1]
	p.Exchanges[0].Reply.Body = []byte(strings.Repeat("\"\n", 8<<10))
	all := make([]model.PlayedTest, 1100)
	for i := range all {
		all[i] = p
	}
	data := literalText(t, dir, all)
	if n := bytes.Count(data, []byte("more came than is kept here")); n != len(all) {
		t.Errorf("%d of %d entries say that more came", n, len(all))
	}
	if trails, err := codec.OpenRequestSeqs(filepath.Join(dir, "traffic.har")); err != nil || len(trails.All[0].Steps) != len(all) {
		t.Errorf("%d bytes: %v", len(data), err)
	}
}

// The bodies of requests also count for the maximum size of traffic.har, because a link may copy a large part of an
// answer into a request.
func TestTrafficOfRequestsIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes a large run: left out by -short")
	}
	dir := t.TempDir()
	p := played()[0]
	p.Exchanges = p.Exchanges[:1]
	p.Exchanges[0].Request.Body = []byte(strings.Repeat("\"\n", 8<<10))
	all := make([]model.PlayedTest, 1100)
	for i := range all {
		all[i] = p
	}
	data := literalText(t, dir, all)
	if n := bytes.Count(data, []byte("more was sent than is kept here")); n < 20 || n > 100 {
		t.Errorf("%d of %d entries say that more was sent", n, len(all))
	}
	if trails, err := codec.OpenRequestSeqs(filepath.Join(dir, "traffic.har")); err != nil || len(trails.All[0].Steps) != len(all) {
		t.Errorf("%d bytes: %v", len(data), err)
	}
}

func TestOpenRunHARRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		data *string
		want string
	}{
		"an older run": {nil, "has no traffic.har: search again"},
		"no JSON":      {new("{"), "is not a HAR file that Sonde wrote"},
		"other JSON":   {new(`{"a":1}`), "is not a HAR file that Sonde wrote"},
	} {
		dir := t.TempDir()
		if c.data != nil {
			if err := os.WriteFile(filepath.Join(dir, "traffic.har"), []byte(*c.data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := codec.OpenRunHAR(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
