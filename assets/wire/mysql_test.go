package wire_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"sonde/assets/wire"
	"sonde/assets/wire/testdata/wiretest"
)

// The values in the text of a query become its arguments.
func TestMySQLRequest(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT a FROM t WHERE b = 'x' AND c=17":       `{"1":"x","2":"17","query":"SELECT a FROM t WHERE b = ? AND c=?"}`,
		`SELECT 'it''s', "a""b", 'a\'\\\n\%\q'`:        `{"1":"it's","2":"a\"b","3":"a'\\\n\\%q","query":"SELECT ?, ?, ?"}`,
		"SELECT _binary'\xff\\0', x'4142', N'n'":       `{"1":{"base64":"/wA="},"2":"AB","3":"n","query":"SELECT ?, ?, ?"}`,
		"SELECT -5, 1-2, a-3":                          `{"1":"-5","2":"1","3":"2","4":"3","query":"SELECT ?, ?-?, a-?"}`,
		"SELECT a1, `b 2`, t3.c4, @v5 /* 6 */ -- '7'":  "{\"query\":\"SELECT a1, `b 2`, t3.c4, @v5 /* 6 */ -- '7'\"}",
		"INSERT INTO t VALUES (NULL, 0x1F, null)":      `{"1":null,"2":"0x1F","3":null,"query":"INSERT INTO t VALUES (?, ?, ?)"}`,
		"UPDATE t SET a=NULL WHERE b IS NOT NULL":      `{"1":null,"query":"UPDATE t SET a=? WHERE b IS NOT NULL"}`,
		"SELECT a FROM t WHERE b BETWEEN -1 AND -2":    `{"1":"-1","2":"-2","query":"SELECT a FROM t WHERE b BETWEEN ? AND ?"}`,
		"CREATE TABLE t (a varchar(20) DEFAULT 'x')":   `{"query":"CREATE TABLE t (a varchar(20) DEFAULT 'x')"}`,
		"SELECT /*/ 1 */ 2 /* 3":                       `{"1":"2","query":"SELECT /*/ 1 */ ? /* 3"}`,
		"SELECT (4)-5, -.5e-3":                         `{"1":"4","2":"5","3":"-.5e-3","query":"SELECT (?)-?, ?"}`,
		"SELECT 'not closed":                           `{"query":"SELECT 'not closed"}`,
		"SELECT x'not hex'":                            `{"1":"x'not hex'","query":"SELECT ?"}`,
		"WITH a AS (SELECT 1) SELECT grüße FROM a # 2": `{"1":"1","query":"WITH a AS (SELECT ?) SELECT grüße FROM a # 2"}`,
	} {
		r := wire.NewMySQLRequest(query)
		if r.JSON != want || r.Text != strings.ToValidUTF8(query, "�") {
			t.Errorf("%s: got %s, %q, want %s", query, r.JSON, r.Text, want)
		}
	}
}

// A long run of digits is a single word. If it were split into numbers, the rest of the run would be read again for
// each number.
func TestMySQLLongNumbers(t *testing.T) {
	for _, digits := range []int{1, 65, 100, 101, 1 << 20} {
		query := "SELECT a FROM b WHERE c = " + strings.Repeat("7", digits)
		isNumber := strings.Contains(wire.NewMySQLRequest(query).JSON, `"1":`)
		if want := digits <= 100; isNumber != want {
			t.Errorf("%d digits: got a number %v, want %v", digits, isNumber, want)
		}
	}
}

func TestMySQLSetsUp(t *testing.T) {
	for query, want := range map[string]bool{
		"SET NAMES utf8mb4": true, "set autocommit=0; SELECT 1": false, "USE d": true, "": true, "/* ping */": true,
		"SELECT @@max_allowed_packet": true, "/* driver */SELECT  @@session.a AS b, @@c LIMIT 1;": true, "SELECT @@a, b FROM t": false,
		"SELECT 1": false, "COMMIT": false,
	} {
		if got := wire.MySQLSetsUp(query); got != want {
			t.Errorf("%s: got %t", query, got)
		}
	}
}

const mysqlUser = "me\x00"

// mysqlLogIn returns the first packet of a client. It contains a proof of the password; plugin is the method of the
// proof.
func mysqlLogIn(flags uint32, proof, plugin string) string {
	capabilities := string([]byte{byte(flags), byte(flags >> 8), byte(flags >> 16), byte(flags >> 24)})
	return wiretest.MySQL(1, capabilities+strings.Repeat("\x00", 28)+mysqlUser+wiretest.MySQLValue(proof)+plugin+"\x00")
}

const mysqlClient = 1<<9 | 1<<15 | 1<<19 | 1<<21 // the capabilities of a client that names its method of log-in

