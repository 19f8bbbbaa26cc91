//go:build !windows

package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/runner/testdata/port"

	"github.com/google/go-cmp/cmp"
)

// playing are the formats other than Go whose tests play hosts.
var playing = []string{"pytest", "node", "junit5"}

// verdicts are patterns of the lines about the tests that pass and fail, by format.
var verdicts = map[string][2]*regexp.Regexp{
	"go":     {regexp.MustCompile(`(?m)^--- PASS: Test(\S+)`), regexp.MustCompile(`(?m)^--- FAIL: Test(\S+)`)},
	"pytest": {regexp.MustCompile(`(?m)::(test_\w+) PASSED`), regexp.MustCompile(`(?m)::(test_\w+) FAILED`)},
	"node":   {regexp.MustCompile(`(?m)^ok \d+ - (\S+)`), regexp.MustCompile(`(?m)^not ok \d+ - (\S+)`)},
	"junit5": {regexp.MustCompile(`(?m) (\w+)\(\)(?: \d+ ms)? (?:✔|\[OK\])`), regexp.MustCompile(`(?m) (\w+)\(\)(?: \d+ ms)? (?:✘|\[X\])`)},
}

// verdict returns the names of the tests of a file that pass and of those that fail, in order, and the output.
func verdict(t *testing.T, name, dir string, env ...string) (passed, failed []string, output string) {
	t.Helper()
	env = append([]string{"SONDE_BASE_URL="}, env...)
	switch name {
	case "go":
		buildGo(t, dir)
		output, _ = runGo(t, dir, env)
	case "pytest":
		output, _ = runPytestFile(t, dir, env, "-v", "test_sonde.py")
	case "node":
		output, _ = runNode(t, dir, env...)
	default:
		output, _ = runJava(t, dir, env...)
	}
	names := func(p *regexp.Regexp) (all []string) {
		for _, m := range p.FindAllStringSubmatch(output, -1) {
			all = append(all, m[1])
		}
		slices.Sort(all)
		return all
	}
	return names(verdicts[name][0]), names(verdicts[name][1]), output
}

// placed writes a suite into a folder with the binary of its service.
func placed(t *testing.T, name, service string, s export.Suite) (string, format.Output) {
	t.Helper()
	dir, made := written(t, name, s)
	if err := os.Symlink(export.Dependent(t, service), filepath.Join(dir, service)); err != nil {
		t.Fatal(err)
	}
	return dir, made
}

// namesOf returns the names that tests have in a format, in order. functions are the names of their Go functions,
// without "Test".
func namesOf(made format.Output, functions ...string) []string {
	var all []string
	for _, f := range functions {
		all = append(all, made.Names["Test"+f])
	}
	slices.Sort(all)
	return all
}

// Tests of recorded exchanges pass on the unchanged service while its hosts are down. If the service changes its
// answer, the parameters of an outward call or the number of outward calls, only the test of the oracle for this part
// fails.
func TestPlayedOracles(t *testing.T) {
	all := []string{"CreatePayment_201_OO", "CreatePayment_201_PO", "CreatePayment_201_CO", "GetAbout_200_OO", "GetAbout_200_CO"}
	for _, name := range playing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := export.PaidByHTTP()
			about := s.Tests[1].Mock
			about.Output = append(about.Output, model.Expectation{
				In: model.InHeader, Name: "Content-Disposition", Comparison: model.CompareEquals,
				Value: []byte(`"inline; filename=\"über.txt\""`),
			})
			dir, made := placed(t, name, "till", s)
			for wrong, want := range map[string][]string{
				"":          nil,
				"answer":    {"CreatePayment_201_OO"},
				"parameter": {"CreatePayment_201_PO"},
				"double":    {"CreatePayment_201_CO"},
				"quiet":     {"CreatePayment_201_PO", "CreatePayment_201_CO"},
				"about":     {"GetAbout_200_CO"},
			} {
				if name == "junit5" && (wrong == "quiet" || wrong == "about") {
					continue // each run compiles the tests
				}
				passed, failed, output := verdict(t, name, dir, "WRONG="+wrong)
				if !slices.Equal(failed, namesOf(made, want...)) || len(passed)+len(failed) != len(all) {
					t.Errorf("%q: got the failures %q of %d tests, want %q:\n%s", wrong, failed, len(passed)+len(failed), want, output)
				}
			}
		})
	}
}

