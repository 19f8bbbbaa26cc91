package sut

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// Each copy of the service has a port of its own, and gets the number of the port.
func TestCopies(t *testing.T) {
	t.Setenv("SHOP_SECRET", "open sesame")
	dir := t.TempDir()
	p := model.Plan{Service: service(t), BaseURL: "http://localhost:{port}"}
	p.Service.Env = map[string]string{"URL": "http://localhost:{port}/x", "SECRET": "<${SHOP_SECRET}>"}
	p.Service.Dir, p.Service.Log = dir, filepath.Join(dir, "logs", "service.log")
	seen := map[string]bool{}
	for i := range 4 {
		s := open(t, p, Options{Copy: i})
		if err := s.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		a := about(t, s)
		where, err := filepath.EvalSymlinks(dir)
		if seen[a["port"]] || a["url"] != "http://localhost:"+a["port"]+"/x" || a["secret"] != "<open sesame>" ||
			err != nil || a["dir"] != where {
			t.Errorf("copy %d says %v", i, a)
		}
		seen[a["port"]] = true
	}
	for _, name := range []string{"service.log", "service-2.log", "service-3.log", "service-4.log"} {
		text, err := os.ReadFile(filepath.Join(dir, "logs", name))
		if err != nil || !strings.HasPrefix(string(text), "sonde: started on port ") ||
			!strings.HasSuffix(string(text), "\nlistening with <***>\n") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// No request is sent while no program listens on the port. The requests after that count against
// the budget.
func TestReadyChecksCount(t *testing.T) {
	for _, c := range []struct {
		name  string
		ready model.ReadinessCheck
		limit int
		want  int
		err   error
	}{
		{"the port is enough", model.ReadinessCheck{}, 100, 0, nil},
		{"the fourth answer", model.ReadinessCheck{Path: "/health"}, 100, 4, nil},
		{"the status it should be", model.ReadinessCheck{Path: "/health", Status: 503}, 100, 1, nil},
		{"a path of its own", model.ReadinessCheck{Path: "things/1", Status: 404}, 100, 1, nil},
		{"the budget is used up", model.ReadinessCheck{Path: "/health"}, 2, 2, client.ErrBudget},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := model.Plan{Service: service(t, "--unready", "3")}
			p.Service.Ready, p.Service.Ready.Timeout = c.ready, far
			take, n := counting(c.limit)
			s := open(t, p, Options{Client: client.Options{TakeBudget: take}})
			if err := s.Start(context.Background()); !errors.Is(err, c.err) || *n != c.want {
				t.Errorf("%d requests, error %v, want %d and %v", *n, err, c.want, c.err)
			}
		})
	}
}

