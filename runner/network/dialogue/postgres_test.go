package dialogue_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sonde/assets/wire/testdata/wiretest"
	"sonde/model"
	"sonde/runner/network/dialogue"
)

// pg and pgValue have short names, because the tests use them often.
var pg, pgValue = wiretest.Postgres, wiretest.PostgresValue

var (
	pgInt    = "\x00\x00\x00\x17" // the type of four bytes
	pgReady  = pg('Z', "I")
	pgSync   = pg('S')
	pgColumn = pg('T', 1, "id\x00", "\x00\x00\x00\x00", 0, pgInt, 4, "\xff\xff\xff\xff", 0)
	// A client that asks for encryption, and logs in by a password.
	pgLogIn = []step{
		pg(0, "\x04\xd2\x16\x2f"), "<N", pg(0, "\x00\x03\x00\x00user\x00me\x00\x00"),
		"<" + pg('R', "\x00\x00\x00\x03"), pg('p', "secret\x00"),
		"<" + pg('R', "\x00\x00\x00\x00") + pg('S', "a\x00b\x00") + pg('K', "\x00\x00\x00\x01\x00\x00\x00\x02") + pgReady,
	}
	pgOne      = pg('B', "\x00s\x00", 1, 1, 1, pgValue("\x00\x00\x00\x05"), 1, 1) + pg('E', "\x00", 0, 0)
	pgOneReply = pg('2') + pg('D', 1, pgValue("\x00\x00\x00\x07")) + pg('C', "SELECT 1\x00")
	pgError    = pg('E', "SERROR\x00C23505\x00Mit exists\x00npk\x00Wwhere\x00\x00")
)

const pgOneCall = `{"1":"5","query":"q $1"} {"parameters":[23],"columns":[{"name":"id","type":23}],"rows":[["7"]],"tag":"SELECT 1"}`

// Queries of the simple protocol and of the extended protocol are paired with their replies, no matter in which parts
// the data arrives.
func TestPostgresCalls(t *testing.T) {
	prepare := []step{
		pg('P', "s\x00q $1\x00", 0) + pg('D', "Ss\x00") + pgSync,
		"<" + pg('1') + pg('t', 1, pgInt) + pgColumn + pgReady,
	}
	unnamed := func(query string) string {
		return pg('P', "\x00"+query+"\x00", 0) + pg('B', "\x00\x00", 0, 0, 0) + pg('E', "\x00", 0, 0)
	}
	failed := `{"error":{"code":"23505","message":"it exists","constraint":"pk"}}`
	for name, c := range map[string]struct {
		steps []step
		want  string
	}{
		"log-in":   {nil, ""},
		"prepared": {append(prepare, pgOne+pgSync, "<"+pgOneReply+pgReady), "8 " + pgOneCall},
		"pipeline": {
			append(prepare, pgOne+pgOne+pgSync, "<"+pgOneReply+pg('N', "n")+pgOneReply+pgReady), "8 " + pgOneCall + ",8 " + pgOneCall,
		},
		"simple": {
			[]step{pg('Q', "q\x00"), "<" + pgColumn + pg('D', 1, pgValue("7")) + pg('C', "SELECT 1\x00") + pgReady},
			`6 {"query":"q"} {"columns":[{"name":"id","type":23}],"rows":[["7"]],"tag":"SELECT 1"}`,
		},
		"statements": {
			[]step{pg('Q', "q;r\x00"), "<" + pg('C', "BEGIN\x00") + pgError + pgReady},
			`6 {"query":"q;r"} [{"tag":"BEGIN"},` + failed + `]`,
		},
		"set up": {
			[]step{
				pg('Q', "SET a = 1\x00") + unnamed("-- ping") + pgSync,
				"<" + pg('C', "SET\x00") + pgReady + pg('1') + pg('2') + pg('I') + pgReady,
			}, "",
		},
		"not prepared": {
			[]step{pg('P', "s\x00q\x00", 0) + pg('D', "Ss\x00") + pgSync, "<" + pgError + pgReady}, `6 {"query":"q"} ` + failed,
		},
		"error skips": {
			[]step{
				unnamed("q") + unnamed("r") + pgSync + pg('Q', "s\x00"),
				"<" + pg('1') + pgError + pgReady + pg('C', "OK\x00") + pgReady,
			},
			`6 {"query":"q"} ` + failed + `,6 {"query":"s"} {"tag":"OK"}`,
		},
		"error skips what comes later": {
			[]step{
				unnamed("q") + pg('H'), "<" + pgError, unnamed("r") + pgSync, "<" + pgReady,
				pg('Q', "s\x00"), "<" + pg('C', "OK\x00") + pgReady,
			},
			`6 {"query":"q"} ` + failed + `,10 {"query":"s"} {"tag":"OK"}`,
		},
		"more rows": {
			append(prepare, pgOne+pg('E', "\x00", 0, 1)+pgSync, "<"+pg('2')+pg('s')+pg('C', "SELECT 0\x00")+pgReady),
			`8 {"1":"5","query":"q $1"} {"parameters":[23],"columns":[{"name":"id","type":23}],"suspended":true},` +
				`8 {"1":"5","query":"q $1"} {"parameters":[23],"columns":[{"name":"id","type":23}],"tag":"SELECT 0"}`,
		},
		"no reply": {[]step{pg('Q', "q\x00")}, `6 {"query":"q"} `},
		"closed":   {append(prepare, pg('C', "Ss\x00")+pgSync+pg('X'), "<"+pg('3')+pgReady), ""},
	} {
		for _, size := range []int{1, 3, 1000} {
			got, err := record(model.Postgres, append(append([]step{}, pgLogIn...), c.steps...), size)
			if strings.Join(got, ",") != c.want || err != nil {
				t.Errorf("%s in parts of %d bytes: got %s, %v, want %s", name, size, strings.Join(got, ","), err, c.want)
			}
		}
	}
}

