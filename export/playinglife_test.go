//go:build !windows

package export_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/export"
	"sonde/model"
	"sonde/runner/testdata/port"
)

// scripting are the formats whose tests run without a compiler.
var scripting = []string{"pytest", "node"}

// The output oracle compares headers in UTF-8. It reads a time without a zone as UTC, in any zone of the machine, and
// does not read "Infinity" as a time.
func TestPlayedOutputs(t *testing.T) {
	const file = `attachment; filename="Zürich.csv"`
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", file)
		json.NewEncoder(w).Encode(map[string]any{"at": time.Now().UTC().Format(time.ANSIC), "never": "Infinity"})
	}))
	defer up.Close()
	recorded := func(op model.OpID, want model.Expectation) model.Test {
		return model.Test{
			ID: string(op), Origin: model.OriginRecorded, Calls: []model.Call{{Op: op, Status: 200}},
			Mock: &model.MockTest{About: string(op), Exchange: string(op), Output: []model.Expectation{want}},
		}
	}
	now := func(pointer string) model.Expectation {
		return model.Expectation{
			In: model.InBody, Name: pointer, Comparison: model.CompareNear, Value: json.RawMessage(`"2026-11-22T19:00:00Z"`), Within: 5,
		}
	}
	name, _ := json.Marshal(file)
	for _, format := range scripting {
		t.Run(format, func(t *testing.T) {
			s := export.PaidByHTTP()
			s.Service, s.BaseURL = nil, up.URL
			s.Tests = []model.Test{
				recorded("GET /file", model.Expectation{
					In: model.InHeader, Name: "Content-Disposition", Comparison: model.CompareEquals, Value: name,
				}),
				recorded("GET /time", now("/at")),
				recorded("GET /never", now("/never")),
			}
			dir, made := written(t, format, s)
			passed, failed, output := verdict(t, format, dir, "TZ=Asia/Tokyo")
			if want := namesOf(made, "GetNever_200_OO"); !slices.Equal(failed, want) || len(passed) < 2 {
				t.Errorf("got %q and the failures %q, want %q:\n%s", passed, failed, want, output)
			}
		})
	}
}

// A service may close a connection to a host in the middle of a request, and may call a host by IPv6.
func TestPlayedAbortedRequest(t *testing.T) {
	if l, err := net.Listen("tcp", "[::1]:0"); err != nil {
		t.Skipf("no IPv6: %v", err)
	} else {
		l.Close()
	}
	for _, format := range scripting {
		t.Run(format, func(t *testing.T) {
			host := fmt.Sprintf("[::1]:%d", port.Free())
			up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				c, err := net.Dial("tcp", host)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 10\r\n\r\nab", host)
				time.Sleep(50 * time.Millisecond)
				c.Close()
				res, err := http.Get("http://" + host)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadGateway)
					return
				}
				defer res.Body.Close()
				io.Copy(w, res.Body)
			}))
			defer up.Close()
			s := askedSuite()
			s.Service, s.BaseURL, s.Tests = nil, up.URL, s.Tests[:1]
			test := &s.Tests[0]
			test.Stubs[0].Host, test.Stubs[0].Match, test.Checks = host, model.StubMatch{Method: "GET"}, nil
			dir, _ := written(t, format, s)
			if passed, failed, output := verdict(t, format, dir); len(passed) != 1 || len(failed) > 0 {
				t.Errorf("got %q and the failures %q, want a test that passes:\n%s", passed, failed, output)
			}
		})
	}
}

// launched returns a suite whose service a shell starts, with a script before it.
func launched(script string) export.Suite {
	s := askedSuite()
	s.Service.Command = []string{"sh", "-c", script + "\nexec " + strings.Join(s.Service.Command, " ")}
	return s
}