// A test fails if the answer of a host is another one than recorded. Before each test, a command resets the service.
func TestPlayedAnswerMatters(t *testing.T) {
	for _, name := range playing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := export.PaidByHTTP()
			s.Tests[0].Stubs[0].Answers[1].Body = `{"receipt":"r-18"}`
			s.Reset = &model.Reset{Command: []string{"sh", "-c", `[ "$PORT" = {port} ] && echo "$METRICS" >> resets`}}
			dir, made := placed(t, name, "till", s)
			_, failed, output := verdict(t, name, dir)
			if want := namesOf(made, "CreatePayment_201_OO"); !slices.Equal(failed, want) || !strings.Contains(output, "r-18") {
				t.Errorf("got the failures %q, want %q and why:\n%s", failed, want, output)
			}
			if got := readFile(t, dir, "resets"); got != strings.Repeat("127.0.0.1:9\n", 5) {
				t.Errorf("the resets wrote %q", got)
			}
		})
	}
}

// Each test restores its snapshot of the service's state. Either a command restores the snapshot while the service
// runs, or the helpers replace the service's files while the service is stopped.
func TestPlayedSnapshots(t *testing.T) {
	for _, name := range append([]string{"go"}, playing...) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := export.PaidByHTTP()
			for i := range s.Tests {
				s.Tests[i].Mock.Snapshot = fmt.Sprint("0a1b2c-", i)
			}
			for way, reset := range map[string]model.Reset{
				"command": {
					Command: []string{"sh", "-c", `[ "$PORT" = {port} ] && cat "{snapshot}/0/till.db" >> log`}, Snapshots: "snapshots",
				},
				"files": {Restart: true, Snapshots: "snapshots", Files: []string{"till.db", "photos"}},
			} {
				s.Reset = &reset
				dir, _ := placed(t, name, "till", s)
				for file, text := range map[string]string{
					"snapshots/0a1b2c-0/0/till.db": "first ", "snapshots/0a1b2c-1/0/till.db": "second ",
					"snapshots/0a1b2c-1/0/till.db-wal": "more",
					"snapshots/0a1b2c-0/1/photos/a":    "a", "snapshots/0a1b2c-1/1/photos/b": "b",
					"till.db": "now", "till.db-shm": "now", "till.dba": "other", "photos/c/d": "now", "photos-journal/e": "other",
				} {
					path := filepath.Join(dir, filepath.FromSlash(file))
					if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				passed, failed, output := verdict(t, name, dir)
				if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
					t.Errorf("the folder of the files has the permissions %v, %v", info.Mode(), err)
				}
				if len(passed) != 5 || len(failed) > 0 {
					t.Fatalf("%s: got the failures %q of %d tests:\n%s", way, failed, len(passed)+len(failed), output)
				}
				if way == "command" {
					got := strings.Fields(readFile(t, dir, "log"))
					slices.Sort(got)
					if want := "first first first second second"; strings.Join(got, " ") != want {
						t.Errorf("the command restored %q, want %q in any order", got, want)
					}
					continue
				}
				last := readFile(t, dir, "till.db")
				photo := map[string]string{"first ": "a", "second ": "b"}[last]
				want := []string{"photos-journal/e", "photos/" + photo, "till.db", "till.dba"}
				if last == "second " {
					want = append(want, "till.db-wal")
				}
				var got []string
				for _, pattern := range []string{"till.db*", "photos*/*"} {
					found, _ := filepath.Glob(filepath.Join(dir, pattern))
					for _, path := range found {
						rel, _ := filepath.Rel(dir, path)
						got = append(got, filepath.ToSlash(rel))
					}
				}
				slices.Sort(got)
				if slices.Sort(want); photo == "" || !slices.Equal(got, want) {
					t.Errorf("the last test left %q with %q, want %q", got, last, want)
				}
				for _, snapshot := range []string{"0", "1"} {
					link := filepath.Join(dir, "snapshots", "0a1b2c-"+snapshot, "1", "photos", "link")
					if err := os.Symlink("..", link); err != nil {
						t.Fatal(err)
					}
				}
				before := readFile(t, dir, "photos/"+photo)
				if passed, _, output := verdict(t, name, dir); len(passed) > 0 || readFile(t, dir, "photos/"+photo) != before {
					t.Errorf("with a symbolic link in the snapshots %q pass:\n%s", passed, output)
				}
			}
		})
	}
}