// The error of a failed start is one line that contains what the service printed.
func TestStartFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	soon := model.ReadinessCheck{Path: "/health", Timeout: 50 * time.Millisecond}
	for _, c := range []struct {
		name    string
		service model.Service
		want    []string
	}{
		{
			"it ends", *service(t, "--die", "no database"),
			[]string{"ended before it was ready: exit status 4", `["starting" "[31mno database"]`},
		},
		{"a wrong flag", *service(t, "--nonsense"), []string{"ended before it was ready: exit status 2", "-unready"}},
		{"it is not there", model.Service{Command: []string{"no-such-service"}}, []string{`cannot start "no-such-service"`, "not found"}},
		{
			"it never gets ready",
			model.Service{Command: []string{fragile(t), "--unready", "100000"}, Ready: soon},
			[]string{"was not ready within 50ms: "},
		},
		{
			"its port is taken",
			model.Service{Command: []string{fragile(t)}, Port: l.Addr().(*net.TCPAddr).Port},
			[]string{"is in use: stop the program that listens there"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, model.Plan{Service: &c.service}, Options{})
			err := s.Start(context.Background())
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
			if c.service.Port == 0 && !silent(address(s)) {
				t.Error("something still runs")
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		plan model.Plan
		want string
	}{
		{"no command", model.Plan{Service: &model.Service{}}, "give its start command"},
		{"no such folder", model.Plan{Service: &model.Service{Command: []string{"x"}, Dir: "nowhere"}}, `folder "nowhere"`},
		{
			"a strange signal",
			model.Plan{Service: &model.Service{Command: []string{"x"}, Stop: model.ShutdownOptions{Signal: "STOP"}}},
			`signal "STOP" cannot stop a service`,
		},
		{"a strange port", model.Plan{Service: &model.Service{Command: []string{"x"}, Port: 70000}}, "70000 is not a port"},
		{
			"a negative time",
			model.Plan{Service: &model.Service{Command: []string{"x"}, Ready: model.ReadinessCheck{Timeout: -1}}},
			"negative",
		},
		{
			"unknown port",
			model.Plan{Service: &model.Service{Command: []string{"x"}}, BaseURL: "http://127.0.0.1:8080"},
			"has no {port}",
		},
		{
			"a variable is missing",
			model.Plan{Service: &model.Service{Command: []string{"x"}, Env: map[string]string{"A": "${SONDE_NONE}"}}},
			`variable "A" needs SONDE_NONE`,
		},
		{
			"a header's variable is missing",
			model.Plan{
				BaseURL: "http://127.0.0.1:1",
				Reset:   &model.Reset{Method: "POST", Path: "/", Header: map[string]string{"K": "${SONDE_NONE}"}},
			},
			`header "K" needs SONDE_NONE`,
		},
		{
			"another's restart",
			model.Plan{BaseURL: "http://127.0.0.1:1", Reset: &model.Reset{Restart: true}},
			"needs a service that sonde starts",
		},
		{
			"a service without probes",
			model.Plan{Service: &model.Service{Command: []string{"x"}}, Reset: &model.Reset{Clean: true}},
			"needs a Go service that sonde builds",
		},
		{
			"a strange host",
			model.Plan{Service: &model.Service{Command: []string{"x"}}, BaseURL: "http://shop.example:{port}"},
			"--allow-host",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Open(c.plan, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	two := model.Plan{Service: &model.Service{Command: []string{"x"}, Port: 8080}}
	if _, err := Open(two, Options{Copy: 1}); err == nil || !strings.Contains(err.Error(), "only one copy") {
		t.Errorf("second copy on one port: error %v", err)
	}
}

// The databases are cleaned when the service is ready, at each reset, after a restart, and before the service is stopped.
func TestResetCleans(t *testing.T) {
	cleanings, failure := 0, error(nil)
	p := model.Plan{Service: service(t), Reset: &model.Reset{Clean: true}}
	s := open(t, p, Options{Clean: func(context.Context) error { cleanings++; return failure }})
	ctx := context.Background()
	for i, step := range []func(context.Context) error{s.Start, s.Reset, s.Restart, s.Reset} {
		if err := step(ctx); err != nil || cleanings != i+1 {
			t.Fatalf("after step %d: %d cleanings, error %v", i, cleanings, err)
		}
	}
	failure = errors.New("no probes")
	if err := s.Reset(ctx); err != failure {
		t.Errorf("error %v, want that of the cleaning", err)
	}
	if err := s.Restart(ctx); err != failure || s.ExitFailure() == nil {
		t.Errorf("error %v, want that of the cleaning, and that the process has ended", err)
	}
	failure = nil
	if err := s.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	cleanings = 0
	s.Stop()
	if cleanings != 1 || s.ResetCost() != 0 {
		t.Errorf("%d cleanings by Stop, want 1; a reset costs %d requests, want 0", cleanings, s.ResetCost())
	}
}

// If another program has taken the port, the service gets another port. A port in the plan is kept.
func TestPortTakenMeanwhile(t *testing.T) {
	s := open(t, model.Plan{Service: service(t)}, Options{})
	moves(t, s, s.Start)
}

// moves takes the port of a service, calls up, and checks that the service then has another port.
func moves(t *testing.T, s Service, up func(context.Context) error) {
	t.Helper()
	before := address(s)
	l, err := net.Listen("tcp", before)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := up(context.Background()); err != nil || address(s) == before {
		t.Fatalf("at %s as before, error %v", address(s), err)
	}
	if a := about(t, s); !strings.HasSuffix(address(s), ":"+a["port"]) {
		t.Errorf("at %s, but it says %v", address(s), a)
	}
}

// If the port is taken while the service is down, the service gets another port.
func TestPortTakenBeforeRestart(t *testing.T) {
	s := start(t, model.Plan{Service: service(t)})
	s.(*started).process.kill()
	moves(t, s, s.Restart)
}

// If other programs take all ports that a service tries, the service has the last of them, and no other one is reserved.
func TestAllPortsTaken(t *testing.T) {
	var tried []string
	taker := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		at := net.JoinHostPort("127.0.0.1", r.FormValue("port"))
		tried = append(tried, at)
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { l.Close() })
		go func() { // without an answer, the service does not seem ready
			for c, err := l.Accept(); err == nil; c, err = l.Accept() {
				c.Close()
			}
		}()
	}))
	s := open(t, model.Plan{Service: &model.Service{
		Command: []string{os.Args[0]}, Env: map[string]string{portTaker: taker.URL},
		Ready: model.ReadinessCheck{Path: "/", Timeout: far},
	}}, Options{})
	err := s.Start(context.Background())
	taker.Close() // waits for its handlers
	var taken *portTaken
	if !errors.As(err, &taken) || len(tried) != maxPorts || address(s) != tried[maxPorts-1] {
		t.Errorf("tried %q, now at %s: error %v", tried, address(s), err)
	}
}

