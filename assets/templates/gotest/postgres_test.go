package gotest

import (
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
)

// A client that prepares a statement gets the types of its columns from the stubs, and the preparation does not use
// up an answer. A query without a stub gets an error.
func TestPostgresAnswers(t *testing.T) {
	h := newHosts(t)
	h.postgres("b.example:5432", says(`{"tag":"OTHER"}`))
	h.postgres(
		"a.example:5432", ifJSON(`{"query":"q $1","1":"a"}`), says(`{"columns":[{"name":"x"}],"rows":[["one"]]}`), says(`{"tag":"TWO"}`),
	)
	h.postgres("a.example:5432", ifBegins("r"), says(`{"error":{"code":"23505","message":"it exists"}}`))
	addr, err := h.listenTCP("a.example:5432")
	if err != nil {
		t.Fatal(err)
	}
	exchangePostgres(t, addr, [][2]string{
		{prepared("q $1"), "x\x00"},
		{bound("a"), "one"},
		{bound("a"), "TWO"},
		{postgresMessage("Q", "rest\x00"), "it exists"},
		{postgresMessage("Q", "q $2\x00"), "no stub answers q $2"},
	})
}

func postgresMessage(kind, body string) string {
	return kind + "\x00\x00\x00" + string(rune(len(body)+4)) + body
}

// prepared returns the messages that prepare a query as the statement with the name "s".
func prepared(query string) string {
	return postgresMessage("P", "s\x00"+query+"\x00\x00\x00") + postgresMessage("D", "Ss\x00") + postgresMessage("S", "")
}

// bound returns the messages that execute the statement with the name "s", with a text as its argument.
func bound(argument string) string {
	length := string(rune(len(argument)))
	return postgresMessage("B", "\x00s\x00\x00\x00\x00\x01\x00\x00\x00"+length+argument+"\x00\x00") +
		postgresMessage("E", "\x00\x00\x00\x00\x00") + postgresMessage("S", "")
}

// exchangePostgres logs in, and sends the first text of each pair on one connection, after the answer to the previous
// text. The answer must contain the second text of the pair.
func exchangePostgres(t *testing.T, addr string, texts [][2]string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	start := postgresMessage("", "\x00\x03\x00\x00user\x00me\x00\x00")
	for _, e := range append([][2]string{{start, "server_version"}}, texts...) {
		io.WriteString(c, e[0])
		text, part := "", make([]byte, 1000)
		for !strings.Contains(text, "Z\x00\x00\x00\x05I") {
			n, err := c.Read(part)
			if text += string(part[:n]); err != nil {
				t.Fatalf("%q: got %q, %v", e[0], text, err)
			}
		}
		if !strings.Contains(text, e[1]) {
			t.Errorf("%q: got %q, want %q", e[0], text, e[1])
		}
	}
}

// The oracles compare the arguments of queries. A query that no stub matches gets the answer of the nearest stub for
// the same query text. In a test with all oracles, it gets an error.
func TestPostgresOracles(t *testing.T) {
	const update, list = `{"1":"a","query":"UPDATE p SET n = $1"}`, `{"query":"SELECT n FROM p"}`
	h := newHosts(t)
	begin := func(oracles string) string {
		h.begin(t)
		h.mimics(t, recorded{id: "r1", oracles: oracles, within: 2})
		h.postgres("a.example:5432", ifJSON(update), says(`{"tag":"UPDATE 1"}`))
		h.postgres("a.example:5432", ifJSON(list), says(`{"columns":[{"name":"n"}],"rows":[["one"]]}`))
		addr, err := h.listenTCP("a.example:5432")
		if err != nil {
			t.Fatal(err)
		}
		underTest(t, nil)
		return addr
	}
	exchangePostgres(t, begin("po"), [][2]string{
		{prepared("UPDATE p SET n = $1"), "t\x00"},
		{bound("b"), "UPDATE 1"},
		{postgresMessage("Q", "SELECT n FROM p\x00"), "one"},
	})
	step := hostOperation{"a.example:5432", "postgres UPDATE p SET n = $1"}
	_, differences := nearestCall(currentLog.callsUnderTest(), step, 0, []param{inBody(update)})
	if len(differences) != 1 || differences[0].Name != "/1" {
		t.Errorf("got the differences %v", differences)
	}
	h.wantAsked("a.example:5432", "postgres SELECT n FROM p", inBody(list))
	h.wantCalls(to("a.example:5432", "postgres UPDATE p SET n = $1"), to("a.example:5432", "postgres SELECT n FROM p"))
	exchangePostgres(t, begin("oo po co"), [][2]string{
		{prepared("UPDATE p SET n = $1"), "t\x00"},
		{bound("b"), "no stub answers UPDATE p SET n = $1"},
	})
	var names []string
	for _, d := range currentLog.unmatched {
		names = append(names, d.Name)
	}
	if !reflect.DeepEqual(names, []string{"/1"}) {
		t.Errorf("unmatched: %v", currentLog.unmatched)
	}
	currentLog.unmatched = nil // the test would fail otherwise
}