// In a test with all oracles, a request that no stub matches is answered 501, and the test says so.
func TestPlayedTogether(t *testing.T) {
	for _, name := range playing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := export.PaidByHTTP()
			s.CombineOracles = true
			dir, made := placed(t, name, "till", s)
			if passed, failed, output := verdict(t, name, dir); len(passed) != 2 || len(failed) != 0 {
				t.Errorf("got %q and the failures %q:\n%s", passed, failed, output)
			}
			_, failed, output := verdict(t, name, dir, "WRONG=parameter")
			if want := namesOf(made, "CreatePayment_201"); !slices.Equal(failed, want) {
				t.Errorf("got the failures %q, want %q:\n%s", failed, want, output)
			}
		})
	}
}

// askedCase is a stub of a host that the service asker calls, the lines that tell asker what to send to the host, and
// the result of each line.
type askedCase struct {
	id          string
	stub        model.Stub
	lines, want []string
}

// asked returns the case for pairs of a line and its result.
func asked(id string, stub model.Stub, pairs ...string) askedCase {
	c := askedCase{id: id, stub: stub}
	for i := 0; i < len(pairs); i += 2 {
		c.lines, c.want = append(c.lines, pairs[i]), append(c.want, pairs[i+1])
	}
	return c
}

// resetting reports whether the host resets connections, which the server of Java cannot.
func (c askedCase) resetting() bool {
	return slices.ContainsFunc(c.stub.Answers, func(a model.Answer) bool {
		return a.Fault == model.NetReset || a.Fault == model.NetRefuse || a.Fault == model.NetMute
	})
}

