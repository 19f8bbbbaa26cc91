package driver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/driver"
)

// at returns a client of a driver that answers with a handler.
func at(t *testing.T, answer http.HandlerFunc) *driver.Driver {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	d := driver.New(driver.Options{QuickTimeout: 100 * time.Millisecond})
	if err := d.Connect(s.URL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// An answer may have as many bytes as are read, but no more.
func TestLongestAnswer(t *testing.T) {
	const longest = 32 << 20
	for size, want := range map[int]string{longest: "", longest + 1: "answered with more than 32 MB"} {
		d := at(t, func(w http.ResponseWriter, _ *http.Request) {
			body := bytes.Repeat([]byte(" "), size)
			copy(body, `{"url": "http://127.0.0.1:8080"}`)
			w.Write(body)
		})
		if _, err := d.Start(context.Background()); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: error %v, want %q", size, err, want)
		}
	}
}

// The requests, and the handling of the answers, follow docs/driver.md.
func TestProtocol(t *testing.T) {
	ctx := context.Background()
	answers := map[string]string{
		"GET /controller": `{"protocol": 1, "name": "shop", "running": true, "new": [], "spec": "/api\u001b.json", ` +
			`"auth": [{"name": "ann"}]}`,
		"POST /controller/start":   `{"url": "http://127.0.0.1:8080"}`,
		"POST /controller/results": `{"targets": [{"id": "b", "h": 0.5}, {"id": "a", "h": 1}, {"id": "c", "h": 0}], "busy": true}`,
		"GET /controller/targets":  `{"targets": [{"id": "a", "kind": "true", "file": "a.py", "line": 3}, {"id": "a"}]}`,
		"POST /controller/targets": `{"targets": [{"id": "b", "end_line": 4}]}`,
	}
	var asked []string
	d := at(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(body)))
		io.WriteString(w, answers[r.Method+" "+r.URL.Path])
	})
	info, err := d.Info(ctx)
	base, err2 := d.Start(ctx)
	results, err3 := d.Results(ctx, []string{"x", "y"})
	all, err4 := d.AllTargets(ctx)
	some, err5 := d.Targets(ctx, []string{"b"})
	if err := errors.Join(err, err2, err3, err4, err5, d.Reset(ctx), d.BeginTest(ctx), d.Stop(ctx)); err != nil {
		t.Fatal(err)
	}
	described := driver.Info{Protocol: 1, Name: "shop", Running: true, Spec: "/api .json", Auth: []byte(`[{"name": "ann"}]`)}
	if !reflect.DeepEqual(info, described) || base != "http://127.0.0.1:8080" {
		t.Errorf("%+v at %q", info, base)
	}
	if want := (driver.Results{
		Scores: []model.Score{{Target: "a", H: 1}, {Target: "b", H: .5}},
		Busy:   true,
	}); !reflect.DeepEqual(results, want) {
		t.Errorf("%+v", results)
	}
	if len(all) != 1 || all[0] != (driver.Target{ID: "a", Kind: "true", File: "a.py", Line: 3}) ||
		len(some) != 1 || some[0].EndLine != 4 || d.IgnoredSummary() != "" {
		t.Errorf("%+v, %+v, %q", all, some, d.IgnoredSummary())
	}
	want := []string{
		"GET /controller", "POST /controller/start {}", `POST /controller/results {"ids":["x","y"]}`, "GET /controller/targets",
		`POST /controller/targets {"ids":["b"]}`, "POST /controller/reset {}", "POST /controller/begin {}", "POST /controller/stop {}",
	}
	if !reflect.DeepEqual(asked, want) {
		t.Errorf("asked %q\nwant  %q", asked, want)
	}
}

func TestNoAnswer(t *testing.T) {
	ctx := context.Background()
	slow := at(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the server notices that the client has gone only after the body is read
		<-r.Context().Done()
	})
	if _, err := slow.Results(ctx, nil); err == nil || errors.Is(err, driver.ErrNoAnswer) ||
		!strings.HasSuffix(err.Error(), "asked POST /controller/results, took too long") {
		t.Errorf("slow: %v", err)
	}
	dripping := at(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for r.Context().Err() == nil {
			io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	if _, err := dripping.Info(ctx); err == nil || !strings.HasSuffix(err.Error(), "broke off its answer") {
		t.Errorf("dripping: %v", err)
	}
	gone := at(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if err := gone.BeginTest(ctx); !errors.Is(err, driver.ErrNoAnswer) || strings.Contains(err.Error(), "\n") {
		t.Errorf("gone: %v", err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if err := slow.BeginTest(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	if err := driver.New(driver.Options{}).Connect("http://driver.example"); err == nil ||
		!strings.Contains(err.Error(), "--allow-host driver.example") {
		t.Errorf("elsewhere: %v", err)
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(`{"targets": [{"id": "a:1", "h": 0.5, "line": -1, "file": "\u001b[2J"}]}`)
	f.Add(`{"targets": [{"id": "a b", "h": -1}], "protocol": 1}`)
	text := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }))
	f.Cleanup(s.Close)
	d := driver.New(driver.Options{})
	if err := d.Connect(s.URL); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(d.Close)
	f.Fuzz(func(t *testing.T, answer string) {
		ctx := context.Background()
		text = answer
		r, err := d.Results(ctx, nil)
		all, err2 := d.AllTargets(ctx)
		info, err3 := d.Info(ctx)
		said := fmt.Sprint(err, err2, err3, info.Name, d.IgnoredSummary())
		for _, s := range r.Scores {
			if !(s.H > 0 && s.H <= 1) {
				t.Errorf("%v", s)
			}
			said += s.Target
		}
		for _, target := range all {
			p := target.Sanitised()
			if p.Line < 0 || p.Statements < 0 {
				t.Errorf("%+v", p)
			}
			text, _ := json.Marshal([]string{p.ID, p.File, p.Kind, p.Label, p.Package})
			said += string(text)
		}
		if strings.ContainsAny(said, "\n\x1b\a") {
			t.Errorf("%q is not safe to print", said)
		}
	})
}