// When the tests end, all processes of the service get time to stop, even if the first process has already ended.
func TestPlayedStop(t *testing.T) {
	for _, format := range scripting {
		t.Run(format, func(t *testing.T) {
			s := launched(`(trap "sleep 0.3; echo stopped >> stops; exit" TERM; while :; do sleep 0.05; done) &`)
			s.Tests = s.Tests[:1]
			dir, _ := placed(t, format, "asker", s)
			if passed, _, output := verdict(t, format, dir); len(passed) != 1 {
				t.Errorf("got %q, want a test that passes:\n%s", passed, output)
			}
			if got := readFile(t, dir, "stops"); got != "stopped\n" {
				t.Errorf("the child wrote %q", got)
			}
		})
	}
}

// The service ends with the tests if SIGTERM interrupts them, and no further test runs.
func TestPlayedInterrupted(t *testing.T) {
	export.LeaveOutIfShort(t)
	for _, format := range scripting {
		t.Run(format, func(t *testing.T) {
			s := launched(`(sleep 0.3; echo $$ > pid) &`)
			s.Tests = slices.DeleteFunc(s.Tests, func(test model.Test) bool { return test.ID != "mute" })
			s.Tests[0].Calls[0].Body.Data = strings.Repeat("POST / x\n", 20)
			dir, _ := placed(t, format, "asker", s)
			tests := exec.Command(runner(t, "node"), "sonde.test.mjs")
			if format == "pytest" {
				python, err := pythonWithPytest()
				if err != nil {
					t.Skip(err)
				}
				tests = exec.Command(python, "-B", "-m", "pytest", "-p", "no:cacheprovider", "test_sonde.py")
			}
			tests.Dir, tests.Env = dir, append(os.Environ(), "SONDE_BASE_URL=")
			if err := tests.Start(); err != nil {
				t.Fatal(err)
			}
			var service int
			holds(t, "the service starts", func() bool {
				text, _ := os.ReadFile(filepath.Join(dir, "pid"))
				service, _ = strconv.Atoi(strings.TrimSpace(string(text)))
				return service > 0
			})
			tests.Process.Signal(syscall.SIGTERM)
			began := time.Now()
			err := tests.Wait()
			if took := time.Since(began); err == nil || took > 9*time.Second {
				t.Errorf("the tests ended with %v after %s", err, took)
			}
			holds(t, "the service ends", func() bool { return syscall.Kill(-service, 0) != nil })
		})
	}
}

// holds waits until a condition holds.
func holds(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so: %s", what)
		}
	}
}

// The hosts answer the command that resets the service. The tests wait for the end of the command, not for the end of
// its children. If the command fails, the output names it.
func TestPlayedResetCommand(t *testing.T) {
	for _, format := range scripting {
		t.Run(format, func(t *testing.T) {
			s := export.Restarted()
			s.Tests, s.Service.Env = s.Tests[:1], map[string]string{"SETTINGS": "http://settings.example:80"}
			// A second process of the service gets its settings from the host, and then finds the port in use.
			s.Reset = &model.Reset{Command: []string{"sh", "-c", `sleep 70 & echo $! >> pids
				./starter --addr 127.0.0.1:{port} --settings=$SETTINGS 2>&1 | grep "in use"`}}
			dir, _ := placed(t, format, "starter", s)
			passed, _, output := verdict(t, format, dir)
			if len(passed) != 1 {
				t.Errorf("got %q, want a test that passes:\n%s", passed, output)
			}
			for pid := range strings.FieldsSeq(readFile(t, dir, "pids")) {
				number, _ := strconv.Atoi(pid)
				syscall.Kill(number, syscall.SIGKILL)
			}
			s.Reset.Command = []string{"./missing", "x"}
			dir, _ = placed(t, format, "starter", s)
			_, failed, output := verdict(t, format, dir)
			if len(failed) != 1 || !strings.Contains(output, "missing") || !strings.Contains(output, "failed with") {
				t.Errorf("got the failures %q, want one that names the command:\n%s", failed, output)
			}
		})
	}
}