func askedCases() []askedCase {
	text := model.NewHeaderField("Content-Type", "text/plain")
	ok := model.Answer{Body: "x", Header: text}
	matching := func(m model.StubMatch) model.Stub { return model.Stub{Match: m, Answers: []model.Answer{ok}} }
	with := func(answers ...model.Answer) model.Stub { return model.Stub{Answers: answers} }
	fails := func(a model.Answer) model.Stub {
		a.Header = text
		return with(a)
	}
	emoji := strings.Repeat("\U0001f600", 6_000)
	const x = `200 text/plain "x"`
	const evil = "*/ `\"'\\\n\r\x00\u2028\u202e\ufeff${x}%d {id} \\u0022 \x1b[2J \U0001f600"
	cookies := model.HeaderFields{"Content-Type": {"a/b"}, "Set-Cookie": {"a=1", `b="ö"`}}
	return []askedCase{
		asked("all", matching(model.StubMatch{}), "GET /", x, "POST /a?b=c d", x),
		asked("path", matching(model.StubMatch{Path: "/a/{id}/b"}), "GET /a/1/b", x, "PUT /a/x%2Fy/b/", x, "GET /a.c", "error"),
		asked("method", matching(model.StubMatch{Method: "PUT"}), "PUT /", x, "POST / x", "error"),
		asked("query", matching(model.StubMatch{Query: map[string]string{"a": "1 ö"}}), "GET /?b=2&a=1+%C3%B6", x, "GET /?a=2", "error"),
		asked("header", matching(model.StubMatch{Header: map[string]string{"x-key": "kö"}}), "GET /", x),
		asked(
			"JSON", matching(model.StubMatch{JSON: `{"a": [1.0, {"b": null}]}`}),
			`POST / {"c": 2, "a": [1, {"b": null, "d": 3}]}`, x, `POST / {"a": [1]}`, "error", "POST / x", "error",
		),
		asked("nth", matching(model.StubMatch{Nth: 2}), "GET /", "error", "GET /", x, "GET /", "error"),
		asked(
			"script", with(ok, model.Answer{Status: 503, Body: `{"a":1}`}), "GET /", x, "GET /", `503 application/json "{\"a\":1}"`,
		),
		asked(
			"again", model.Stub{Answers: []model.Answer{ok, {Fault: model.NetReset}}, Repeat: true},
			"GET /", x, "POST / x", "error", "GET /", x,
		),
		asked(
			"then", model.Stub{Answers: []model.Answer{ok}, Else: &model.Answer{Status: 429, Header: text}},
			"GET /", x, "GET /", `429 text/plain ""`, "GET /", `429 text/plain ""`,
		),
		asked("refuses", fails(model.Answer{Fault: model.NetRefuse}), "POST / x", "error"),
		asked("mute", fails(model.Answer{Fault: model.NetMute}), "POST / x", "error"),
		asked("cut", fails(model.Answer{Fault: model.NetCut, After: 3, Body: "abcdef"}), "GET /", `200 text/plain "abc" error`),
		asked("stall", fails(model.Answer{Fault: model.NetStall, After: 3, Body: "abc"}), "GET /", `200 text/plain "abc" error`),
		asked("truncated", fails(model.Answer{Fault: model.NetTruncatedJSON, Body: `{"a":1}`}), "GET /", `200 text/plain "{\"a"`),
		asked(
			"slow", fails(model.Answer{Fault: model.NetSlow, Latency: 10, Rate: 1000, Body: strings.Repeat("y", 50)}),
			"GET /", `200 text/plain "`+strings.Repeat("y", 50)+`"`,
		),
		asked("bytes", with(model.Answer{Bytes: []byte("\xff\x00ö"), Header: text}), "GET /", `200 text/plain "\xff\x00\u00f6"`),
		asked("large-bytes", with(model.Answer{Bytes: bytes.Repeat([]byte("\xff"), 50_000)}), "GET /", "200 50000 bytes"),
		asked("large-emoji", with(model.Answer{Body: strings.Repeat("\U0001f600", 15_000)}), "GET /", "200 60000 bytes"),
		asked(
			"large-JSON", matching(model.StubMatch{JSON: `["` + strings.Repeat(`\ud83d\ude00`, 6_000) + `"]`}),
			`POST / ["`+emoji+`"]`, x, "POST / []", "error",
		),
		asked("head", with(model.Answer{Body: "12345", Header: text}), "HEAD /", `200 text/plain "" 5 bytes`),
		asked("large", with(model.Answer{Body: strings.Repeat("z", 1<<17)}), "GET /", "200 131072 bytes"),
		asked("empty", with(model.Answer{Status: 204}), "GET /", `204  ""`, "HEAD /", `204  ""`),
		asked(
			"hostile", model.Stub{
				Match:   model.StubMatch{Query: map[string]string{evil: evil}},
				Answers: []model.Answer{{Body: evil, Header: text}},
			},
			"GET /?"+url.QueryEscape(evil)+"="+url.QueryEscape(evil), fmt.Sprintf("200 text/plain %+q", evil),
		),
		asked("cookies", with(model.Answer{Header: cookies}), "GET /", `200 a/b "" a=1 b="ö"`),
	}
}

