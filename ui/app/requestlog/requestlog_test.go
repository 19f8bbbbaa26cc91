package requestlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
)

// sent returns a request that was sent n seconds after the first one, with a body and a secret.
func sent(n int, body string) usecase.SentRequest {
	at := time.Now().Truncate(time.Hour).Add(time.Duration(n)*time.Second + 123*time.Nanosecond)
	return usecase.SentRequest{
		Calls: []model.Call{{
			Op: "POST /carts",
			Args: []model.Arg{
				{In: model.InHeader, Name: "X-Api-Key", Value: "k3y-of-ann-4711"},
				{In: model.InQuery, Name: "n", Value: fmt.Sprint(n)},
			},
			Body: &model.Payload{Media: "text/plain", Data: body},
		}},
		Exchange: model.Exchange{
			At: at, Took: time.Second, Base: "http://127.0.0.1:1", Err: errors.New("late"),
			Request: model.Request{
				Op:     "POST /carts",
				Method: "POST",
				URL:    fmt.Sprint("/carts?n=", n),
				Header: map[string][]string{"X-Api-Key": {"k3y-of-ann-4711"}},
				Body:   []byte(body),
			},
			Reply:   model.Reply{Status: 201, Proto: "HTTP/1.1", Header: map[string][]string{"A": {"b"}}, Body: []byte("\x00\xff" + body)},
			Details: &model.TransmissionDetails{Timing: model.Timing{Reused: true, FirstByte: time.Millisecond}},
		},
	}
}

func all(t *testing.T, l *Log) []usecase.SentRequest {
	t.Helper()
	got, err := l.All()
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Requests are kept for the next session, newest first, with pseudonyms in place of secrets. In their own session they stay
// as they were sent.
func TestRequestsAreKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "requests")
	l := New(folder, "a.json")
	l.Add(sent(1, "one"))
	l.Add(sent(2, "two"))
	own := all(t, l)
	if len(own) != 2 || own[0].Calls[0].Args[1].Value != "2" || own[0].Calls[0].Args[0].Value != "k3y-of-ann-4711" || own[0].Earlier {
		t.Fatalf("this session has %+v", own)
	}
	next := New(folder, "a.json")
	next.Add(sent(3, "three"))
	later := all(t, next)
	if len(later) != 3 {
		t.Fatalf("the next session has %d requests, want 3", len(later))
	}
	r, x := later[1], later[1].Exchange
	if !r.Earlier || !r.Masked || r.Op() != "POST /carts" || r.Calls[0].Args[1].Value != "2" || r.Calls[0].Body.Data != "two" {
		t.Errorf("got the request %+v", r)
	}
	want := own[0].Exchange
	if !x.At.Equal(want.At) || x.Took != want.Took || x.Base != want.Base || x.Err.Error() != "late" || x.Request.URL != "/carts?n=2" ||
		x.Request.Op != want.Request.Op || x.Details.Timing != want.Details.Timing {
		t.Errorf("got the exchange %+v, want %+v", x, want)
	}
	if x.Reply.Status != 201 || !bytes.Equal(x.Reply.Body, want.Reply.Body) {
		t.Errorf("got the answer %+v, want %+v", x.Reply, want.Reply)
	}
	data, err := os.ReadFile(fileOf(folder, "a.json"))
	if err != nil || bytes.Contains(data, []byte("k3y-of-ann")) {
		t.Errorf("the file has the secret, or cannot be read: %v", err)
	}
	if info, err := os.Stat(fileOf(folder, "a.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, error %v", info, err)
	}
	if other := all(t, New(folder, "b.json")); len(other) != 0 {
		t.Errorf("another spec has %+v", other)
	}
}

// A log in memory writes no file.
func TestLogInMemory(t *testing.T) {
	l := New("", "a.json")
	l.Add(sent(1, "x"))
	if got := all(t, l); len(got) != 1 {
		t.Errorf("got %d requests", len(got))
	}
}

