package gotest

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// descriptions returns the text of each difference.
func descriptions(all []difference) []string {
	texts := []string{}
	for _, d := range all {
		texts = append(texts, d.What)
	}
	return texts
}

func TestBodiesAreCompared(t *testing.T) {
	for name, tt := range map[string]struct {
		want, got string
		but       []exception
		differ    []string
	}{
		"order and spelling": {`{"a":1.0,"b":[{"c":null}]}`, `{"b":[{"c":null}],"a":1}`, nil, nil},
		"values": {
			`{"a":1,"b":"x","c":null}`, `{"a":2,"b":1,"c":{}}`, nil,
			[]string{"body /a: want 1, got 2", `body /b: want "x", got 1`, "body /c: want null, got {}"},
		},
		"members": {
			`{"a":1,"b/~":2}`, `{"a":1,"c":null}`, nil,
			[]string{"body /b~1~0: want 2, got nothing", "body /c: want nothing, got null"},
		},
		"items": {`[1,2,3]`, `[1,3]`, nil, []string{"body /1: want 2, got 3", "body /2: want 3, got nothing"}},
		"kinds": {`[]`, `{"0":1}`, nil, []string{`body: want [], got {"0":1}`}},
		"exceptions": {
			`{"a":1,"b":[1,2]}`, `{"a":7,"b":[1,"x"]}`,
			[]exception{but("/a", present()), but("/b/1", ofType("string"))}, nil,
		},
		"broken exceptions": {
			`{"a":1,"b":2}`, `{"a":"x"}`, []exception{but("/a", ofType("integer")), but("/b", present())},
			[]string{`body /a: want of type integer, got "x"`, "body /b: want anything, got nothing"},
		},
		"no JSON": {`{"a":1}`, `{"a":1} and more`, nil, []string{`body: want {"a":1}, got "{\"a\":1} and more"`}},
		"unsafe":  {`{}`, "{\"\u202e\\u001b[2J\":1}", nil, []string{`body / [2J: want nothing, got 1`}},
	} {
		got := descriptions(compareBody([]byte(tt.got), tt.want, tt.but))
		if strings.Join(got, "\n") != strings.Join(tt.differ, "\n") && name != "unsafe" ||
			len(got) != len(tt.differ) || strings.ContainsAny(strings.Join(got, ""), "\x1b\u202e") {
			t.Errorf("%s: got %q, want %q", name, got, tt.differ)
		}
	}
}

func TestTextsAreCompared(t *testing.T) {
	for _, tt := range [][3]string{
		{"a till\n", "a till\n", ""},
		{"abcdef", "abcxef", `body: want "def", got "xef" after 3 equal bytes`},
		{"a", "", `body: want "a", got ""`},
		{"\xff\x00", "\xff\x00", ""},
		{"\ufffd\x00", "\xff\x00", ""}, // recorded as a text
		{"x", `"x"`, ""},               // a text in JSON
	} {
		if got := strings.Join(descriptions(compareText([]byte(tt[1]), tt[0])), "\n"); got != tt[2] {
			t.Errorf("%q and %q: got %s, want %s", tt[0], tt[1], got, tt[2])
		}
	}
}

func TestMatchers(t *testing.T) {
	currentTest = &recordedTest{calledAt: time.Now()}
	now := time.Now()
	number := func(text string) any { v, _ := decode(text); return v }
	for name, tt := range map[string]struct {
		m       matcher
		yes, no []any
	}{
		"exactly":  {exactly("a"), []any{"a"}, []any{"A", number("1")}},
		"equals":   {equals(`17`), []any{number("17.0")}, []any{"17", nil}},
		"is":       {is(value{number("17")}), []any{number("17"), "17"}, []any{"018"}},
		"ends":     {endsIn(value{"a b"}), []any{"/x/a%20b", "http://h/a%20b/?q=1"}, []any{"/a%20b/x", "/xa%20b"}},
		"present":  {present(), []any{nil, ""}, nil},
		"integer":  {ofType("integer"), []any{number("1e3"), number("-7")}, []any{number("1.5"), "1"}},
		"number":   {ofType("number"), []any{number("1"), number("1.5")}, []any{"1"}},
		"types":    {ofType("array"), []any{[]any{}}, []any{map[string]any{}, true, nil}},
		"spells":   {spells("integer"), []any{"17"}, []any{"x", ""}},
		"text":     {spells("string"), []any{"17", "x"}, nil},
		"matching": {matching(`a|b\d+`), []any{"a", "b17"}, []any{"ab", "b", "xa"}},
		"near":     {near(17, 0.5), []any{number("17.5"), "16.6"}, []any{number("18"), "x"}},
		"now": {nearNow(2 * time.Second), []any{
			now.Format(time.RFC3339), now.UTC().Format(http.TimeFormat), number(encode(now.Unix())),
			number(encode(now.UnixNano() / 1e6)),
		},
			[]any{now.Add(time.Minute).Format(time.RFC3339), "soon", number("17")}},
	} {
		for _, v := range tt.yes {
			if !tt.m.fits(v) {
				t.Errorf("%s: %v does not fit", name, v)
			}
		}
		for _, v := range tt.no {
			if tt.m.fits(v) {
				t.Errorf("%s: %v fits", name, v)
			}
		}
	}
}