// askedSuite returns a suite of these cases.
func askedSuite() export.Suite {
	s := export.Suite{
		Title: "Asker", BaseURL: "http://127.0.0.1:{port}", Local: true,
		Service: &model.Service{Command: []string{"./asker", "--addr", "127.0.0.1:{port}", "--upstream=http://upstream.example"}},
	}
	for _, c := range askedCases() {
		c.stub.Host, c.stub.Protocol = "upstream.example:80", model.HTTP
		want, _ := json.Marshal(c.want)
		s.Tests = append(s.Tests, model.Test{
			ID: c.id, Name: "Ask" + c.id, Stubs: []model.Stub{c.stub}, Checks: []model.Check{{Call: 0, Equals: want}},
			Calls: []model.Call{{
				Op: "POST /", Status: 200, Body: &model.Payload{Media: "text/plain", Data: strings.Join(c.lines, "\n")},
			}},
		})
	}
	return s
}

// The servers of all languages answer like those of Go. A test that needs an answer which a server cannot give is left
// out, and the output has its name and the reason.
func TestPlayedAnswers(t *testing.T) {
	for _, name := range append([]string{"go"}, playing...) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := askedSuite()
			var omitted []string
			for _, c := range askedCases() {
				if name == "junit5" && c.resetting() {
					omitted = append(omitted, c.id)
				}
			}
			dir, made := placed(t, name, "asker", s)
			for i, o := range made.Omitted {
				if i >= len(omitted) || o.ID != omitted[i] || !strings.Contains(o.Why, "cannot reset") ||
					!strings.Contains(string(made.Text), o.Name) {
					t.Errorf("left out %+v, want %q by name, also in the file", o, omitted)
				}
			}
			if !strings.Contains(made.CommandNotice, `starts the service by "./asker`) {
				t.Errorf("the notice is %q", made.CommandNotice)
			}
			passed, failed, output := verdict(t, name, dir)
			if len(failed) > 0 || len(passed) != len(s.Tests)-len(omitted) {
				t.Errorf("%d of %d tests pass:\n%s", len(passed), len(s.Tests)-len(omitted), output)
			}
		})
	}
}

// A test that shows a fault plays hosts, too. It shares the helpers with the other tests.
func TestPlayedFaults(t *testing.T) {
	for _, name := range playing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := askedSuite()
			shown := s.Tests[0]
			shown.ID, shown.Name = "shown", ""
			s.Tests = s.Tests[:1]
			s.Faults = []model.Fault{{ // the fault is fixed: the answer has the type
				Op: "POST /", Oracle: "schema", Severity: model.SeverityError, Status: 200, Verdict: model.VerdictReproducible,
				Expected: "/0 is of type string", Text: "17", Test: &shown,
			}}
			dir, made := placed(t, name, "asker", s)
			if len(made.Tests) != 1 || len(made.Faults) != 1 {
				t.Fatalf("got the tests %q and faults %q", made.Tests, made.Faults)
			}
			var output string
			var err error
			switch name {
			case "pytest":
				output, err = runPytestFile(t, dir, nil, "-v", "test_sonde_faults.py")
			case "node":
				output, err = outcome(t, dir, nil, "node", "--test-reporter=tap", "sonde_faults.test.mjs")
			default:
				output, err = runJavaClass(t, dir, "SondeFaultsTest")
			}
			if err != nil {
				t.Errorf("%v:\n%s", err, output)
			}
		})
	}
}

