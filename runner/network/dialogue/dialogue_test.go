package dialogue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/dialogue"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		data string
		want model.Protocol
		more bool
	}{
		{"", "", true},
		{"*", "", true},
		{"*2\r\n$", "", true},
		{"*2\r\n$4\r\n", "", true},
		{"*2\r\n$4\r\nh", model.Redis, false},
		{"*2\r\n$4\r\nPING\r\n", model.Redis, false},
		{"*2\r\n:4\r\n", "", false},
		{"*2 items\r\n", "", false},
		{"PING\r\n", "", false},
		{"GET / HTTP/1.1\r\n", "", false},
		{"\x16\x03\x01", "", false},
		{"\x00\x00", "", true},
		{"\x00\x00\x00\x08\x04", "", true},
		{"\x00\x00\x00\x08\x04\xd2\x16\x2f", model.Postgres, false},
		{"\x00\x00\x00\x08\x04\xd2\x16\x2c", "", false},
		{"\x00\x00\x00\x29\x00\x03\x00\x00user", model.Postgres, false},
		{"\x00\x00\x00\x29\x00\x02\x00\x00", "", false},
		{"\x00\x01\x00\x08\x00\x03\x00\x00", "", false},
	} {
		if p, more := dialogue.Detect([]byte(c.data)); p != c.want || more != c.more {
			t.Errorf("%q: got %q, %t, want %q, %t", c.data, p, more, c.want, c.more)
		}
	}
}

// step is data that the service sends or, if it begins with "<", data that the host sends.
type step = string

// record passes the steps to a Recorder, in parts of at most size bytes. It returns the calls as "cause request
// reply", and all errors joined. The cause of a call is the index of a step.
func record(p model.Protocol, steps []step, size int) (calls []string, last error) {
	r := dialogue.NewRecorder[int](p)
	now := time.Unix(0, 0)
	for i, data := range steps {
		fromHost := strings.HasPrefix(data, "<")
		for data = strings.TrimPrefix(data, "<"); data != ""; {
			part := data[:min(size, len(data))]
			data = data[len(part):]
			var done []dialogue.Call[int]
			var err error
			if fromHost {
				done, err = r.Answered([]byte(part), now)
			} else {
				err = r.Sent([]byte(part), i, now)
			}
			last = errors.Join(last, err)
			for _, call := range done {
				calls = append(calls, fmt.Sprint(call.Cause, " ", call.Request, " ", call.Reply))
			}
		}
	}
	for _, call := range r.Unanswered(now) {
		calls = append(calls, fmt.Sprint(call.Cause, " ", call.Request, " ", call.Reply))
	}
	return calls, last
}

// Requests are paired with their replies, no matter in which parts the data arrives. Messages that set up the
// connection, and messages that the host sends unasked, are left out.
func TestCalls(t *testing.T) {
	steps := []step{
		"*2\r\n$5\r\nhello\r\n$1\r\n3\r\n*1\r\n$4\r\nPING\r\n",
		"<%0\r\n+PONG\r\n",
		"*2\r\n$3\r\nget\r\n$1\r\na\r\n*2\r\n$3\r\nGET\r\n$1\r\nb\r\n",
		"<>1\r\n$4\r\nmove\r\n$1\r\n1\r\n_\r\n",
		"*1\r\n$4\r\nTIME\r\n",
	}
	want := `[0 {"command":"PING"} {"status":"PONG"} 2 {"1":"a","command":"GET"} "1" 2 {"1":"b","command":"GET"} null ` +
		`4 {"command":"TIME"} ]`
	for _, size := range []int{1, 2, 3, 7, 1000} {
		if got, err := record(model.Redis, steps, size); fmt.Sprint(got) != want || err != nil {
			t.Errorf("in parts of %d bytes: got %s, %v, want %s", size, got, err, want)
		}
	}
}

// The recorded request of an EXEC contains the commands after MULTI, and no other commands.
func TestTransactions(t *testing.T) {
	get, multi, exec := "*2\r\n$3\r\nGET\r\n$1\r\na\r\n", "*1\r\n$5\r\nMULTI\r\n", "*1\r\n$4\r\nexec\r\n"
	got, err := record(model.Redis, []step{
		get + multi + get + exec + exec, "<+1\r\n+OK\r\n+QUEUED\r\n*1\r\n+1\r\n-ERR\r\n",
		multi + get + "*1\r\n$7\r\nDISCARD\r\n" + exec, "<+OK\r\n+QUEUED\r\n+OK\r\n-ERR\r\n",
		multi + exec, "<+OK\r\n*0\r\n",
	}, 7)
	got = slices.DeleteFunc(got, func(call string) bool { return !strings.Contains(call, "EXEC") })
	want := []string{
		`0 {"command":"EXEC","queued":[{"1":"a","command":"GET"}]} [{"status":"1"}]`, `0 {"command":"EXEC"} {"error":"ERR"}`,
		`2 {"command":"EXEC"} {"error":"ERR"}`, `4 {"command":"EXEC","queued":[]} []`,
	}
	if !slices.Equal(got, want) || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// After data that cannot be divided into requests, nothing more is recorded. The error is returned only once.
func TestUnreadable(t *testing.T) {
	ping := "*1\r\n$4\r\nPING\r\n"
	for name, steps := range map[string][]step{
		"subscription":    {ping, "<+PONG\r\n", "*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n", ping, "<+PONG\r\n"},
		"inline command":  {ping, "<+PONG\r\n", "PING\r\n", ping, "<+PONG\r\n"},
		"no reply":        {ping, "<+PONG\r\n", ping, "<PONG\r\n", "<+PONG\r\n"},
		"surplus replies": {ping, "<+PONG\r\n", "<+PONG\r\n", ping, "<+PONG\r\n"},
	} {
		got, err := record(model.Redis, steps, 1000)
		if len(got) != 1 || !errors.Is(err, dialogue.ErrUnreadable) || strings.Count(err.Error(), dialogue.ErrUnreadable.Error()) != 1 {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestOutwardCall(t *testing.T) {
	c := dialogue.Call[int]{At: time.Unix(5, 0), Took: time.Second, Request: `{"command":"PING"}`, Reply: `{"status":"PONG"}`}
	o := c.OutwardCall(model.Redis)
	if o.Protocol != model.Redis || len(o.Messages) != 1 || string(o.Messages[0].Request) != c.Request ||
		string(o.Messages[0].Answer) != c.Reply || !o.At.Equal(c.At) || o.Took != c.Took {
		t.Errorf("got %+v", o)
	}
}