// parseOutwardCalls returns outward calls to a.example:80: "POST /a" is a request, "tcp" another protocol, and "-" a
// failed attempt to reach the host.
func parseOutwardCalls(calls ...string) []*outwardCall {
	var all []*outwardCall
	for _, c := range calls {
		a := &outwardCall{protocol: c, host: "a.example:80"}
		if method, path, ok := strings.Cut(c, " "); ok {
			a.protocol, a.request = "http", httptest.NewRequest(method, path, nil)
		} else if c == "-" {
			a.protocol = "refused"
		}
		all = append(all, a)
	}
	return all
}

func TestSequences(t *testing.T) {
	at := func(op string) steps { return to("a.example:80", op) }
	for name, tt := range map[string]struct {
		want  []steps
		got   []*outwardCall
		first string // the first difference
	}{
		"the same": {[]steps{at("POST /a/{id}"), at("tcp"), at("udp")}, parseOutwardCalls("POST /a/1?x=2", "tcp", "udp"), ""},
		"none":     {nil, nil, ""},
		"one":      {nil, parseOutwardCalls("tcp"), "want nothing, got tcp at a.example:80"},
		"missing":  {[]steps{at("tcp"), at("udp")}, parseOutwardCalls("tcp"), "want udp at a.example:80, got nothing"},
		"swapped": {
			[]steps{at("GET /a"), at("GET /b")}, parseOutwardCalls("GET /b", "GET /a"),
			"want GET /a at a.example:80, got GET /b at a.example:80",
		},
		"any order": {[]steps{anyOrder(at("GET /{x}"), at("GET /b"))}, parseOutwardCalls("GET /b", "GET /a"), ""},
		"not all": {
			[]steps{anyOrder(at("GET /a"), at("GET /b")), at("tcp")}, parseOutwardCalls("GET /b", "tcp", "GET /a"),
			"want GET /a at a.example:80, got tcp at a.example:80",
		},
		"times":  {[]steps{times(3, at("tcp"))}, parseOutwardCalls("tcp", "tcp"), "want tcp at a.example:80, got nothing"},
		"any":    {[]steps{at("http")}, parseOutwardCalls("PUT /x"), ""},
		"failed": {[]steps{at("GET /a")}, parseOutwardCalls("-"), ""},
		"other host": {
			[]steps{to("b.example:80", "tcp")}, parseOutwardCalls("-"),
			"want tcp at b.example:80, got an attempt to reach a.example:80",
		},
	} {
		var want steps
		for _, s := range tt.want {
			want = append(want, s...)
		}
		first := ""
		for _, p := range pairCalls(want, tt.got) {
			if p.differs() && first == "" {
				first = p.String()
			}
		}
		if first != tt.first {
			t.Errorf("%s: got %q, want %q", name, first, tt.first)
		}
	}
}

// newMimicHosts returns hosts that log the requests that they get, for a test with the given oracles.
func newMimicHosts(t *testing.T, oracles string) *hosts {
	h := newHosts(t)
	h.mimics(t, recorded{id: "r1", oracles: oracles})
	return h
}

// Parameters are found in each part of a request. If there are several calls of an operation, the call that differs
// least is compared.
func TestParametersAreFound(t *testing.T) {
	h := newMimicHosts(t, "po")
	h.http("a.example:80", "", replies(200, ""))
	underTest(t, nil)
	sendRequests(t, h, `PUT /a/x%2Fy?q=1&q=2 {"n":1}`, `PUT /a/z {"n":2}`, "GET /b text")
	h.wantAsked(
		"a.example:80", "PUT /a/{id}", inPath("id", exactly("x/y")), inQuery("q", exactly("1, 2")),
		inHeader("X-Key", exactly("k")), inBody(`{"n":1.0}`),
	)
	h.wantAsked("a.example:80", "PUT /a/{id}", inPlace("/n", near(2, 0)))
	h.wantAsked("a.example:80", "GET /b", inText("text"))
	best, differences := nearestCall(
		currentLog.callsUnderTest(), hostOperation{"a.example:80", "PUT /a/{id}"}, 0,
		[]param{inBody(`{"n":3}`), inQuery("q", present())},
	)
	want := []string{"body /n: want 3, got 1"}
	if got := descriptions(differences); best == nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	h.wantCalls(to("a.example:80", "PUT /a/{id}"), to("a.example:80", "PUT /a/{other}"), to("a.example:80", "GET /b"))
}