// If the service is already running and calls hosts of this machine, the servers of the tests listen at the addresses
// of these hosts. A reset by a command is then left to the user.
func TestPlayedForRunningService(t *testing.T) {
	for _, name := range []string{"pytest", "node"} {
		t.Run(name, func(t *testing.T) {
			s, addr, host := askedSuite(), port.Addr(), port.Addr()
			up := exec.Command(export.Dependent(t, "asker"), "--addr", addr, "--upstream=http://"+host)
			if err := up.Start(); err != nil {
				t.Fatal(err)
			}
			defer up.Wait()
			defer up.Process.Kill()
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
				if c, err := net.Dial("tcp", addr); err == nil {
					c.Close()
					break
				}
			}
			s.Service, s.BaseURL, s.Reset = nil, "http://"+addr, &model.Reset{Command: []string{"make", "clean"}}
			s.Tests = s.Tests[:3]
			for i := range s.Tests {
				s.Tests[i].Stubs[0].Host = host
			}
			dir, made := written(t, name, s)
			const want = "The service is not reset before each test, as --format go does: make clean."
			if !slices.Contains(made.Omissions, want) || made.CommandNotice != "" {
				t.Errorf("said %q and %q, want %q", made.Omissions, made.CommandNotice, want)
			}
			if passed, failed, output := verdict(t, name, dir); len(failed) > 0 || len(passed) != len(s.Tests) {
				t.Errorf("%d of %d tests pass:\n%s", len(passed), len(s.Tests), output)
			}
		})
	}
}

// If each test starts the service again, the service gets the same answers at each start.
func TestPlayedStartup(t *testing.T) {
	for _, name := range playing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := export.Restarted()
			dir, _ := placed(t, name, "starter", s)
			if passed, failed, output := verdict(t, name, dir); len(failed) > 0 || len(passed) != len(s.Tests) {
				t.Errorf("%d of %d tests pass:\n%s", len(passed), len(s.Tests), output)
			}
		})
	}
}

// After the tests, all processes of the service have ended, also one that ignores signals and whose launcher ends first.
func TestPlayedServiceIsStopped(t *testing.T) {
	for _, name := range playing {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := export.PaidByHTTP()
			stubborn := `(trap "" TERM; while [ -e till ]; do date > beat; sleep 0.05; done) & `
			s.Service.Command = []string{"sh", "-c", stubborn + strings.Join(s.Service.Command, " ") + " & wait"}
			s.Service.Stop = model.ShutdownOptions{Signal: "TERM", Timeout: 300 * time.Millisecond}
			dir, _ := placed(t, name, "till", s)
			if passed, failed, output := verdict(t, name, dir); len(passed) != 5 || len(failed) != 0 {
				t.Fatalf("got %q and the failures %q:\n%s", passed, failed, output)
			}
			last := time.Now()
			time.Sleep(500 * time.Millisecond)
			if beat, err := os.Stat(filepath.Join(dir, "beat")); err != nil || beat.ModTime().After(last) {
				t.Errorf("a process of the service runs after the tests, or never ran: %v", err)
			}
		})
	}
}

// If no HTTP server can play the hosts of a test, the file leaves out the test, but has a comment with its name and
// the reason. If a host that the service calls at its start cannot be played, all tests are left out.
func TestUnplayedTestsAreNamed(t *testing.T) {
	stub := func(p model.Protocol, a model.Answer) model.Stub {
		return model.Stub{Host: "upstream.example:80", Protocol: p, Answers: []model.Answer{a}}
	}
	grpc := model.Answer{Header: model.NewHeaderField("content-type", "application/grpc+proto")}
	for why, s := range map[string]model.Stub{
		"only Go tests play TCP":      stub(model.TCP, model.Answer{Body: "x"}),
		"only Go tests play REDIS":    stub(model.Redis, model.Answer{Body: "1"}),
		"only Go tests play gRPC":     stub(model.HTTP, grpc),
		"only Go tests send trailers": stub(model.HTTP, model.Answer{Trailer: model.NewHeaderField("A", "b")}),
		"only Go tests compare and send bytes outside of bodies": {
			Host: "upstream.example:80", Protocol: model.HTTP, Match: model.StubMatch{Query: map[string]string{"name": "M\xfcller"}},
			Answers: []model.Answer{{Bytes: []byte("\xff")}},
		},
		"is neither in the service's command nor": {Host: "other.example:80", Protocol: model.HTTP, Answers: []model.Answer{{}}},
		`redirects the service to "elsewhere.example", which`: stub(
			model.HTTP, model.Answer{Status: 302, Header: model.NewHeaderField("Location", "https://elsewhere.example/x")},
		),
	} {
		suite := askedSuite()
		suite.Tests = suite.Tests[:2]
		suite.Tests[1].Stubs = []model.Stub{s}
		for _, name := range playing {
			_, made := written(t, name, suite)
			if len(made.Omitted) != 1 || !strings.Contains(made.Omitted[0].Why, why) || made.Omitted[0].Name != made.Names["TestAskpath"] ||
				!strings.Contains(string(made.Text), "Left out: "+made.Omitted[0].Name+", because ") {
				t.Errorf("%s: left out %+v, want the reason %q", name, made.Omitted, why)
			}
		}
		suite.Net = (&model.VirtualNetwork{}).WithStartupStubs([]model.Stub{s})
		f, err := format.Named("pytest")
		if err != nil {
			t.Fatal(err)
		}
		made, err := f.Generate(suite)
		if err == nil || len(made.Omitted) != 2 || !strings.Contains(made.Omitted[0].Why, "the service calls it at its start") {
			t.Errorf("got %v, left out %+v, want all tests to be left out", err, made.Omitted)
		}
	}
}