// Recording stops when the connection becomes encrypted, and after a copy or data that is not in the protocol.
func TestUnreadablePostgres(t *testing.T) {
	query, done := pg('Q', "q\x00"), "<"+pg('C', "OK\x00")+pgReady
	for name, steps := range map[string][]step{
		"encryption":    {pg(0, "\x04\xd2\x16\x2f"), "<S", query, done},
		"replication":   {pg(0, "\x00\x03\x00\x00replication\x00database\x00\x00"), "<" + pgReady, query, done},
		"copy":          append(append([]step{}, pgLogIn...), query, "<"+pg('G', "\x00", 0), query, done),
		"function":      append(append([]step{}, pgLogIn...), pg('F'), query, done),
		"other reply":   append(append([]step{}, pgLogIn...), query, "<"+pg('1'), query, done),
		"no statement":  append(append([]step{}, pgLogIn...), pgOne, query, done),
		"surplus value": append(append([]step{}, pgLogIn...), query, "<"+pg('D', 1, pgValue("7")), query, done),
	} {
		if got, err := record(model.Postgres, steps, 1000); len(got) != 0 || !errors.Is(err, dialogue.ErrUnreadable) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// Hostile data causes no panic, and passwords are not recorded.
func FuzzPostgres(f *testing.F) {
	f.Add(pgOne+pgSync, pgOneReply+pgReady)
	f.Add(pg('P', "s\x00q $1\x00", 0)+pg('D', "Ss\x00")+pgSync, pg('1')+pg('t', 1, pgInt)+pgColumn+pgReady)
	f.Add(pg('Q', "q\x00"), pgError+pgReady)
	f.Fuzz(func(t *testing.T, client, host string) {
		steps := append(append([]step{}, pgLogIn...), client)
		if host != "" {
			steps = append(steps, "<"+host)
		}
		calls, err := record(model.Postgres, steps, 1000)
		if strings.Contains(fmt.Sprint(calls), "secret") && !strings.Contains(client+host, "secret") {
			t.Errorf("the password is in %s, %v", calls, err)
		}
	})
}
