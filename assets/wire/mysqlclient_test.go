package wire_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"sonde/assets/wire"
	"sonde/assets/wire/testdata/wiretest"
)

// serveMySQL answers the clients of a host, and returns its address. requests gets each request.
func serveMySQL(t *testing.T, answers map[string]string, requests chan<- string) string {
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
				s := wire.NewMySQLSession(c, wiretest.Replies(answers))
				for {
					r, reply, err := s.Next()
					if err != nil {
						if !errors.Is(err, io.EOF) {
							t.Errorf("got %v", err)
						}
						return
					}
					if reply == nil {
						requests <- r.JSON
						if text := answers[r.Command]; text != "" {
							reply = s.Reply(text)
						} else {
							reply = s.Refuse(r)
						}
					}
					if _, err := c.Write(reply); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// texts returns the rows of a reply as texts, or the error.
func texts(rows *sql.Rows, err error) string {
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	var all []string
	for {
		columns, _ := rows.Columns()
		for rows.Next() {
			values, fields := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				fields[i] = &values[i]
			}
			if err := rows.Scan(fields...); err != nil {
				return err.Error()
			}
			row := make([]string, len(values))
			for i, v := range values {
				switch v := v.(type) {
				case []byte:
					row[i] = string(v)
				case time.Time:
					row[i] = v.Format(time.RFC3339Nano)
				default:
					row[i] = fmt.Sprint(v)
				}
			}
			all = append(all, strings.Join(row, " "))
		}
		if !rows.NextResultSet() {
			break
		}
	}
	if rows.Err() != nil {
		all = append(all, rows.Err().Error())
	}
	return strings.Join(all, "\n")
}

// A driver that uses another implementation of the protocol works with a session: with prepared statements, and with
// values in the text of queries. The requests have the same arguments in both cases.
func TestMySQLClient(t *testing.T) {
	const types = `{"columns":[{"name":"t","type":1},{"name":"s","type":2,"flags":32},{"name":"i","type":3},` +
		`{"name":"l","type":8,"flags":32},` +
		`{"name":"f","type":4},{"name":"d","type":5},{"name":"n","type":246},{"name":"day","type":10},` +
		`{"name":"at","type":12,"decimals":6},` +
		`{"name":"h","type":11},{"name":"y","type":13},{"name":"b","type":252,"charset":63},{"name":"none"}],` +
		`"rows":[["-1","65535","-2147483648","18446744073709551615","1.5","-2.25","1.50","2026-01-02","2026-01-02 03:04:05.600000",` +
		`"-25:00:01","2026",{"base64":"/w=="},null]]}`
	const one = `{"columns":[{"name":"a"}],"rows":[["one"]]}`
	answers := map[string]string{
		"SELECT * FROM t WHERE a = ?":            types,
		"INSERT INTO t VALUES (?, ?)":            `{"affected":1,"id":300}`,
		"UPDATE t SET a = ?":                     `{"affected":70000,"info":"Rows matched: 70000"}`,
		"DELETE FROM t WHERE a = ?":              `{"error":{"code":1451,"state":"23000","message":"it is used"}}`,
		"SELECT broken WHERE a = ?":              `{"rows":`,
		"CALL p(?)":                              "[" + one + `,{"columns":[{"name":"b"}],"rows":[["two"]]},{"affected":0}]`,
		"SELECT late WHERE a = ?":                strings.TrimSuffix(one, "}") + `,"error":{"code":1317,"message":"stopped"}}`,
		"SELECT long FROM t WHERE ? IS NOT NULL": `{"columns":[{"name":"a"}],"rows":[["` + strings.Repeat("x", 70_000) + `"]]}`,
	}
	for _, settings := range []string{"", "&interpolateParams=true"} {
		requests := make(chan string, 100)
		db, err := sql.Open("mysql", "me:secret@tcp("+serveMySQL(t, answers, requests)+")/d?parseTime=true&sql_mode=ANSI"+settings)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		if err := db.Ping(); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ query, want string }{
			{
				"SELECT * FROM t WHERE a = ?",
				"-1 65535 -2147483648 18446744073709551615 1.5 -2.25 1.50 2026-01-02T00:00:00Z " +
					"2026-01-02T03:04:05.6Z -25:00:01 2026 \xff <nil>",
			},
			{"DELETE FROM t WHERE a = ?", "Error 1451 (23000): it is used"},
			{"SELECT none WHERE a = ?", "Error 1105 (HY000): no stub answers SELECT none WHERE a = ?"},
			{"SELECT broken WHERE a = ?", "Error 1105 (HY000): the stub's answer is not a reply of MySQL: unexpected EOF"},
			{"CALL p(?)", "one\ntwo"},
			{"SELECT late WHERE a = ?", "one\nError 1317 (HY000): stopped"},
			{"SELECT long FROM t WHERE ? IS NOT NULL", strings.Repeat("x", 70_000)},
		} {
			if got := texts(db.Query(c.query, "a")); got != c.want {
				t.Errorf("%s%s: got %.300q, want %.300q", c.query, settings, got, c.want)
			}
		}
		for len(requests) > 0 {
			<-requests
		}
		checkMySQLChanges(t, db, requests)
	}
}

// checkMySQLChanges checks the replies to statements that change something, and the requests.
func checkMySQLChanges(t *testing.T, db *sql.DB, requests <-chan string) {
	t.Helper()
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	done, err := tx.Exec("INSERT INTO t VALUES (?, ?)", "it's\n\\ \"2\"", at)
	if err != nil {
		t.Fatal(err)
	}
	if id, _ := done.LastInsertId(); id != 300 {
		t.Errorf("got the id %d", id)
	}
	if _, err := tx.Exec("INSERT INTO t VALUES (?, ?)", []byte{0xff, 0}, nil); err != nil {
		t.Fatal(err)
	}
	if done, err = tx.Exec("UPDATE t SET a = ?", -5); err != nil {
		t.Fatal(err)
	}
	if n, _ := done.RowsAffected(); n != 70000 {
		t.Errorf("got %d rows", n)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var failed *mysql.MySQLError
	if _, err := db.Exec("DELETE FROM t WHERE a = ?", 1.5); !errors.As(err, &failed) || failed.Number != 1451 {
		t.Errorf("got %v", err)
	}
	var got []string
	for len(requests) > 0 {
		got = append(got, <-requests)
	}
	want := []string{
		`{"query":"START TRANSACTION"}`,
		`{"1":"it's\n\\ \"2\"","2":"2026-01-02 03:04:05","query":"INSERT INTO t VALUES (?, ?)"}`,
		`{"1":{"base64":"/wA="},"2":null,"query":"INSERT INTO t VALUES (?, ?)"}`,
		`{"1":"-5","query":"UPDATE t SET a = ?"}`,
		`{"query":"COMMIT"}`,
		`{"1":"1.5","query":"DELETE FROM t WHERE a = ?"}`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got the requests\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