// The server of Java answers requests itself if their targets are not valid. Tests with such requests are left out.
func TestTargetsOfJavaHosts(t *testing.T) {
	suite := askedSuite()
	suite.Tests = suite.Tests[:2]
	for path, plays := range map[string]bool{
		"/a/{id}/%7b;b=(c),d?e[f]={|}": true, "a": true,
		"/a|b": false, "/a^": false, "/[a]": false, "/%zz": false, "//a": false, "/ö": false,
	} {
		suite.Tests[1].Stubs[0].Match.Path = path
		_, made := written(t, "junit5", suite)
		if plays != (len(made.Omitted) == 0) || !plays && !strings.Contains(made.Omitted[0].Why, "only requests for valid URIs") {
			t.Errorf("%q: left out %+v", path, made.Omitted)
		}
	}
}

// settingsOf has, by format, patterns for those parts of a helpers file that depend on the suite.
var settingsOf = map[string][]string{
	"pytest": {`(?s)\ndef reset\(\):.*?\n\n`, `(?s)\n# SERVERS are.*`},
	"node":   {`(?s)\nasync function reset\(\) \{.*?\n\}\n`, `(?s)\n// servers are.*?\};\n`, `(?s)\n// These stubs.*?\n\n`},
	"junit5": {
		`(?s)\n    void reset\(\).*?\n    \}\n`, `(?s)\n    // SERVERS are.*?Program\(.*?\);\n`, `(?s)\n    // These stubs.*?\n    \}\n`,
	},
}

// TestPlayedGolden compares the files of tests, and the settings in the files of helpers, with golden files.
func TestPlayedGolden(t *testing.T) {
	for _, name := range playing {
		s := export.PaidByHTTP()
		s.Net = (&model.VirtualNetwork{}).WithStartupStubs([]model.Stub{{
			Host: "payments.example:80", Protocol: model.HTTP, Match: model.StubMatch{Method: "GET", Path: "/keys"},
			Answers: []model.Answer{{Body: `{"key":"k\"\\\n"}`}}, Repeat: true,
		}})
		s.Service.Env["KEY"], s.Service.Ready.Path, s.Dir = "${KEY}", "health", ".."
		s.Reset = &model.Reset{Command: []string{"make", "reset"}}
		f, err := format.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		made, err := f.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		got := string(made.Text)
		for _, part := range settingsOf[name] {
			got += "\n" + regexp.MustCompile(part).FindString(string(made.Files[1].Text))
		}
		path := filepath.Join("testdata", "played-"+name+".golden")
		if *export.Update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs (look at it, then run with -update): -want +got\n%s", path, diff)
		}
	}
}
