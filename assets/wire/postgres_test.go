package wire_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"sonde/assets/wire"
	"sonde/assets/wire/testdata/wiretest"
)

// pg and pgValue have short names, because the tests use them often.
var pg, pgValue = wiretest.Postgres, wiretest.PostgresValue

var pgStart = pg(0, "\x00\x03\x00\x00user\x00me\x00\x00")

// pgServed lets a session answer what a client sends. It returns the bytes that the session sends, and the requests.
// answers has the reply to each query.
func pgServed(t *testing.T, in string, answers map[string]string) (sent string, requests []string) {
	t.Helper()
	s := wire.NewPostgresSession(strings.NewReader(in), wiretest.Replies(answers))
	var out []byte
	for {
		r, reply, err := s.Next()
		if err != nil {
			if err != io.EOF {
				t.Errorf("got %v", err)
			}
			return string(out), requests
		}
		if reply == nil {
			requests = append(requests, r.JSON)
			if text := answers[r.Text]; text != "" {
				reply = s.Reply(text)
			} else {
				reply = s.Refuse(r)
			}
		}
		out = append(out, reply...)
	}
}

// pgKinds returns the kinds of messages, and after Z the status of the transaction.
func pgKinds(t *testing.T, data string) (kinds string) {
	t.Helper()
	for in := bufio.NewReader(strings.NewReader(data)); ; {
		m, err := wire.ReadPostgresMessage(in, false)
		if err == io.EOF {
			return kinds
		}
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if kinds += string(m.Kind); m.Kind == 'Z' {
			kinds += string(m.Body)
		}
	}
}

func TestPostgresSession(t *testing.T) {
	sync, executed := pg('S'), pg('E', "\x00", 0, 0)
	parsed := func(query string) string { return pg('P', "\x00", query+"\x00", 0) }
	described, bound := pg('D', "P\x00"), pg('B', "\x00\x00", 0, 0, 0)
	query := func(text string) string { return pg('Q', text+"\x00") }
	answers := map[string]string{
		"one":           `{"parameters":[23],"columns":[{"name":"id","type":23}],"rows":[["5"],[null]]}`,
		"two":           `[{"tag":"BEGIN"},{"columns":[{"name":"a"}]}]`,
		"fails":         `{"error":{"code":"23505","message":"it exists"}}`,
		"invalid":       `{}`,
		"ROLLBACK TO a": `{"tag":"ROLLBACK"}`,
	}
	for name, c := range map[string]struct{ in, want, requests string }{
		"simple query": {query("one"), "TDDCZI", `{"query":"one"}`},
		"statements":   {query("two"), "CTCZT", `{"query":"two"}`},
		"error":        {query("fails"), "EZI", `{"query":"fails"}`},
		"error in transaction": {
			query("BEGIN") + query("fails") + query("rollback"), "CZTEZECZI", `{"query":"BEGIN"}{"query":"fails"}{"query":"rollback"}`,
		},
		"savepoint":           {query("begin") + query("ROLLBACK TO a"), "CZTCZT", `{"query":"begin"}{"query":"ROLLBACK TO a"}`},
		"no stub":             {query("none"), "EZI", `{"query":"none"}`},
		"bad stub":            {query("invalid"), "EZI", `{"query":"invalid"}`},
		"set up":              {query("SET a = 1") + query("-- ping") + query(";"), "CZIIZIIZI", ""},
		"extended":            {parsed("one") + bound + described + executed + sync, "12TDDCZI", `{"query":"one"}`},
		"prepared":            {parsed("one") + pg('D', "S\x00") + sync + bound + executed + sync, "1tTZI2DDCZI", `{"query":"one"}`},
		"unknown is prepared": {parsed("none") + pg('D', "S\x00") + sync, "1EZI", `{"query":"none"}`},
		"described only":      {parsed("one") + bound + described + sync, "12TZI", ""},
		"errors skip": {
			parsed("fails") + bound + executed + bound + executed + sync + query("one"), "12EZITDDCZI", `{"query":"fails"}{"query":"one"}`,
		},
		"closed":         {parsed("one") + pg('C', "S\x00") + bound + sync, "13EZI", ""},
		"terminated":     {query("one") + pg('X'), "TDDCZI", `{"query":"one"}`},
		"flushed":        {parsed("one") + pg('H') + pg('D', "S\x00") + pg('H'), "1tT", ""},
		"empty extended": {parsed("SET b = 2") + bound + described + executed + sync, "12nCZI", ""},
	} {
		sent, requests := pgServed(t, pgStart+c.in, answers)
		if got := strings.TrimPrefix(pgKinds(t, sent), "RSSSSSSSSSSSKZI"); got != c.want || strings.Join(requests, "") != c.requests {
			t.Errorf("%s: got %s and the requests %s, want %s and %s", name, got, requests, c.want, c.requests)
		}
	}
}

