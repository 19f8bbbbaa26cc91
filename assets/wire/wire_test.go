package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"sonde/assets/wire"
)

// A reply is read in the notation of ReadRedisReply, and written by a session in both versions of the protocol.
func TestRedisReplies(t *testing.T) {
	for _, c := range []struct{ data, text, resp2 string }{
		{"+OK\r\n", `{"status":"OK"}`, "+OK\r\n"},
		{"-ERR no <such> key\r\n", `{"error":"ERR no <such> key"}`, "-ERR no <such> key\r\n"},
		{":-17\r\n", `-17`, ":-17\r\n"},
		{"$5\r\na\r\nbc\r\n", `"a\r\nbc"`, "$5\r\na\r\nbc\r\n"},
		{"$0\r\n\r\n", `""`, "$0\r\n\r\n"},
		{"$2\r\n\xff\x00\r\n", `{"hex":"ff00"}`, "$2\r\n\xff\x00\r\n"},
		{"_\r\n", `null`, "$-1\r\n"},
		{"#t\r\n", `true`, ":1\r\n"},
		{"#f\r\n", `false`, ":0\r\n"},
		{",1.5\r\n", `{"double":"1.5"}`, "$3\r\n1.5\r\n"},
		{"(12345678901234567890\r\n", `{"big":"12345678901234567890"}`, "$20\r\n12345678901234567890\r\n"},
		{"=7\r\ntxt:abc\r\n", `{"verbatim":"txt:abc"}`, "$3\r\nabc\r\n"},
		{"*2\r\n:1\r\n*0\r\n", `[1,[]]`, "*2\r\n:1\r\n*0\r\n"},
		{"%1\r\n$1\r\na\r\n:1\r\n", `{"map":["a",1]}`, "*2\r\n$1\r\na\r\n:1\r\n"},
		{"~1\r\n:1\r\n", `{"set":[1]}`, "*1\r\n:1\r\n"},
		{">1\r\n:1\r\n", `{"push":[1]}`, "*1\r\n:1\r\n"},
	} {
		got, err := wire.ReadRedisReply(bufio.NewReader(strings.NewReader(c.data)))
		if got != c.text || err != nil {
			t.Errorf("%q: got %s, %v, want %s", c.data, got, err, c.text)
		}
		if got := string(session(t, "2").Reply(c.text)); got != c.resp2 {
			t.Errorf("%s in version 2: got %q, want %q", c.text, got, c.resp2)
		}
		if got := string(session(t, "3").Reply(c.text)); got != c.data {
			t.Errorf("%s in version 3: got %q, want %q", c.text, got, c.data)
		}
	}
}

// session returns the session of a client that has asked for a version of the protocol.
func session(t *testing.T, version string) *wire.RedisSession {
	t.Helper()
	s := wire.NewRedisSession(strings.NewReader("*2\r\n$5\r\nhello\r\n$1\r\n" + version + "\r\n"))
	_, reply, err := s.Next()
	start := map[string]string{"2": "*14", "3": "%7"}[version]
	if err != nil || !strings.HasPrefix(string(reply), start+"\r\n$6\r\nserver") {
		t.Fatalf("HELLO %s: got %q, %v", version, reply, err)
	}
	return s
}

// ReadRedisReply also reads other forms of replies, such as null in version 2 of the protocol. It skips attributes.
func TestOtherRedisReplies(t *testing.T) {
	for data, want := range map[string]string{
		"$-1\r\n": "null", "*-1\r\n": "null", ":+5\r\n": "5", "!3\r\nERR\r\n": `{"error":"ERR"}`,
		"|1\r\n+a\r\n+b\r\n:1\r\n": "1",
	} {
		if got, err := wire.ReadRedisReply(bufio.NewReader(strings.NewReader(data))); got != want || err != nil {
			t.Errorf("%q: got %s, %v, want %s", data, got, err, want)
		}
	}
}

