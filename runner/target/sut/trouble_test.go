package sut

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// A failure of the service is diagnosed and explained, and the service can be restarted.
func TestDiagnoseAndRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits: left out by -short")
	}
	t.Parallel()
	for _, c := range []struct {
		path string
		kind model.FaultKind
		text string
	}{
		{"/exit", model.ServiceDied, `service died: exit status 3, "giving up"`},
		{"/panic", model.ServiceDied, `service died: exit status 2, "panic: boom"`},
		{"/late", model.ServiceDied, `service died: exit status 5, "listening with"`},
		{"/hang", model.ServiceHangs, `service hangs: GET /health gets no answer either, "listening with"`},
		{"/slow", "", ""},
		{"/drop", "", ""},
		{"/nothing", "", ""},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			p := model.Plan{Service: service(t)}
			p.Service.Ready.Path = "/health"
			take, asked := counting(-1)
			s := open(t, p, Options{Client: client.Options{Timeout: time.Second, TakeBudget: take}})
			if err := s.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			child, pid := string(call(t, s, "POST", "/child").Reply.Body), about(t, s)["pid"]
			call(t, s, "POST", c.path)
			before := *asked
			if c.path == "/late" { // the service answered
				until(t, "its end", func() bool { return s.ExitFailure() != nil })
			}
			got := s.Diagnose(context.Background())
			if c.kind == "" {
				if got != nil || s.ExitFailure() != nil || *asked != before+1 {
					t.Errorf("trouble %+v with %d requests", got, *asked-before)
				}
				return
			}
			if got == nil || *got != (Failure{c.kind, c.text}) {
				t.Fatalf("trouble %+v", got)
			}
			if died := c.kind == model.ServiceDied; silent(child) != died {
				t.Errorf("the child is gone: %t, the service died: %t", silent(child), died)
			}
			if err := s.Restart(context.Background()); err != nil {
				t.Fatal(err)
			}
			again := about(t, s)
			if again["pid"] == pid || s.ExitFailure() != nil || s.Diagnose(context.Background()) != nil || !silent(child) {
				t.Errorf("%v after the restart, pid %s before", again, pid)
			}
		})
	}
}

// If the budget is used up, Diagnose only checks that the service accepts a connection.
func TestDiagnoseWithoutBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits")
	}
	t.Parallel()
	take, _ := counting(1)
	s := open(t, model.Plan{Service: service(t)}, Options{Client: client.Options{TakeBudget: take}})
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := s.Diagnose(context.Background()); got != nil {
		t.Errorf("a healthy service: %+v", got)
	}
	if got := s.Diagnose(context.Background()); got != nil {
		t.Errorf("a healthy service, without a call: %+v", got)
	}
}

func TestReset(t *testing.T) {
	t.Setenv("SHOP_KEY", "key-of-the-shop")
	key := map[string]string{"x-key": "${SHOP_KEY}"}
	all := &model.Payload{Media: "application/json", Data: `{"all":true}`}
	bin := fragile(t)
	for _, c := range []struct {
		name  string
		key   string
		reset model.Reset
		cost  int
		err   string
		fresh bool // the reset starts another process
	}{
		{"by a request", "", model.Reset{Method: "POST", Path: "/reset"}, 1, "", false},
		{"by a request with a secret", "${SHOP_KEY}", model.Reset{Method: "POST", Path: "/reset", Header: key, Body: all}, 1, "", false},
		{
			"by a request that is refused", "${SHOP_KEY}",
			model.Reset{Method: "POST", Path: "/reset"},
			1,
			`reset "POST /reset" answered 403: without it`, false,
		},
		{"by a command", "", model.Reset{Command: []string{bin, "--post", "http://127.0.0.1:{port}/reset"}}, 0, "", false},
		{
			"by a command that fails", "",
			model.Reset{Command: []string{bin, "--post", "http://127.0.0.1:{port}/nothing"}},
			0,
			`failed: exit status 1, "no luck: <nil>"`, false,
		},
		{
			"by a command that is not there", "",
			model.Reset{Command: []string{"no-such-command"}},
			0,
			`cannot start "no-such-command"`, false,
		},
		{"by a restart", "", model.Reset{Restart: true}, 1, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := model.Plan{Service: service(t), Reset: &c.reset}
			p.Service.Env = map[string]string{"RESET_KEY": c.key}
			p.Service.Ready.Path = "/health"
			s := start(t, p)
			pid := about(t, s)["pid"]
			made := call(t, s, "POST", "/things").Reply.Header["Location"][0]
			err := s.Reset(context.Background())
			status := call(t, s, "GET", made).Reply.Status
			var failed *ResetError
			switch {
			case c.err != "" && (!errors.As(err, &failed) || !strings.Contains(err.Error(), c.err) ||
				strings.Contains(err.Error(), "\n") || status != 200):
				t.Errorf("error %v, the state answers %d", err, status)
			case c.err == "" && (err != nil || status != 404):
				t.Errorf("error %v, the state answers %d", err, status)
			}
			if !s.CanReset() || s.ResetCost() != c.cost || (about(t, s)["pid"] != pid) != c.fresh {
				t.Errorf("resets %t for %d, pid %s then %s", s.CanReset(), s.ResetCost(), pid, about(t, s)["pid"])
			}
		})
	}
}