// A client may first ask for encryption, which the session refuses. It may also cancel a request, to which no answer
// is sent.
func TestPostgresStart(t *testing.T) {
	tls, gss, cancel := pg(0, "\x04\xd2\x16\x2f"), pg(0, "\x04\xd2\x16\x30"), pg(0, "\x04\xd2\x16\x2e\x00\x00\x00\x01\x00\x00\x00\x01")
	for in, want := range map[string]string{tls + pgStart: "NR", gss + tls + pgStart: "NNR", cancel: ""} {
		if got, _ := pgServed(t, in, nil); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

// A client may send a value as text or in binary form: the request has the text. The client gets values in the format
// that it asks for.
func TestPostgresValues(t *testing.T) {
	for _, c := range []struct {
		oid          uint32
		text, binary string
	}{
		{16, "t", "\x01"},
		{17, `\xff00`, "\xff\x00"},
		{20, "-2", "\xff\xff\xff\xff\xff\xff\xff\xfe"},
		{21, "258", "\x01\x02"},
		{23, "-1", "\xff\xff\xff\xff"},
		{25, "a\"b", "a\"b"},
		{26, "4294967295", "\xff\xff\xff\xff"},
		{700, "1.5", "\x3f\xc0\x00\x00"},
		{701, "-Infinity", "\xff\xf0\x00\x00\x00\x00\x00\x00"},
		{1082, "1999-12-31", "\xff\xff\xff\xff"},
		{1082, "infinity", "\x7f\xff\xff\xff"},
		{1114, "2000-01-01 00:00:01.5", "\x00\x00\x00\x00\x00\x16\xe3\x60"},
		{1184, "1999-12-31 23:59:59+00", "\xff\xff\xff\xff\xff\xf0\xbd\xc0"},
		{1700, "-12345.670", "\x00\x03\x00\x01\x40\x00\x00\x03\x00\x01\x09\x29\x1a\x2c"},
		{1700, "0.00001", "\x00\x01\xff\xfe\x00\x00\x00\x05\x03\xe8"},
		{1700, "100000000", "\x00\x01\x00\x02\x00\x00\x00\x00\x00\x01"},
		{1700, "0", "\x00\x00\x00\x00\x00\x00\x00\x00"},
		{1700, "NaN", "\x00\x00\x00\x00\xc0\x00\x00\x00"},
		{2950, "00112233-4455-6677-8899-aabbccddeeff", "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"},
		{3802, `{"a": 1}`, "\x01{\"a\": 1}"},
		{1007, "{1,NULL}", "\x00\x00\x00\x01\x00\x00\x00\x01" +
			"\x00\x00\x00\x17\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x01\xff\xff\xff\xff"},
		{1009, `{{"a b",""},{"\"","null"}}`, "\x00\x00\x00\x02\x00\x00\x00\x00" +
			"\x00\x00\x00\x19\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x01" +
			"\x00\x00\x00\x03a b\x00\x00\x00\x00\x00\x00\x00\x01\"\x00\x00\x00\x04null"},
		{1009, `{}`, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x19"},
	} {
		oid := string(binary.BigEndian.AppendUint32(nil, c.oid))
		quoted := fmt.Sprintf("%q", c.text)
		in := pgStart + pg('P', "\x00q\x00", 1, oid) + pg('B', "\x00\x00", 1, 1, 1, pgValue(c.binary), 1, 1) + pg('E', "\x00", 0, 0) +
			pg('B', "\x00\x00", 0, 1, pgValue(c.text), 0) + pg('E', "\x00", 0, 0)
		reply := fmt.Sprintf(`{"columns":[{"name":"a","type":%d}],"rows":[[%s]]}`, c.oid, quoted)
		sent, requests := pgServed(t, in, map[string]string{"q": reply})
		want := `{"1":` + quoted + `,"query":"q"}`
		if len(requests) != 2 || requests[0] != want || requests[1] != want {
			t.Errorf("%d: got the requests %s, want %s", c.oid, requests, want)
		}
		if !strings.Contains(sent, pg('D', 1, pgValue(c.binary))) || !strings.Contains(sent, pg('D', 1, pgValue(c.text))) {
			t.Errorf("%d: got %q", c.oid, sent)
		}
	}
}

// Data that is not in the protocol, or that exceeds a bound, is an error.
func TestBadPostgres(t *testing.T) {
	for _, in := range []string{
		"\x00\x00\x00\x03", "\x7f\xff\xff\xff", "\x00\x00\x00\x08\x00\x02\x00\x00", "\x00\x00\x00\x09\x00\x03\x00\x00x",
		pgStart + pg('Q', "no end"), pgStart + pg('P', "\x00"), pgStart + pg('P', "\x00q\x00", 60000), pgStart + pg('?'),
		pgStart + pg('P', "\x00q\x00", 0) + pg('B', "\x00\x00", 0, 1, "\xff"), pgStart + pg('D', "X\x00"),
	} {
		s := wire.NewPostgresSession(strings.NewReader(in), func(string) []string { return nil })
		var err error
		for range 4 {
			if _, _, err = s.Next(); err != nil {
				break
			}
		}
		if err == nil || err == io.EOF {
			t.Errorf("%q: got %v", in, err)
		}
	}
}

// Whatever a client sends, the host's messages are in the protocol.
func FuzzPostgresSession(f *testing.F) {
	f.Add(pg('P', "\x00q\x00", 0) + pg('B', "\x00\x00", 0, 0, 1, 1) + pg('D', "P\x00") + pg('E', "\x00", 0, 0) + pg('S'))
	f.Add(pg('Q', "q\x00"))
	f.Add(pg('P', "\x00q\x00", 1, "\x00\x00\x03\xf1") + pg('B', "\x00\x00", 1, 1, 1, pgValue("\x00\x00\x00\x00")) + pg('E', "\x00", 0, 0))
	f.Fuzz(func(t *testing.T, in string) {
		s := wire.NewPostgresSession(strings.NewReader(pgStart+in), func(string) []string { return nil })
		var out []byte
		for {
			r, reply, err := s.Next()
			if err != nil {
				break
			}
			if reply == nil {
				reply = s.Reply(`{"columns":[{"name":"a","type":1700}],"rows":[["1.5"]]}`)
			}
			if out = append(out, reply...); r.JSON == "" && reply == nil {
				t.Fatal("there is neither a request nor a reply")
			}
		}
		pgKinds(t, string(out))
	})
}

// A number that was converted to its binary form and back is the same number.
func FuzzPostgresNumeric(f *testing.F) {
	for _, text := range []string{"0", "-1.50", "0.0001", "10000", "123456789.000001", "Infinity"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		row := fmt.Sprintf(`{"columns":[{"name":"a","type":1700}],"rows":[[%q]]}`, text)
		bind := pg('P', "\x00q\x00", 0) + pg('B', "\x00\x00", 0, 0, 1, 1) + pg('E', "\x00", 0, 0)
		sent, _ := pgServed(t, pgStart+bind, map[string]string{"q": row})
		in := bufio.NewReader(strings.NewReader(sent))
		for {
			m, err := wire.ReadPostgresMessage(in, false)
			if err != nil {
				return
			}
			if m.Kind != 'D' {
				continue
			}
			got, err := m.Row([]wire.PostgresColumn{{Type: 1700}}, wire.PostgresFormats{1})
			if err != nil || !sameNumber(fmt.Sprint(got[0]), text) {
				t.Errorf("%q: got %v, %v", text, got, err)
			}
		}
	})
}

// sameNumber reports whether two texts are the same number. It ignores zeros at the beginning, and the sign of zero.
func sameNumber(got, want string) bool {
	plain := func(text string) string {
		text, negative := strings.CutPrefix(text, "-")
		text = strings.TrimSuffix(text, ".")
		whole, fraction, has := strings.Cut(text, ".")
		if text = strings.TrimLeft(whole, "0"); text == "" {
			text = "0"
		}
		if has {
			text += "." + fraction
		}
		if negative && strings.Trim(text, "0.") != "" {
			text = "-" + text
		}
		return text
	}
	return plain(got) == plain(want)
}
