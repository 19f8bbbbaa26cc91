package sql

import (
	"bytes"
	"database/sql/driver"
	"os"
	"reflect"
	"sync"

	"sondeprobe/query"
)

// This file has the code that differs between SQLite and PostgreSQL. In PostgreSQL, a statement that fails aborts the
// transaction of the connection. So the statements of Sonde run in a savepoint of the service's transaction or, if
// there is none, in a transaction of their own.

// sondeNetwork reports whether Sonde plays or records the connections of the service. Statements of Sonde would be
// taken for statements of the service.
var sondeNetwork = sync.OnceValue(func() bool { return os.Getenv("SONDE_NET") != "" })

// sondeDialect returns the dialect of a connection's database, according to the name of the connection's type and
// package. It returns 0 for other databases, for PostgreSQL if sondeNetwork is true, and for nil, a closed connection.
func sondeDialect(ci driver.Conn) sondequery.Dialect {
	switch name := bytes.ToLower([]byte(sondeTypeName(ci))); {
	case bytes.Contains(name, []byte("sqlite")):
		return sondequery.SQLite
	case (bytes.Contains(name, []byte("/pgx/")) || bytes.Contains(name, []byte("lib/pq."))) && !sondeNetwork():
		return sondequery.PostgreSQL
	}
	return 0
}

// sondeTypeName returns the package path and name of a connection's type, "" for nil.
func sondeTypeName(ci driver.Conn) string {
	t := reflect.TypeOf(ci)
	if t == nil {
		return ""
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() + "." + t.Name()
}

// sondeIsInTransaction reports whether a connection to PostgreSQL is in a transaction. It returns false for ok if the
// transaction has failed, and if the server is too old or another product that speaks the protocol of PostgreSQL. There,
// a statement of Sonde could fail and so abort a transaction of the service.
func sondeIsInTransaction(ci driver.Conn) (in, ok bool) {
	known := false
	sondeForEachRow(ci, sondequery.PostgresVersion, func(row []sondequery.Value) {
		known = sondequery.IsKnownPostgres(row[0].Text)
	})
	if !known || !sondeHasRow(ci, sondequery.PostgresMark) {
		return false, false
	}
	ok = sondeForEachRow(ci, sondequery.PostgresMarked, func(row []sondequery.Value) { in = row[0].Text != "" })
	return in, ok
}

// sondeBeginReading prepares a connection for queries of Sonde, which must not wait for other connections. The caller
// must call end after these queries, and also if ok is false, which means that no query is possible.
func sondeBeginReading(ci driver.Conn, d sondequery.Dialect) (end func(), ok bool) {
	if d == sondequery.SQLite {
		return sondeDisableBusyTimeout(ci), true
	}
	in, ok := sondeIsInTransaction(ci)
	begin, ends := "BEGIN READ ONLY", []string{"ROLLBACK"}
	if in {
		begin, ends = "SAVEPOINT sonde", []string{"ROLLBACK TO SAVEPOINT sonde", "RELEASE SAVEPOINT sonde"}
	}
	if !ok || sondeExecute(ci, begin) != nil {
		return func() {}, false
	}
	return func() {
		for _, statement := range ends {
			_ = sondeExecute(ci, statement) // if the connection is broken, the service's next statement fails, too
		}
	}, sondeHasRow(ci, sondequery.PostgresSettings)
}

// sondeMayWrite reports whether a connection is in no transaction that the service could undo.
func sondeMayWrite(ci driver.Conn, d sondequery.Dialect) bool {
	if d == sondequery.SQLite {
		return true
	}
	in, ok := sondeIsInTransaction(ci)
	return ok && !in
}

// sondeExecuteAll executes statements, and returns an error or "" for each.
func sondeExecuteAll(ci driver.Conn, d sondequery.Dialect, statements []string) (outcomes []string) {
	if d == sondequery.SQLite {
		for _, s := range statements {
			outcomes = append(outcomes, sondeErrorText(sondeExecute(ci, s)))
		}
		return outcomes
	}
	if err := sondeExecute(ci, "BEGIN"); err != nil {
		for range statements {
			outcomes = append(outcomes, sondeErrorText(err))
		}
		return outcomes
	}
	sondeHasRow(ci, sondequery.PostgresSettings)
	for _, s := range statements {
		_ = sondeExecute(ci, "SAVEPOINT sonde")
		err := sondeExecute(ci, s)
		if err != nil {
			_ = sondeExecute(ci, "ROLLBACK TO SAVEPOINT sonde")
		}
		outcomes = append(outcomes, sondeErrorText(err))
	}
	if err := sondeExecute(ci, "COMMIT"); err != nil { // a deferred constraint may be violated
		_ = sondeExecute(ci, "ROLLBACK")
		for i := range outcomes {
			outcomes[i] = sondeErrorText(err)
		}
	}
	return outcomes
}

// sondeErrorText returns the text of an error, "" for nil.
func sondeErrorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// sondeDatabase returns a text that names the database of a connection: the path of the main database of SQLite, ""
// for one in memory; or the server, database and schemas of PostgreSQL.
func sondeDatabase(ci driver.Conn, d sondequery.Dialect) (name string) {
	if d == sondequery.PostgreSQL {
		sondeForEachRow(ci, sondequery.PostgresDatabase, func(row []sondequery.Value) { name = row[0].Text })
		return name
	}
	sondeForEachRow(ci, "PRAGMA database_list", func(row []sondequery.Value) {
		if len(row) > 2 && row[1].Text == "main" {
			name = row[2].Text
		}
	})
	return name
}

// sondeParse parses a statement. For PostgreSQL, it also reads the types of the columns of its tables.
func sondeParse(ci driver.Conn, d sondequery.Dialect, statement string) (*sondequery.Statement, bool) {
	q, ok := sondequery.Parse(d, statement, func(table, column string) bool { return sondeHasRow(ci, d.IsColumn(table, column)) })
	if !ok || d == sondequery.SQLite {
		return q, ok
	}
	for i := range q.Tables {
		t := &q.Tables[i]
		sondeForEachRow(ci, d.Columns(t.Name), func(row []sondequery.Value) { t.SetType(row[0].Text, row[1].Text) })
	}
	return q, true
}

// sondeArray returns a slice as the text of an array of PostgreSQL, such as {"a","b"}. It returns an Unknown value for
// other arguments, and if an element is unknown.
func sondeArray(arg any) sondequery.Value {
	v := reflect.ValueOf(arg)
	if k := v.Kind(); k != reflect.Slice && k != reflect.Array {
		return sondequery.Value{}
	}
	b := []byte("{")
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		var ok bool
		if b, ok = sondeAppendElement(b, v.Index(i).Interface()); !ok {
			return sondequery.Value{}
		}
	}
	return sondequery.Value{Type: sondequery.Text, Text: string(append(b, '}'))}
}

func sondeAppendElement(b []byte, arg any) ([]byte, bool) {
	v, err := driver.DefaultParameterConverter.ConvertValue(arg)
	if err != nil {
		return nil, false
	}
	switch e := sondeValue(v); e.Type {
	case sondequery.Text:
		b = append(b, '"')
		for _, c := range []byte(e.Text) {
			if c == '"' || c == '\\' {
				b = append(b, '\\')
			}
			b = append(b, c)
		}
		return append(b, '"'), true
	case sondequery.Unknown:
		return nil, false
	default:
		return sondeAppendValue(b, e), true
	}
}