// If a stub's answer is not a reply of Redis, the client gets an error that says so.
func TestBadRedisReply(t *testing.T) {
	for _, text := range []string{
		"", "OK", "1.5", `{"status":1}`, `{"hex":"x"}`, `{"map":[1]}`, `{"a":"b"}`, `{}`, `{"status":"OK","hex":""}`,
	} {
		got := string(wire.NewRedisSession(strings.NewReader("")).Reply(text))
		if !strings.HasPrefix(got, "-ERR the stub's answer is not a reply of Redis: ") || strings.Count(got, "\r\n") != 1 {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

// A session answers the commands that set up the connection, and returns the other commands as requests.
func TestRedisCommands(t *testing.T) {
	in := "*1\r\n$4\r\nauth\r\n" + "*2\r\n$6\r\nCLIENT\r\n$2\r\nID\r\n" + "*3\r\n$6\r\nclient\r\n$8\r\ntracking\r\n$2\r\non\r\n" +
		"*2\r\n$5\r\nHELLO\r\n$1\r\n9\r\n" + "*4\r\n$3\r\nset\r\n$6\r\ncart 1\r\n$0\r\n\r\n$1\r\n\xff\r\n" + "*1\r\n$4\r\nPING\r\n"
	s := wire.NewRedisSession(strings.NewReader(in))
	for _, want := range []string{"+OK\r\n", ":1\r\n", "-ERR unknown subcommand\r\n", "-NOPROTO unsupported protocol version\r\n"} {
		if _, reply, err := s.Next(); string(reply) != want || err != nil {
			t.Errorf("got %q, %v, want %q", reply, err, want)
		}
	}
	r, reply, err := s.Next()
	want := wire.DatabaseRequest{Command: "SET", Text: `SET "cart 1" "" "\xff"`, JSON: `{"1":"cart 1","2":"","3":"\\xff","command":"SET"}`}
	if r != want || reply != nil || err != nil {
		t.Errorf("got %+v, %q, %v", r, reply, err)
	}
	if got := string(s.Refuse(r)); got != "-ERR no stub answers "+want.Text+"\r\n" {
		t.Errorf("without a stub: got %q", got)
	}
	if r, _, _ = s.Next(); r.Text != "PING" || string(s.Refuse(r)) != "+PONG\r\n" {
		t.Errorf("PING: got %+v, %q", r, s.Refuse(r))
	}
	if _, _, err = s.Next(); err != io.EOF {
		t.Errorf("at the end: got %v", err)
	}
}

// Data that is not in the protocol, or that exceeds a bound, is an error.
func TestBadRedis(t *testing.T) {
	for _, data := range []string{
		"\r\n", "x\n", "*1\r\n", "*0\r\n", "*1\r\n:1\r\n", "*1\r\n$3\r\nGET", "*1\r\n$3\r\nGETxx", "*1\r\n$0\r\n\r\n", "*-1\r\n",
		"*1\r\n$99999999999\r\n", "*99999999\r\n", "PING\r\n",
	} {
		if words, err := wire.ReadRedisCommand(bufio.NewReader(strings.NewReader(data))); err == nil {
			t.Errorf("command %q: got %q", data, words)
		}
	}
	for _, data := range []string{
		"?\r\n", ":x\r\n", "$x\r\n", "*99999999\r\n", "*2\r\n:1\r\n", strings.Repeat("*1\r\n", 100),
		"+" + strings.Repeat("x", 9<<20) + "\r\n",
	} {
		if reply, err := wire.ReadRedisReply(bufio.NewReader(strings.NewReader(data))); err == nil {
			t.Errorf("reply %.30q: got %.30q", data, reply)
		}
	}
}

// A reply that was read can be written, and reading it again returns the same text.
func FuzzRedisReply(f *testing.F) {
	f.Add("%1\r\n$1\r\na\r\n~2\r\n,1.5\r\n=5\r\ntxt:a\r\n")
	f.Add("*2\r\n$-1\r\n#t\r\n")
	f.Fuzz(func(t *testing.T, data string) {
		text, err := wire.ReadRedisReply(bufio.NewReader(strings.NewReader(data)))
		if err != nil {
			return
		}
		written := session(t, "3").Reply(text)
		again, err := wire.ReadRedisReply(bufio.NewReader(strings.NewReader(string(written))))
		if again != text || err != nil {
			t.Errorf("%q is read as %s, written as %q, and then read as %s, %v", data, text, written, again, err)
		}
	})
}

// A transaction needs no stubs for the commands that begin and end it: the replies to its commands come with EXEC.
func TestRedisTransactionWithoutStubs(t *testing.T) {
	var data strings.Builder
	for _, words := range [][]string{
		{"MULTI"},
		{"GET", "a"},
		{"INCR", "b"},
		{"EXEC"},
		{"GET", "c"},
		{"MULTI"},
		{"DISCARD"},
		{"GET", "d"},
		{"MULTI"},
		{"RESET"},
		{"GET", "c"},
	} {
		fmt.Fprintf(&data, "*%d\r\n", len(words))
		for _, word := range words {
			fmt.Fprintf(&data, "$%d\r\n%s\r\n", len(word), word)
		}
	}
	s := wire.NewRedisSession(strings.NewReader(data.String()))
	replies := map[string]string{"GET a": `"x"`, "GET c": `"y"`, "GET d": `"z"`}
	var got strings.Builder
	for {
		r, own, err := s.Next()
		if err != nil {
			break
		}
		if own != nil {
			got.Write(own)
			continue
		}
		if text := replies[r.Text]; text != "" {
			got.Write(s.Reply(text))
		} else {
			got.Write(s.Refuse(r))
		}
	}
	want := "+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n$1\r\nx\r\n-ERR no stub answers INCR b\r\n$1\r\ny\r\n+OK\r\n+OK\r\n$1\r\nz\r\n" +
		"+OK\r\n+RESET\r\n$1\r\ny\r\n"
	if got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}
