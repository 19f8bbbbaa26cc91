package gotest

import (
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain runs this program as a service if an environment variable is set.
func TestMain(m *testing.M) {
	if os.Getenv("GOTEST_WAIT") != "" {
		os.Stdout.WriteString("waiting\x1b[2J\n")
		select {}
	}
	os.Exit(m.Run())
}

func TestServiceThatDoesNotGetReady(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a service: left out by -short")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOTEST_WAIT", "")
	for name, tt := range map[string]struct {
		program *program
		want    string
	}{
		"nothing listens": {
			&program{command: []string{self}, env: []string{"GOTEST_WAIT=1"}},
			"was not ready within 2s: nothing listens at 127.0.0.1:0; it printed:\nwaiting [2J\n",
		},
		"ended": {&program{command: []string{self, "-test.run=^$"}}, "ended before it was ready: exit status 0; it printed:\n"},
		"no program": {
			&program{command: []string{"no-such-program"}},
			`the service cannot be started: exec: "no-such-program": executable file not found`,
		},
		"no folder": {
			&program{command: []string{self}, dir: "nowhere"},
			`the service cannot be started: there is no folder "nowhere" to start in`,
		},
		"no variable": {
			&program{command: []string{self}, env: []string{"A=x${GOTEST_NONE}"}},
			"the service cannot be started: set GOTEST_NONE in the environment, for A",
		},
	} {
		p := tt.program
		p.base, p.stopSignal, p.stopTimeout = "http://127.0.0.1:{port}", syscall.SIGTERM, 100*time.Millisecond
		p.readyTimeout = 2 * time.Second // a slow machine prints late
		if name == "ended" {
			p.readyTimeout = time.Minute
		}
		err := p.start()
		if err == nil {
			t.Errorf("%s: got no error, want %s", name, tt.want)
			continue
		}
		if got := regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(err.Error(), "127.0.0.1:0"); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got error %s, want %s", name, got, tt.want)
		}
		if p.process != nil && !waitFor(p.exited, 0) {
			t.Errorf("%s: the service still runs", name)
		}
	}
	defaultURL = ""
}

func TestReplaceProgram(t *testing.T) {
	for _, tt := range [][2]string{
		{"./shop --addr :1", "/bin/x --addr :1"},
		{"go run ./cmd/shop --addr :1", "/bin/x --addr :1"},
		{"go run -race -tags a,b -mod=mod ./cmd/shop -x", "/bin/x -x"},
		{"go run .", "/bin/x"},
		{"go build", "/bin/x build"},
		{"env KEY=v -u HOME ./shop --a=b", "env KEY=v -u HOME /bin/x --a=b"},
		{"/usr/bin/env -i A=1 go run ./cmd/shop -x", "/usr/bin/env -i A=1 /bin/x -x"},
		{"env A=1", "/bin/x A=1"},
		{"./env-of-shop A=1", "/bin/x A=1"},
	} {
		if got := strings.Join(replaceProgram(strings.Fields(tt[0]), "/bin/x"), " "); got != tt[1] {
			t.Errorf("%s: got %s, want %s", tt[0], got, tt[1])
		}
	}
}