// If the service does not start again after a reset, that is an error.
func TestRestartThatFails(t *testing.T) {
	p := model.Plan{Service: service(t), Reset: &model.Reset{Restart: true}}
	s := start(t, p)
	p.Service.Command = append(p.Service.Command, "--die", "worn out")
	var failed *ResetError
	if err := s.Reset(context.Background()); !errors.As(err, &failed) || !strings.Contains(err.Error(), "worn out") {
		t.Errorf("error %v", err)
	}
}

// A service that could not be restarted may be restarted later.
func TestRestartSucceedsLater(t *testing.T) {
	p := model.Plan{Service: service(t)}
	s := start(t, p)
	call(t, s, "POST", "/exit")
	command := p.Service.Command
	p.Service.Command = []string{"no-such-service"}
	if err := s.Restart(context.Background()); err == nil || !strings.Contains(err.Error(), "cannot start") {
		t.Errorf("error %v", err)
	}
	if got := s.Diagnose(context.Background()); got == nil || got.Kind != model.ServiceDied {
		t.Errorf("trouble %+v", got)
	}
	p.Service.Command = command
	if err := s.Restart(context.Background()); err != nil || s.Diagnose(context.Background()) != nil {
		t.Errorf("error %v", err)
	}
}

// A service that Sonde did not start can be called, reset and diagnosed. It cannot be restarted or stopped.
func TestRemote(t *testing.T) {
	resets := 0
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/reset" {
			resets++
		}
	}))
	defer server.Close()
	s := start(t, model.Plan{BaseURL: server.URL + "/v1", Reset: &model.Reset{Method: "POST", Path: "/reset"}})
	if err := s.Reset(context.Background()); err != nil || resets != 1 || s.ResetCost() != 1 || !s.CanReset() {
		t.Errorf("%d resets, error %v", resets, err)
	}
	if s.ExitFailure() != nil || s.Diagnose(context.Background()) != nil {
		t.Error("there is trouble with a healthy service")
	}
	server.Close()
	if got := s.Diagnose(context.Background()); got == nil || got.Kind != "" || !strings.Contains(got.Text, "does not answer") {
		t.Errorf("trouble %+v", got)
	}
	if err := s.Restart(context.Background()); err == nil || !strings.Contains(err.Error(), "start it again") {
		t.Errorf("error %v", err)
	}
}

func TestRemoteWithoutReset(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	s := start(t, model.Plan{BaseURL: server.URL})
	if err := s.Reset(context.Background()); err != nil || s.CanReset() || s.ResetCost() != 0 {
		t.Errorf("resets %t, error %v", s.CanReset(), err)
	}
}

// Processes that a reset command leaves in the background are not killed, because the service may
// be one of them.
func TestResetByCommandLeavesItsChildren(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here")
	}
	l := start(t, model.Plan{Service: service(t)}) // shows that a port is free again
	addr := address(l)
	l.Stop()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	pid := filepath.Join(t.TempDir(), "pid")
	s := start(
		t,
		model.Plan{
			BaseURL: server.URL,
			Reset:   &model.Reset{Command: []string{"sh", "-c", `"$0" --addr "$1" & echo $! > "$2"`, fragile(t), addr, pid}},
		},
	)
	if err := s.Reset(context.Background()); err != nil {
		t.Fatal(err)
	}
	until(t, "what the command started", func() bool { return !silent(addr) })
	end(t, pid)
	until(t, "its end", func() bool { return silent(addr) })
}
