package gotest

import (
	"io"
	"net"
	"reflect"
	"strings"
	"testing"

	"sonde/assets/wire/testdata/wiretest"
)

// A host speaks first. It answers queries with values in their text, and prepared statements. A client that prepares
// a statement gets its columns from the stubs, and the preparation does not use up an answer. A query without a stub
// gets an error.
func TestMySQLAnswers(t *testing.T) {
	h := newHosts(t)
	h.mysql("b.example:3306", says(`{"affected":9}`))
	h.mysql(
		"a.example:3306", ifJSON(`{"query":"q WHERE a = ?","1":"a"}`), says(`{"columns":[{"name":"x"}],"rows":[["one"]]}`),
		says(`{"affected":1,"info":"TWO"}`),
	)
	h.mysql("a.example:3306", ifBegins("SELECT 1"), says(`{"error":{"code":1062,"state":"23000","message":"it exists"}}`))
	addr, err := h.listenTCP("a.example:3306")
	if err != nil {
		t.Fatal(err)
	}
	exchangeMySQL(t, addr, [][2]string{
		{wiretest.MySQL(0, "\x16q WHERE a = ?"), "x\x00"},
		{mysqlBound("a"), "one"},
		{mysqlBound("a"), "TWO"},
		{wiretest.MySQL(0, "\x03SELECT 1"), "#23000it exists"},
		{wiretest.MySQL(0, "\x03SELECT 'b'"), "no stub answers SELECT ?"},
	})
}

// mysqlBound returns the packet that executes the first statement with a text as its argument.
func mysqlBound(argument string) string {
	return wiretest.MySQL(0, "\x17\x01\x00\x00\x00\x00\x01\x00\x00\x00\x00\x01\xfd\x00"+wiretest.MySQLValue(argument))
}

// exchangeMySQL logs in, and sends the first text of each pair on one connection, after the answer to the previous
// text. The answer must contain the second text of the pair.
func exchangeMySQL(t *testing.T, addr string, texts [][2]string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	logIn := wiretest.MySQL(1, "\x00\x82\x08\x00"+strings.Repeat("\x00", 28)+"me\x00\x00native\x00")
	for _, e := range append([][2]string{{"", "mysql_native_password"}, {logIn, "\x02\x00\x00\x00\x02\x00\x00\x00"}}, texts...) {
		io.WriteString(c, e[0])
		part := make([]byte, 1000)
		n, err := c.Read(part)
		if text := string(part[:n]); err != nil || !strings.Contains(text, e[1]) {
			t.Errorf("%q: got %q, %v, want %q", e[0], text, err, e[1])
		}
	}
}

// The oracles compare the arguments of queries. A query that no stub matches gets the answer of the nearest stub for
// the same query text.
func TestMySQLOracles(t *testing.T) {
	const update = `{"1":"a","query":"UPDATE p SET n = ?"}`
	h := newHosts(t)
	h.begin(t)
	h.mimics(t, recorded{id: "r1", oracles: "po", within: 2})
	h.mysql("a.example:3306", ifJSON(update), says(`{"affected":1,"info":"changed"}`))
	addr, err := h.listenTCP("a.example:3306")
	if err != nil {
		t.Fatal(err)
	}
	underTest(t, nil)
	exchangeMySQL(t, addr, [][2]string{{wiretest.MySQL(0, "\x03UPDATE p SET n = 'b'"), "changed"}})
	step := hostOperation{"a.example:3306", "mysql UPDATE p SET n = ?"}
	_, differences := nearestCall(currentLog.callsUnderTest(), step, 0, []param{inBody(update)})
	var names []string
	for _, d := range differences {
		names = append(names, d.Name)
	}
	if !reflect.DeepEqual(names, []string{"/1"}) {
		t.Errorf("got the differences %v", differences)
	}
	h.wantCalls(to("a.example:3306", "mysql UPDATE p SET n = ?"))
}
