package gotest

import (
	"io"
	"net"
	"reflect"
	"testing"
)

// exchangeRedis sends each text on one connection, after the answer to the previous text. It returns the answers. An
// answer is "error" if there was none.
func exchangeRedis(t *testing.T, addr string, texts ...string) (got []string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	buf := make([]byte, 1000)
	for _, text := range texts {
		io.WriteString(c, text)
		n, err := c.Read(buf)
		if err != nil {
			return append(got, "error")
		}
		got = append(got, string(buf[:n]))
	}
	return got
}

func TestRedisAnswers(t *testing.T) {
	const get, incr = "*2\r\n$3\r\nget\r\n$1\r\na\r\n", "*2\r\n$4\r\nINCR\r\n$1\r\na\r\n"
	for name, tt := range map[string]struct {
		rules []rule
		sent  []string
		want  []string
	}{
		"values": {[]rule{says("7"), says("null")}, []string{get, get}, []string{":7\r\n", "$-1\r\n"}},
		"one":    {[]rule{says("7")}, []string{get, get}, []string{":7\r\n", ":7\r\n"}},
		"arguments": {
			[]rule{ifJSON(`{"command":"INCR","1":"a"}`), says("7")}, []string{incr, get},
			[]string{":7\r\n", "-ERR no stub answers GET a\r\n"},
		},
		"text":       {[]rule{ifSaid("GET a"), says("7")}, []string{get, incr}, []string{":7\r\n", "-ERR no stub answers INCR a\r\n"}},
		"begin":      {[]rule{ifBegins("GET "), ifMatches(" a$"), says("7")}, []string{get}, []string{":7\r\n"}},
		"resets":     {[]rule{resets()}, []string{get}, []string{"error"}},
		"cut":        {[]rule{cutAfter(2, says(`"abc"`))}, []string{get, get}, []string{"$3", "error"}},
		"hangs up":   {[]rule{hangsUp(says("7"))}, []string{get, get}, []string{":7\r\n", "error"}},
		"connection": {[]rule{says("7")}, []string{"*2\r\n$6\r\nSELECT\r\n$1\r\n1\r\n", get}, []string{"+OK\r\n", ":7\r\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHosts(t)
			h.redis("b.example:6379", says("1"))
			h.redis("a.example:6379", tt.rules...)
			addr, err := h.listenTCP("a.example:6379")
			if err != nil {
				t.Fatal(err)
			}
			if got := exchangeRedis(t, addr, tt.sent...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A connection stays open in the next test, and the stubs of that test answer on it.
func TestDatabaseConnectionLivesOn(t *testing.T) {
	h := newHosts(t)
	h.redis("a.example:6379", says("1"))
	addr, err := h.listenTCP("a.example:6379")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, want := range []string{":1\r\n", ":2\r\n"} {
		io.WriteString(c, "*1\r\n$4\r\nTIME\r\n")
		buf := make([]byte, 100)
		if n, err := c.Read(buf); err != nil || string(buf[:n]) != want {
			t.Fatalf("got %q, %v, want %q", buf[:n], err, want)
		}
		h.begin(t)
		h.drain()
		h.redis("a.example:6379", says("2"))
	}
}

// The oracles compare the arguments of commands. A command that no stub matches gets the answer of the nearest stub
// for the same command. In a test with all oracles, it gets an error.
func TestRedisOracles(t *testing.T) {
	const set, get = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n2\r\n", "*2\r\n$3\r\nGET\r\n$1\r\na\r\n"
	h := newHosts(t)
	begin := func(oracles string) string {
		h.begin(t)
		h.mimics(t, recorded{id: "r1", oracles: oracles, within: 2})
		h.redis("a.example:6379", ifJSON(`{"1":"a","2":"1","command":"SET"}`), says(`{"status":"OK"}`))
		h.redis("a.example:6379", ifJSON(`{"1":"a","command":"GET"}`), says(`"1"`))
		addr, err := h.listenTCP("a.example:6379")
		if err != nil {
			t.Fatal(err)
		}
		underTest(t, nil)
		return addr
	}
	if got := exchangeRedis(t, begin("po"), set, get); !reflect.DeepEqual(got, []string{"+OK\r\n", "$1\r\n1\r\n"}) {
		t.Errorf("in a test with one oracle: got %q", got)
	}
	step := hostOperation{"a.example:6379", "redis SET"}
	_, differences := nearestCall(currentLog.callsUnderTest(), step, 0, []param{inBody(`{"1":"a","2":"1","command":"SET"}`)})
	if len(differences) != 1 || differences[0].Name != "/2" {
		t.Errorf("got the differences %v", differences)
	}
	h.wantAsked("a.example:6379", "redis GET", inBody(`{"1":"a","command":"GET"}`))
	h.wantCalls(to("a.example:6379", "redis SET"), to("a.example:6379", "redis GET"))
	if got := exchangeRedis(t, begin("oo po co"), set); !reflect.DeepEqual(got, []string{"-ERR no stub answers SET a 2\r\n"}) {
		t.Errorf("in a test with all oracles: got %q", got)
	}
	if len(currentLog.unmatched) != 1 || currentLog.unmatched[0].Name != "/2" {
		t.Errorf("unmatched: %v", currentLog.unmatched)
	}
	currentLog.unmatched = nil // the test would fail otherwise
}

// A transaction with more commands than the transaction of the nearest stub gets the answer of that stub, even if the
// stub has not answered before.
func TestLongerTransaction(t *testing.T) {
	h := newHosts(t)
	h.mimics(t, recorded{id: "r1", oracles: "co", within: 3})
	h.redis("a.example:6379", ifJSON(`{"command":"EXEC","queued":[{"1":"a","command":"GET"}]}`), says(`["1"]`))
	h.redis("a.example:6379", ifJSON(`{"1":"a","command":"GET"}`), says(`{"status":"QUEUED"}`))
	h.redis("a.example:6379", ifJSON(`{"command":"MULTI"}`), says(`{"status":"OK"}`))
	addr, err := h.listenTCP("a.example:6379")
	if err != nil {
		t.Fatal(err)
	}
	underTest(t, nil)
	const get = "*2\r\n$3\r\nGET\r\n$1\r\na\r\n"
	got := exchangeRedis(t, addr, "*1\r\n$5\r\nMULTI\r\n", get, get, "*1\r\n$4\r\nEXEC\r\n")
	if want := []string{"+OK\r\n", "+QUEUED\r\n", "+QUEUED\r\n", "*1\r\n$1\r\n1\r\n"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
