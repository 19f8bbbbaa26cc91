//go:build unix

package netsim_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"sonde/assets/wire/testdata/wiretest"
	"sonde/model"
	"sonde/runner/network/netsim"
)

func redisStub(json string, answers ...model.Answer) model.Stub {
	return model.Stub{Host: "cache.example:6379", Protocol: model.Redis, Match: model.StubMatch{JSON: json}, Answers: answers}
}

// command returns the bytes of a command of Redis.
func command(words ...string) string {
	text := fmt.Sprintf("*%d\r\n", len(words))
	for _, word := range words {
		text += fmt.Sprintf("$%d\r\n%s\r\n", len(word), word)
	}
	return text
}

// exchange sends data, and returns the lines of the answer, or the error.
func exchange(c net.Conn, r *bufio.Reader, data string, lines int) string {
	_, err := io.WriteString(c, data)
	text := ""
	for range lines {
		var line string
		line, err = r.ReadString('\n')
		text += line
	}
	if err != nil {
		text += "error"
	}
	return text
}

// One connection serves several tests, and the stubs of each test answer its commands. Messages that set up the
// connection need no stub, and a command without a stub gets an error.
func TestDatabase(t *testing.T) {
	n, s := start(t, netsim.Options{})
	play(
		t, n, redisStub(`{"command":"GET","1":"a"}`, model.Answer{Body: `"1"`}, model.Answer{Body: `null`}),
		model.Stub{
			Host: "cache.example:6379", Protocol: model.Redis, Match: model.StubMatch{Regexp: "^INCR "},
			Answers: []model.Answer{{Body: "7"}},
		},
	)
	c, err := s.dial("tcp", "cache.example:6379")
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(c)
	for _, e := range []struct{ sent, want string }{
		{command("SELECT", "1"), "+OK\r\n"},
		{command("get", "a") + command("GET", "a"), "$1\r\n1\r\n$-1\r\n"},
		{command("INCR", "n"), ":7\r\n"},
		{command("GET", "b"), "-ERR no stub answers GET b\r\n"},
	} {
		if got := exchange(c, r, e.sent, strings.Count(e.want, "\n")); got != e.want {
			t.Errorf("%q: got %q, want %q", e.sent, got, e.want)
		}
	}
	n.EndCall()
	want := `dial tcp cache.example:6379: connected
message redis cache.example:6379 "GET a" by 0.0: answer
message redis cache.example:6379 "GET a" by 0.1: answer
message redis cache.example:6379 "INCR n" by 1.0: answer
message redis cache.example:6379 "GET b": nothing
`
	if got := contactText(n.EndTest()); !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	play(t, n, redisStub("", model.Answer{Body: `"2"`}, model.Answer{Fault: model.NetCut, After: 3, Body: `"third"`}))
	if got, want := exchange(c, r, command("GET", "b"), 2), "$1\r\n2\r\n"; got != want {
		t.Errorf("in the next test: got %q, want %q", got, want)
	}
	if got, want := exchange(c, r, command("GET", "b"), 2), "$5\rerror"; got != want {
		t.Errorf("cut: got %q, want %q", got, want)
	}
	n.EndCall()
	n.EndTest()
}

// A client that prepares a statement gets the types of its columns from the stubs. The preparation does not use up an
// answer.
func TestPostgresPlayer(t *testing.T) {
	n, s := start(t, netsim.Options{})
	stub := func(match, answer string) model.Stub {
		return model.Stub{
			Host: "store.example:5432", Protocol: model.Postgres, Match: model.StubMatch{JSON: match},
			Answers: []model.Answer{{Body: answer}},
		}
	}
	play(
		t, n, stub(`{"query":"q $1","1":"a"}`, `{"columns":[{"name":"x"}],"rows":[["one"]]}`),
		stub(`{"query":"q $1","1":"b"}`, `{"columns":[{"name":"x"}],"rows":[["two"]]}`), stub(`{"query":"r"}`, `{"tag":"DONE"}`),
	)
	c, err := s.dial("tcp", "store.example:5432")
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(c)
	message := func(kind, body string) string { return kind + "\x00\x00\x00" + string(rune(len(body)+4)) + body }
	bound := func(value string) string {
		return message("B", "\x00s\x00\x00\x00\x00\x01\x00\x00\x00\x01"+value+"\x00\x00") +
			message("E", "\x00\x00\x00\x00\x00")
	}
	for _, e := range []struct{ sent, want string }{
		{message("", "\x00\x03\x00\x00user\x00me\x00\x00"), ""},
		{message("Q", "r\x00"), "DONE"},
		{message("P", "s\x00q $1\x00\x00\x00") + message("D", "Ss\x00") + bound("b") + message("S", ""), "two"},
		{bound("a") + message("S", ""), "one"},
		{bound("c") + message("S", ""), "no stub answers q $1"},
	} {
		if _, err := io.WriteString(c, e.sent); err != nil {
			t.Fatal(err)
		}
		text := ""
		for !strings.Contains(text, "Z\x00\x00\x00\x05I") {
			part := make([]byte, 1000)
			n, err := r.Read(part)
			if text += string(part[:n]); err != nil {
				t.Fatalf("%q: got %q, %v", e.sent, text, err)
			}
		}
		if !strings.Contains(text, e.want) {
			t.Errorf("%q: got %q, want %q", e.sent, text, e.want)
		}
	}
	n.EndCall()
	n.EndTest()
}