func TestFixedPort(t *testing.T) {
	port, err := reserve()
	if err != nil {
		t.Fatal(err)
	}
	release(port)
	p := model.Plan{Service: service(t)}
	p.Service.Port = port
	if s := start(t, p).(*started); s.at.port != port {
		t.Errorf("port %d, want %d", s.at.port, port)
	}
}

// After Stop no process of the service is left, even if the service ignores signals or starts
// children.
func TestStopLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		stop   model.ShutdownOptions
		output string
	}{
		{"it is asked", nil, model.ShutdownOptions{}, "asked to end: terminated"},
		{"it is asked otherwise", nil, model.ShutdownOptions{Signal: "INT"}, "asked to end: interrupt"},
		{"it does not listen", []string{"--stubborn"}, model.ShutdownOptions{Timeout: 50 * time.Millisecond}, "asked to end: terminated"},
		{"it is not asked", nil, model.ShutdownOptions{Signal: "KILL"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("there are no signals")
			}
			p := model.Plan{Service: service(t, c.args...)}
			p.Service.Stop, p.Service.Log = c.stop, filepath.Join(t.TempDir(), "log")
			s := start(t, p)
			child := string(call(t, s, "POST", "/child").Reply.Body)
			if silent(child) {
				t.Fatalf("no child at %q", child)
			}
			s.Stop()
			text, err := os.ReadFile(p.Service.Log)
			if err != nil || !silent(address(s)) || !silent(child) || !strings.Contains(string(text), c.output) {
				t.Errorf("log %q, %v; service gone %t, its child %t", text, err, silent(address(s)), silent(child))
			}
			s.Stop() // a second Stop has no effect
		})
	}
}

// After Stop no process is left, even if the command only starts another command, as "go run" does.
func TestStopCommandThatStartsAnother(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	p := model.Plan{Service: service(t)}
	p.Service.Command = []string{sh, "-c", `"$0" "$@" & wait`, p.Service.Command[0]}
	s := start(t, p)
	s.Stop()
	if !silent(address(s)) {
		t.Error("the service still runs")
	}
}

// A start that is cancelled leaves no process.
func TestStartCancelled(t *testing.T) {
	p := model.Plan{Service: service(t, "--unready", "100000")}
	p.Service.Ready.Path = "/health"
	s := open(t, p, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Start(ctx) }()
	addr := address(s)
	until(t, "the service", func() bool { return !silent(addr) })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || !silent(addr) {
		t.Errorf("error %v, gone %t", err, silent(addr))
	}
}

// However Sonde ends, the service ends, too, even if another command started the service.
func TestKilledWithItsParent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no process groups")
	}
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string][]string{
		"alone":          {fragile(t)},
		"behind a shell": {"/bin/sh", "-c", `"$0" & wait`, fragile(t)},
	} {
		t.Run(name, func(t *testing.T) {
			c := exec.Command(me)
			c.Env = append(os.Environ(), parent+"="+strings.Join(command, "\n"))
			addr := firstLine(t, c)
			if silent(addr) {
				t.Fatalf("no service at %q", addr)
			}
			c.Process.Kill()
			c.Wait()
			until(t, "the end of the service", func() bool { return silent(addr) })
		})
	}
}
