package sut

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sonde/model"
)

// far is the time limit for something that should happen at once. It is long enough for a slow machine.
const far = time.Minute

// parent is the environment variable of a process that only starts a service. Its value is the
// command, one argument a line.
const parent = "SONDE_TEST_PARENT"

// issuer is the environment variable of a process that is a service with a log-in.
const issuer = "SONDE_TEST_ISSUER"

// portTaker is the environment variable of a process that gives away its port, to the server whose URL is the value of
// the variable, and then fails.
const portTaker = "SONDE_TEST_PORT_TAKER"

func TestMain(m *testing.M) {
	if url := os.Getenv(portTaker); url != "" {
		_, err := http.Post(url+"?port="+os.Getenv("PORT"), "", nil)
		fmt.Println(err)
		os.Exit(1)
	}
	if command := os.Getenv(parent); command != "" {
		beParent(strings.Split(command, "\n"))
		return
	}
	if os.Getenv(issuer) != "" {
		beIssuer()
		return
	}
	if err := flag.Set("test.parallel", "4"); err != nil { // parallel tests wait; the flag -parallel takes precedence
		panic(err)
	}
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// beParent starts a service, prints its address, and waits to be killed.
func beParent(command []string) {
	s, err := Open(model.Plan{Service: &model.Service{Command: command}}, Options{})
	if err == nil {
		err = s.Start(context.Background())
	}
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Println(address(s))
	select {}
}

// beIssuer serves a log-in that returns a token. For other requests it prints the Authorization header.
func beIssuer() {
	http.HandleFunc("POST /login", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"token": "quince-47-medlar"}`)
	})
	http.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println("authorized by", r.Header.Get("Authorization"))
	})
	fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// fragile builds the test service once, and returns the path of the binary.
func fragile(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		built.dir, built.err = os.MkdirTemp("", "fragile")
		if built.err != nil {
			return
		}
		out, err := exec.Command(
			"go", "build", "-ldflags=-w", "-o", built.dir+string(filepath.Separator), "sonde/runner/testdata/fragile",
		).CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	files, err := filepath.Glob(filepath.Join(built.dir, "fragile*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("built %q, %v", files, err)
	}
	return files[0]
}

// service returns the test service as a service of a plan, with further arguments.
func service(t *testing.T, args ...string) *model.Service {
	return &model.Service{
		Command: append([]string{fragile(t), "--addr", "127.0.0.1:{port}"}, args...),
		Ready:   model.ReadinessCheck{Timeout: far},
	}
}

// open opens a service, and stops it when the test ends.
func open(t *testing.T, p model.Plan, o Options) Service {
	t.Helper()
	s, err := Open(p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// start opens and starts a service, and stops it when the test ends.
func start(t *testing.T, p model.Plan) Service {
	t.Helper()
	s := open(t, p, Options{})
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// call sends a request and returns the answer.
func call(t *testing.T, s Service, method, path string) model.Exchange {
	t.Helper()
	return s.Client().Send(context.Background(), model.Request{Method: method, URL: path})
}

// about returns what the running service reports about itself.
func about(t *testing.T, s Service) map[string]string {
	t.Helper()
	var m map[string]string
	x := call(t, s, "GET", "/about")
	if err := json.Unmarshal(x.Reply.Body, &m); err != nil {
		t.Fatalf("%v: %q, %v", err, x.Reply.Body, x.Err)
	}
	return m
}

// address returns the address on which a started service listens.
func address(s Service) string { return fmt.Sprintf("127.0.0.1:%d", s.(*started).at.port) }

// until waits until a condition holds, and fails the test after far.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(far); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// silent reports whether no program listens at an address.
func silent(addr string) bool {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return true
	}
	c.Close()
	return false
}

// firstLine reads the first line that a command prints.
func firstLine(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line[:len(line)-1]
}

// counting returns a function for client.Options.TakeBudget that allows limit requests, and a pointer to the number
// of requests that it has allowed.
func counting(limit int) (func() bool, *int) {
	n := 0
	return func() bool {
		if n == limit {
			return false
		}
		n++
		return true
	}, &n
}

// end kills the process whose ID is in a file.
func end(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
}