// Messages before the call under test do not count as its outward calls. A request is logged after the datagrams that
// the service sent before the request.
func TestOnlyOutwardCallsOfTheCallUnderTestCount(t *testing.T) {
	h := newMimicHosts(t, "po co")
	h.udp("a.example:53", says(""))
	h.http("a.example:80", "", replies(200, ""))
	h.tcp("a.example:25", says("1"), hangsUp(says("2")))
	u, err := h.listenUDP("a.example:53")
	if err != nil {
		t.Fatal(err)
	}
	talks, err := h.listenTCP("a.example:25")
	if err != nil {
		t.Fatal(err)
	}
	currentTest.before, currentTest.within = 1, 4
	sendRequests(t, h, "GET /before ")
	underTest(t, nil)
	c, err := net.Dial("udp", u)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := 0; i < 20; i++ {
		io.WriteString(c, "how")
		sendRequests(t, h, "GET / ")
	}
	h.wantCalls(times(20, append(to("a.example:53", "udp"), to("a.example:80", "GET /")...)))
	if got := exchangeTCP(t, talks, "a", "b"); got != "12<nil>" {
		t.Errorf("got %q", got)
	}
	h.wantAsked("a.example:53", "udp", inTurn(0, exactly("how")))
	h.wantAsked("a.example:25", "tcp", inTurn(0, exactly("a")), inTurn(1, exactly("b")))
}

// In a test with one oracle, the nearest stub answers a message that no stub matches. Further such messages get the
// last answer of the stub.
func TestNearestStubAnswers(t *testing.T) {
	const unmatched = "501 no stub of the test matches\n"
	for oracles, want := range map[string][]string{
		"oo":    {"200 b", "200 a", "200 c", "200 c", "error"},
		"oo po": {unmatched, unmatched, "200 b", "200 c", unmatched},
	} {
		h := newMimicHosts(t, oracles)
		h.http("a.example:80", "POST /x", ifJSON(`{"n":1}`), ifQuery("q", "1"), replies(200, "a"))
		h.http("a.example:80", "POST /x", ifJSON(`{"n":2}`), replies(200, "b"), replies(200, "c"))
		underTest(t, nil)
		got := sendRequests(t, h, `POST /x {"n":3}`, `POST /x {"n":1}`, `POST /x {"n":2}`, `POST /x {"n":2}`, `GET /y `)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", oracles, got, want)
		}
		misses := descriptions(currentLog.unmatched)
		currentLog.unmatched = nil
		if missed := strings.Contains(
			strings.Join(misses, "\n"),
			"POST /x at a.example:80, where the nearest stub differs: body /n: want 2, got 3",
		); missed != (oracles != "oo") {
			t.Errorf("%s: missed %q", oracles, misses)
		}
	}
}

// The nearest stub also answers messages of TCP, and datagrams.
func TestNearestStubAnswersTCPAndUDP(t *testing.T) {
	h := newMimicHosts(t, "co")
	h.tcp("a.example:25", ifSaid("x"), says("1"), hangsUp(says("2")))
	h.udp("a.example:53", ifSaid("x"), says("3"))
	addr, err := h.listenTCP("a.example:25")
	if err != nil {
		t.Fatal(err)
	}
	if got := exchangeTCP(t, addr, "y", "z"); got != "12<nil>" {
		t.Errorf("got %q", got)
	}
	u, err := h.listenUDP("a.example:53")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("udp", u)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "y")
	buf := make([]byte, 10)
	if n, err := c.Read(buf); err != nil || string(buf[:n]) != "3" {
		t.Errorf("got %q, %v", buf[:n], err)
	}
}

// The file that SONDE_DIFFERENCES names gets a line of JSON when a test of a recorded exchange begins, and one for each
// difference.
func TestDifferencesAreWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "differences")
	t.Setenv("SONDE_DIFFERENCES", path)
	m := mimics(t, recorded{id: "r1", oracles: "oo"})
	m.writeLine(m.identified(compareBody([]byte(`{"a":null}`), `{"b":1}`, nil)[0]))
	m.writeLine(m.identified(compareBody([]byte(`{"a":null}`), `{"b":1}`, nil)[1]))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"begin":true,"id":"r1","test":"TestDifferencesAreWritten"}`,
		`{"test":"TestDifferencesAreWritten","id":"r1","oracle":"","wanted":0,"in":"body","name":"/a","got":null,` +
			`"what":"body /a: want nothing, got null"}`,
		`{"test":"TestDifferencesAreWritten","id":"r1","oracle":"","wanted":0,"in":"body","name":"/b","want":1,` +
			`"what":"body /b: want 1, got nothing"}`,
	}
	got := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s", text)
	}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		if !json.Valid(line) {
			t.Errorf("%s is no JSON", line)
		}
	}
}