// mysqlServed lets a session answer what a client sends. It returns the packets that the session sends, and the
// requests. answers has the reply to each query.
func mysqlServed(t *testing.T, in string, answers map[string]string) (sent []string, requests []string, err error) {
	t.Helper()
	s := wire.NewMySQLSession(strings.NewReader(in), wiretest.Replies(answers))
	for {
		r, reply, err := s.Next()
		if err != nil {
			return sent, requests, err
		}
		if reply == nil {
			requests = append(requests, r.JSON)
			if text := answers[r.Command]; text != "" {
				reply = s.Reply(text)
			} else {
				reply = s.Refuse(r)
			}
		}
		for in := bufio.NewReader(strings.NewReader(string(reply))); ; {
			p, err := wire.ReadMySQLPacket(in)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			sent = append(sent, fmt.Sprintf("%d %q", p.Sequence, p.Body))
		}
	}
}

// A log-in is accepted by any method, and a request for TLS ends the connection.
func TestMySQLLogIn(t *testing.T) {
	const ok = `"\x00\x00\x00\x02\x00\x00\x00"`
	for name, c := range map[string]struct{ in, want string }{
		"native":              {mysqlLogIn(mysqlClient, "12345678901234567890", "mysql_native_password"), "2 " + ok},
		"cached":              {mysqlLogIn(mysqlClient, "12345678901234567890", "caching_sha2_password"), `2 "\x01\x03",3 ` + ok},
		"cached, no password": {mysqlLogIn(mysqlClient, "", "caching_sha2_password"), "2 " + ok},
		"old":                 {mysqlLogIn(1<<9|1<<15, "12345678", ""), "2 " + ok},
		"TLS":                 {mysqlLogIn(mysqlClient|1<<11, "", ""), "not in the protocol of MySQL"},
		"compression":         {mysqlLogIn(mysqlClient|1<<5, "", ""), "not in the protocol of MySQL"},
		"older protocol":      {mysqlLogIn(1<<15, "", ""), "not in the protocol of MySQL"},
		"too short":           {wiretest.MySQL(1, "\x00\x02"), "not in the protocol of MySQL"},
		"too large":           {"\xff\xff\xff\x01", "not in the protocol of MySQL"},
		"cut":                 {"\x09\x00", "unexpected EOF"},
	} {
		sent, _, err := mysqlServed(t, c.in, nil)
		if len(sent) == 0 || !strings.Contains(sent[0], "mysql_native_password") {
			t.Fatalf("%s: got the greeting %s", name, sent)
		}
		got := strings.Join(sent[1:], ",")
		if err != io.EOF {
			got += err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// mysqlFailure returns a packet that reports an error, as mysqlServed returns it.
func mysqlFailure(sequence int, code, message string) string {
	return fmt.Sprintf(`%d "\xff%s#HY000%s"`, sequence, code, message)
}

func TestMySQLSession(t *testing.T) {
	command := func(kind byte, rest string) string { return wiretest.MySQL(0, string([]byte{kind})+rest) }
	query := func(text string) string { return command(wire.MySQLQuery, text) }
	prepared := func(text string) string { return command(wire.MySQLPrepare, text) }
	executed := func(rest string) string {
		return command(wire.MySQLExecute, "\x01\x00\x00\x00\x00\x01\x00\x00\x00"+rest)
	}
	ok := func(status string) string { return `1 "\x00\x00\x00\x` + status + `\x00\x00\x00"` }
	column := fmt.Sprintf("%q", wiretest.MySQLColumn("a", 253))
	column = strings.ReplaceAll(column, `\v\x00\x00\x00`, `\x00\x00\x00\x00`)
	answers := map[string]string{
		"q ?":            `{"columns":[{"name":"a"}],"rows":[["x"],[null]]}`,
		"two":            `[{"affected":1},{"affected":2,"id":3,"warnings":4,"info":"i"}]`,
		"none":           `[]`,
		"ROLLBACK TO s":  `{"affected":0}`,
		"START SLAVE; x": `{"affected":0}`,
		"short":          `{"columns":[{"name":"a"}],"rows":[[]]}`,
		"nothing":        `{}`,
		"no code":        `{"error":{"message":"m"}}`,
	}
	bad := "the stub's answer is not a reply of MySQL: "
	for name, c := range map[string]struct {
		in       string
		want     []string
		requests string
	}{
		"ping": {
			command(wire.MySQLPing, "") + command(wire.MySQLReset, "") + command(wire.MySQLDatabase, "d"),
			[]string{ok("02"), ok("02"), ok("02")},
			"",
		},
		"statistics": {command(wire.MySQLStatistics, ""), []string{`1 "Uptime: 1"`}, ""},
		"option":     {command(wire.MySQLOption, "\x00\x00"), []string{`1 "\xfe\x00\x00\x02\x00"`}, ""},
		"unknown":    {command(0x7f, ""), []string{`1 "\xff\x17\x04#08S01unknown command"`}, ""},
		"quit":       {command(wire.MySQLQuit, "") + query("q ?"), nil, ""},
		"set up":     {query("SET a = 1"), []string{ok("02")}, ""},
		"autocommit": {query("SET autocommit=0") + query("SET autocommit=1"), []string{ok("00"), ok("02")}, ""},
		"transaction": {
			query("BEGIN") + query("ROLLBACK TO s") + query("commit"),
			[]string{ok("03"), ok("03"), ok("02")},
			`{"query":"BEGIN"}{"query":"ROLLBACK TO s"}{"query":"commit"}`,
		},
		"two results": {
			query("two"), []string{`1 "\x00\x01\x00\n\x00\x00\x00"`, `2 "\x00\x02\x03\x02\x00\x04\x00\x01i"`}, `{"query":"two"}`,
		},
		"no results":  {query("none"), []string{mysqlFailure(1, `Q\x04`, bad+"not in the protocol of MySQL")}, `{"query":"none"}`},
		"a short row": {query("short"), []string{mysqlFailure(1, `Q\x04`, bad+"a row has 0 values for 1 columns")}, `{"query":"short"}`},
		"empty result": {
			query("nothing"),
			[]string{mysqlFailure(1, `Q\x04`, bad+"it has neither columns, the number of affected rows nor an error")},
			`{"query":"nothing"}`,
		},
		"no code": {
			query("no code"),
			[]string{mysqlFailure(1, `Q\x04`, bad+`0 and \"\" are not a code and a state of five letters`)},
			`{"query":"no code"}`,
		},
		"prepared": {
			prepared("q ?") + executed("\x00\x01\xfd\x00\x01y"),
			[]string{
				`1 "\x00\x01\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00"`, "2 " + strings.Replace(column, `\x01a`, `\x01?`, 1),
				`3 "\xfe\x00\x00\x02\x00"`,
				"4 " + column, `5 "\xfe\x00\x00\x02\x00"`, `1 "\x01"`, "2 " + column, `3 "\xfe\x00\x00\x02\x00"`,
				`4 "\x00\x00\x01x"`, `5 "\x00\x04"`, `6 "\xfe\x00\x00\x02\x00"`,
			},
			`{"1":"y","query":"q ?"}`,
		},
		"prepared without a stub": {prepared("no"), []string{mysqlFailure(1, `Q\x04`, "no stub answers no")}, `{"query":"no"}`},
		"prepared to set up": {
			prepared("SET a = 1") + executed(""), []string{`1 "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"`, ok("02")}, "",
		},
		"executed without prepare": {executed(""), []string{mysqlFailure(1, `\xdb\x04`, "unknown prepared statement")}, ""},
		"data in parts": {
			prepared("BEGIN -- ?\n?") + command(wire.MySQLSendData, "\x01\x00\x00\x00\x00\x00ab") +
				command(wire.MySQLSendData, "\xff\xff\xff\xff\x00\x00c") +
				executed("\x00\x01\xfd\x00"),
			[]string{
				`1 "\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00"`, "2 " + strings.Replace(column, `\x01a`, `\x01?`, 1),
				`3 "\xfe\x00\x00\x02\x00"`, ok("03"),
			},
			`{"1":"abc","query":"BEGIN -- ?\n?"}`,
		},
		"closed": {
			prepared("BEGIN") + command(wire.MySQLResetValues, "\x01\x00\x00\x00") + command(wire.MySQLClose, "\x01\x00\x00\x00") +
				executed(""),
			[]string{
				`1 "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"`, ok("02"),
				mysqlFailure(1, `\xdb\x04`, "unknown prepared statement"),
			},
			"",
		},
	} {
		sent, requests, err := mysqlServed(t, mysqlLogIn(mysqlClient, "", "")+c.in, answers)
		if err != io.EOF {
			t.Errorf("%s: %v", name, err)
		}
		if got, want := strings.Join(sent[2:], "\n"), strings.Join(c.want, "\n"); got != want || strings.Join(requests, "") != c.requests {
			t.Errorf("%s: got\n%s\nand the requests %s, want\n%s\nand %s", name, got, requests, want, c.requests)
		}
	}
}

// The settings for which clients ask have values, and other settings are null.
func TestMySQLSettings(t *testing.T) {
	in := mysqlLogIn(mysqlClient, "", "") + wiretest.MySQL(0, "\x03SELECT @@session.wait_timeout AS w, @@sql_mode, @@unknown")
	sent, _, _ := mysqlServed(t, in, nil)
	got := strings.Join(sent[2:], "\n")
	for _, part := range []string{`\x01w\x00\f?`, `\n@@sql_mode`, `"\x0528800\x13STRICT_TRANS_TABLES\xfb"`} {
		if !strings.Contains(got, part) {
			t.Errorf("got %s, want %s", got, part)
		}
	}
}

// A value that is sent in binary form has the same text afterwards. A text that is not a value of its type is an
// error; the table then has "" as the wanted text.
func TestMySQLValues(t *testing.T) {
	for text, want := range map[string]string{
		`1 -128`: "-128", `1/u 255`: "255", `2 -32768`: "-32768", `3 -1`: "-1", `9 -1`: "-1",
		`8 9223372036854775807`: "9223372036854775807", "5 -1.5e-9": "-1.5e-09",
		`8/u 18446744073709551615`: "18446744073709551615", `13 2026`: "2026", `4 1.5`: "1.5", `5 -1e+100`: "-1e+100",
		`10 2026-02-03`: "2026-02-03", `10 0000-00-00`: "0000-00-00", `12 2026-02-03 04:05:06`: "2026-02-03 04:05:06.000000",
		`12/6 2026-02-03 04:05:06.078900`: "2026-02-03 04:05:06.078900", `7/3 2026-02-03 04:05:06.078`: "2026-02-03 04:05:06.078",
		`11/6 -838:59:58.000001`: "-838:59:58.000001", `11 00:00:00`: "00:00:00.000000", `246 1.50`: "1.50", `253 a`: "a",
		`1 128`: "", `3 x`: "", `5 x`: "", `4 x`: "", `10 2026-13-01`: "", `12 x`: "", `11 1:2`: "", `11 x:00:00`: "", `11 1:60:00`: "",
	} {
		kind, value, _ := strings.Cut(text, " ")
		var c wire.MySQLColumn
		kind, flag, _ := strings.Cut(kind, "/")
		fmt.Sscan(kind, &c.Type)
		if c.Name = "a"; flag == "u" {
			c.Flags = 32
		} else {
			fmt.Sscan(flag, &c.Decimals)
		}
		reply, _ := json.Marshal(wire.MySQLResult{Columns: []wire.MySQLColumn{c}, Rows: [][]any{{value}}})
		s := wire.NewMySQLSession(strings.NewReader(
			mysqlLogIn(mysqlClient, "", "")+wiretest.MySQL(0, "\x16q")+wiretest.MySQL(0, "\x17\x01\x00\x00\x00\x00\x01\x00\x00\x00"),
		), func(string) []string { return []string{string(reply)} })
		for r, own, err := s.Next(); ; r, own, err = s.Next() {
			if err != nil {
				t.Fatal(err)
			}
			if r.JSON != "" && own == nil {
				break
			}
		}
		in := bufio.NewReader(strings.NewReader(string(s.Reply(string(reply)))))
		got := ""
		for i := range 4 {
			p, err := wire.ReadMySQLPacket(in)
			if err != nil {
				break // the reply is an error, which is one packet
			}
			if i == 3 {
				row, err := p.Row([]wire.MySQLColumn{c}, true)
				if err != nil {
					t.Fatal(err)
				}
				got = fmt.Sprint(row...)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// Hostile data of a client causes no panic, and each request gets a reply.
func FuzzMySQLSession(f *testing.F) {
	f.Add("\x03SELECT 'a', -1", "\x16q ?", "\x17\x01\x00\x00\x00\x00\x01\x00\x00\x00\x00\x01\xfd\x00\x01y", `{"affected":1}`)
	f.Add("\x18\x01\x00\x00\x00\x00\x00ab", "\x19\x01\x00\x00\x00", "\x0e", `{"columns":[{"name":"a","type":12}],"rows":[["2026-01-01"]]}`)
	f.Add("\x03SELECT "+strings.Repeat("-(\"", 20_000), "\x16"+strings.Repeat("/*", 30_000), "\x03SELECT "+strings.Repeat("-", 60_000), "")
	f.Fuzz(func(t *testing.T, one, two, three, reply string) {
		if max(len(one), len(two), len(three)) > 1<<16 {
			return
		}
		in := mysqlLogIn(mysqlClient, "", "") + wiretest.MySQL(0, one) + wiretest.MySQL(0, two) + wiretest.MySQL(0, three)
		s := wire.NewMySQLSession(strings.NewReader(in), func(string) []string { return []string{reply} })
		for {
			r, own, err := s.Next()
			if err != nil {
				return
			}
			if own == nil && len(s.Reply(reply)) == 0 {
				t.Errorf("%s: no reply", r.JSON)
			}
		}
	})
}