// The number of requests, the size of bodies, of the file and the number of files are bounded.
func TestLogIsBounded(t *testing.T) {
	folder := t.TempDir()
	full := logFile{Version: version}
	for i := range maxRequests {
		data, err := json.Marshal(stored(sent(i, "x")))
		if err != nil {
			t.Fatal(err)
		}
		full.Requests = append(full.Requests, data)
	}
	data, err := json.Marshal(full)
	if err == nil {
		err = os.WriteFile(fileOf(folder, "a.json"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	l := New(folder, "a.json")
	l.Add(sent(maxRequests, "x"))
	later := all(t, New(folder, "a.json"))
	if len(later) != maxRequests || later[0].Calls[0].Args[1].Value != fmt.Sprint(maxRequests) || len(all(t, l)) != maxRequests {
		t.Errorf("%d requests are kept, the newest is %+v", len(later), later[0].Calls[0].Args[1])
	}
	l.Add(sent(1000, strings.Repeat("x", maxBody+1)))
	for l, most := range map[*Log]int{l: maxBody, New(folder, "a.json"): maxStored} {
		r := all(t, l)[0]
		if !r.Partial || r.Calls[0].Body != nil || !r.Exchange.Request.Truncated || len(r.Exchange.Reply.Body) != most {
			t.Errorf("partial %t, %d bytes of the answer, want %d", r.Partial, len(r.Exchange.Reply.Body), most)
		}
	}
	large := make(json.RawMessage, maxFile/10)
	if got := newest([]json.RawMessage{large, large, large, large, large, large, large, large, large, large, large}); len(got) != 9 {
		t.Errorf("%d of 11 large requests are in the file, want 9", len(got))
	}
	for i := range maxFiles + 3 {
		New(folder, fmt.Sprint(i)).Add(sent(1, "x"))
	}
	names, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	if len(names) != maxFiles {
		t.Errorf("%d files, want %d", len(names), maxFiles)
	}
}

// A file that cannot be read is reported and replaced; one of a newer Sonde stays.
func TestBrokenLogs(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		kept             bool
	}{
		{"no JSON", "{", "are ignored", false},
		{"too large", strings.Repeat(" ", maxFile+1), "larger than 4 MiB", false},
		{"newer", `{"version":99}`, "a newer Sonde", true},
		{"requests without calls", `{"version":1,"requests":[{},7,{"calls":[]}]}`, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			path := fileOf(folder, "a.json")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			l := New(folder, "a.json")
			got, err := l.All()
			if len(got) != 0 || (err == nil) != (c.want == "") || !strings.Contains(fmt.Sprint(err), c.want) {
				t.Errorf("got %+v, error %v, want %q", got, err, c.want)
			}
			l.Add(sent(1, "x"))
			if got, err := l.All(); len(got) != 1 || (err != nil) != c.kept {
				t.Errorf("after a request: %d requests, error %v", len(got), err)
			}
			if data, _ := os.ReadFile(path); (string(data) == c.text) != c.kept {
				t.Errorf("the file has now %.40q", data)
			}
		})
	}
	t.Run("no folder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		l := New(file, "a.json")
		l.Add(sent(1, "x"))
		if got, err := l.All(); len(got) != 1 || err == nil || !strings.Contains(err.Error(), "not kept for later sessions") {
			t.Errorf("got %d requests, error %v", len(got), err)
		}
	})
}

// A test without an answer is not logged.
func TestRequestOfTest(t *testing.T) {
	test := model.Test{Calls: []model.Call{{Op: "GET /a"}, {Op: "GET /b"}}}
	at := time.Now()
	r, ok := Request(test, []model.Exchange{{At: at}, {At: at, Reply: model.Reply{Status: 204}}})
	if !ok || r.Op() != "GET /b" || r.Exchange.Reply.Status != 204 || len(r.Test().Calls) != 2 {
		t.Errorf("got %+v, %t", r, ok)
	}
	for name, exchanges := range map[string][]model.Exchange{"none": nil, "not sent": {{Err: errors.New("x")}}} {
		if _, ok := Request(test, exchanges); ok {
			t.Errorf("%s: it is logged", name)
		}
	}
}

// Whatever a file has, it is read in bounded memory and without a panic.
func FuzzReadFile(f *testing.F) {
	f.Add([]byte(`{"version":1,"requests":[{"at":"2026-12-01T00:00:00Z","calls":[{"op":"GET /a"}],"reply":{"status":200}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		requests, _ := readFile(path) // an error is fine
		for _, r := range requests {
			if len(r.Calls) == 0 || !r.Earlier {
				t.Errorf("got %+v", r)
			}
		}
	})
}

// A file that cannot be read now keeps its requests.
func TestUnreadableLog(t *testing.T) {
	folder := t.TempDir()
	path := fileOf(folder, "a.json")
	if err := os.Symlink(path, path); err != nil { // it can be replaced but not read, like a file on a broken disk
		t.Skip(err)
	}
	sent := usecase.SentRequest{Calls: []model.Call{{Op: "GET /a"}}, Exchange: model.Exchange{At: time.Now()}}
	if err := appendTo(path, "a.json", sent); err == nil {
		t.Error("no error")
	}
	if _, err := os.Readlink(path); err != nil {
		t.Errorf("it was replaced: %v", err)
	}
}
