package sut

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/redact"
)

func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	j, err := openLog(path, &redact.Matcher{}, false)
	if err != nil {
		t.Fatal(err)
	}
	j.limit = 1000
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "line %d\r\n", i)
	}
	j.drain(strings.NewReader(text.String() + "the end"))
	j.close()
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path + ".1")
	if err != nil {
		t.Fatal(err)
	}
	if len(now) > 1000 || len(before) > 1000 || !strings.HasSuffix(string(now), "line 499\nthe end\n") ||
		!strings.HasPrefix(string(now), "sonde: the lines before are in log.1") {
		t.Errorf("%d and %d bytes: %q", len(now), len(before), now)
	}
	if _, after, _ := strings.Cut(string(now), "\n"); !strings.HasSuffix(string(before), lineBefore(t, after)) {
		t.Errorf("between %q and %q something is missing", before[max(0, len(before)-20):], after[:20])
	}
	if got := j.last(2); len(got) != 2 || got[0] != "line 499" || got[1] != "the end" || len(j.tail) > maxTail {
		t.Errorf("last lines %q of %d", got, len(j.tail))
	}
}

// lineBefore returns the line that precedes text in a log of numbered lines: "line 6\n" if text begins with "line 7".
func lineBefore(t *testing.T, text string) string {
	t.Helper()
	var n int
	if _, err := fmt.Sscanf(text, "line %d", &n); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("line %d\n", n-1)
}

// A line without an end is split. No byte of it is lost.
func TestLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	j, err := openLog(path, &redact.Matcher{}, false)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 3*maxLine+7)
	j.drain(strings.NewReader(long))
	j.close()
	text, err := os.ReadFile(path)
	if err != nil || strings.ReplaceAll(string(text), "\n", "") != long {
		t.Errorf("%d bytes of %d, %v", len(text), len(long), err)
	}
	for line := range strings.Lines(string(text)) {
		if len(line) > maxLine+1 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "\n\n  \n", ""},
		{"the last line", "a\nb\n\n", "b"},
		{"a panic of Go", "start\npanic: no\nluck\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: no"},
		{"a panic after others", "panic: old\ngoroutine 1\nlater\npanic: new\n\ngoroutine 1\n", "panic: new"},
		{
			"a fatal error of Go", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1\n",
			"fatal error: all goroutines are asleep - deadlock!",
		},
		{
			"an exception of Java", "Exception in thread \"main\" java.lang.Error: x\n\tat A.main(A.java)\n",
			"Exception in thread \"main\" java.lang.Error: x",
		},
		{"a traceback of Python", "Traceback (most recent call last):\n  File \"x\"\nValueError: x\n", "ValueError: x"},
		{"what a terminal would obey", "\x1b]0;pwned\x07\xff\u009bx\n", "]0;pwned x"},
		{"a secret", "key hunter22 here\n", "key *** here"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &serviceLog{mask: redact.Compile([]redact.Secret{redact.NewSecret("hunter22")})}
			j.drain(strings.NewReader(c.text))
			if got := j.failureLine(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestUnwritableLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openLog(filepath.Join(file, "log"), &redact.Matcher{}, false); err == nil ||
		!strings.Contains(err.Error(), "cannot keep the service's log") {
		t.Errorf("error %v", err)
	}
}

// The log of a resumed run keeps its lines, up to the limit.
func TestLogOfResumedRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for i, appends := range []bool{false, false, true, true} {
		j, err := openLog(path, &redact.Matcher{}, appends)
		if err != nil {
			t.Fatal(err)
		}
		j.add(fmt.Sprint("part ", i))
		j.close()
	}
	got, err := os.ReadFile(path)
	if want := "part 1\npart 2\npart 3\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	j, err := openLog(path, &redact.Matcher{}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	j.limit = len(got)
	j.add("part 4")
	if now, _ := os.ReadFile(path); !strings.Contains(string(now), "log.1") {
		t.Errorf("it grows beyond its limit: %q", now)
	}
}

// The test binary is a service that gives a token to each log-in and prints the authorization of other
// requests. Its log has no token.
func TestIssuedSecretsAreMasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.log")
	user := model.User{Name: "ann", Login: &model.Login{
		Method: "POST",
		Path:   "/login",
		Token:  &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "Authorization", Template: "Bearer {token}"},
	}}
	s := open(t, model.Plan{Service: &model.Service{
		Command: []string{os.Args[0]},
		Env:     map[string]string{issuer: "1"},
		Log:     path,
		Ready:   model.ReadinessCheck{Timeout: far},
	}}, Options{Client: client.Options{Users: []model.User{user}}})
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	x := s.Client().SendAs(context.Background(), "ann", model.Request{Method: "GET", URL: "/orders"})
	if x.Err != nil || x.Reply.Status != http.StatusOK {
		t.Fatalf("%d, %v", x.Reply.Status, x.Err)
	}
	var text []byte
	until(t, "the line of the request", func() bool {
		text, _ = os.ReadFile(path)
		return bytes.Contains(text, []byte("authorized by"))
	})
	if !bytes.Contains(text, []byte("authorized by Bearer ***\n")) {
		t.Errorf("%s", text)
	}
}