// A host with MySQL speaks first, and one connection serves several tests.
func TestMySQLPlayer(t *testing.T) {
	n, s := start(t, netsim.Options{})
	stub := func(match, answer string) model.Stub {
		return model.Stub{
			Host: "store.example:3306", Protocol: model.MySQL, Match: model.StubMatch{JSON: match},
			Answers: []model.Answer{{Body: answer}},
		}
	}
	play(t, n, stub(`{"query":"UPDATE t SET a = ?","1":"it's"}`, `{"affected":1,"info":"done"}`))
	c, err := s.dial("tcp", "store.example:3306")
	if err != nil {
		t.Fatal(err)
	}
	say := func(sent, want string) {
		t.Helper()
		if _, err := io.WriteString(c, sent); err != nil {
			t.Fatal(err)
		}
		part := make([]byte, 1000)
		if n, err := c.Read(part); err != nil || !strings.Contains(string(part[:n]), want) {
			t.Errorf("%q: got %q, %v, want %q", sent, part[:n], err, want)
		}
	}
	say("", "mysql_native_password")
	say(wiretest.MySQL(1, "\x00\x82\x08\x00"+strings.Repeat("\x00", 28)+"me\x00\x00native\x00"), "\x02\x00\x00\x00\x02\x00\x00\x00")
	say(wiretest.MySQL(0, "\x03UPDATE t SET a = 'it''s'"), "done")
	say(wiretest.MySQL(0, "\x03UPDATE t SET a = 'other'"), "no stub answers UPDATE t SET a = ?")
	n.EndCall()
	n.EndTest()
	play(t, n, stub(`{"query":"q"}`, `{"error":{"code":1062,"state":"23000","message":"it exists"}}`))
	say(wiretest.MySQL(0, "\x03q"), "#23000it exists")
	n.EndCall()
	n.EndTest()
}

// A connection is not kept for the next test if the first answer of that test breaks the connection. With a fault of
// dials, such as NetRefuse, the dial fails.
func TestDatabaseFaults(t *testing.T) {
	n, s := start(t, netsim.Options{})
	for _, f := range []model.NetFault{model.NetReset, model.NetRefuse} {
		play(t, n, redisStub("", model.Answer{Fault: f}))
		c, err := s.dial("tcp", "cache.example:6379")
		if (err != nil) != (f == model.NetRefuse) {
			t.Fatalf("%s: dial: %v", f, err)
		}
		if err == nil {
			if got := exchange(c, bufio.NewReader(c), command("PING"), 1); got != "error" {
				t.Errorf("%s: got %q", f, got)
			}
			c.Close()
		}
		n.EndCall()
		n.EndTest()
	}
}

// startRedis starts a host that answers each command of one word, and resets the connection instead of a reply to "BREAK".
func startRedis(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go func() {
				defer c.Close()
				for r := bufio.NewReader(c); ; {
					var line string
					for range 3 {
						if line, err = r.ReadString('\n'); err != nil {
							return
						}
					}
					if strings.TrimSpace(line) == "BREAK" {
						c.(*net.TCPConn).SetLinger(0)
						return
					}
					fmt.Fprintf(c, "+re: %s", line)
				}
			}()
		}
	}()
	return l.Addr().String()
}

// The recorder delivers each command with its reply and the request that caused it, even if several requests use one
// connection.
func TestRecordDatabase(t *testing.T) {
	r := record(t, netsim.RelayOptions{Locations: map[string]string{"feed.example:7000": "tcp://" + startRedis(t)}}, nil)
	all := []string{"TIME", "DBSIZE", "BREAK"}
	for i, word := range all {
		r.ask(id(i+1), "/shared?key="+url.QueryEscape(strings.TrimSuffix(command(word), "\n")))
	}
	for i, o := range r.outwardCalls(len(all)) {
		breaks, reply := all[i] == "BREAK", `{"status":"re: `+all[i]+`"}`
		if breaks {
			reply = ""
		}
		if o.Host != "feed.example:7000" || o.Protocol != model.Redis || o.CauseID != id(i+1) || (o.Err != nil) != breaks ||
			len(o.Messages) != 1 || words(o) != `{"command":"`+all[i]+`"}` || string(o.Messages[0].Answer) != reply {
			t.Errorf("%s: got %+v", all[i], o)
		}
	}
}
