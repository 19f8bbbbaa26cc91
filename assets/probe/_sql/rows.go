package sql

import (
	"bytes"
	"context"
	"database/sql/driver"
	"os"
	"strconv"
	"sync"

	"sondeprobe/query"
)

// This file lets Sonde insert rows into a database of SQLite or PostgreSQL, and reports which queries returned no rows.
// Both go through files in the folder that the environment variable SONDE_ROWS names; runner/instrument/probedata
// describes them.

// sondeBox is the folder that the service shares with Sonde.
var sondeBox struct {
	once sync.Once
	dir  string // "" for none
	mu   sync.Mutex
}

// sondeRowsFolder returns the folder in which Sonde and the service exchange rows, "" if there is none.
func sondeRowsFolder() string {
	sondeBox.once.Do(func() { sondeBox.dir = os.Getenv("SONDE_ROWS") })
	return sondeBox.dir
}

// conn wraps the method that takes a connection from the pool. Before the connection is used, conn inserts the rows
// that Sonde wants to insert. This never happens within a transaction of the service, because a transaction keeps its
// connection.
func (db *DB) conn(ctx context.Context, strategy connReuseStrategy) (*driverConn, error) {
	dc, err := db.sondeConn(ctx, strategy)
	if dir := sondeRowsFolder(); err == nil && dir != "" {
		sondeExecuteWaiting(dir, dc)
	}
	return dc, err
}

// sondeExecuteWaiting executes the statements in the file "waiting". It does so only if the database has the tables
// of all these statements, and is the database in which earlier statements were executed. Each line of the file has
// the name of a table and a statement. The file "done" gets the outcomes, one for each statement: an error, or "".
func sondeExecuteWaiting(dir string, dc *driverConn) {
	waiting, d := dir+"/waiting", sondeDialect(dc.ci)
	if _, err := os.Stat(waiting); err != nil || d == 0 {
		return
	}
	sondeBox.mu.Lock()
	defer sondeBox.mu.Unlock()
	defer func() { _ = recover() }()
	text, err := os.ReadFile(waiting)
	if err != nil {
		return
	}
	dc.Lock()
	defer dc.Unlock()
	name := sondeDatabase(dc.ci, d)
	isHere, statements := sondeIsSameDatabase(dir, name), []string(nil)
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		table, rest := sondeCut(line)
		statement, _ := sondeCut(rest)
		statements = append(statements, statement)
		isHere = isHere && sondeHasRow(dc.ci, d.Definition(table))
	}
	if !isHere || !sondeMayWrite(dc.ci, d) || os.Rename(waiting, dir+"/taken") != nil {
		return // a table does not exist yet, it is in another database, or another process was faster
	}
	sondeWriteFile(dir+"/database", []byte(name))
	var outcomes []byte
	for _, outcome := range sondeExecuteAll(dc.ci, d, statements) {
		outcomes = append(strconv.AppendQuote(outcomes, outcome), '\n')
	}
	sondeWriteFile(dir+"/done", outcomes)
}

// sondeIsSameDatabase reports whether earlier statements were executed in the database with this name. It also returns
// true if there were none. A row must not be deleted from another database that has a table of the same name.
func sondeIsSameDatabase(dir, name string) bool {
	earlier, err := os.ReadFile(dir + "/database")
	return err != nil || string(earlier) == name
}

// sondeCut returns the quoted text at the beginning of a line, without its quotes and escapes. rest is the rest of
// the line after a blank.
func sondeCut(line []byte) (text string, rest []byte) {
	quoted, err := strconv.QuotedPrefix(string(line))
	if err != nil {
		return "", nil
	}
	text, _ = strconv.Unquote(quoted)
	return text, bytes.TrimPrefix(line[len(quoted):], []byte(" "))
}

func sondeExecute(ci driver.Conn, statement string) error {
	e, ok := ci.(driver.ExecerContext)
	if !ok {
		return driver.ErrSkip
	}
	_, err := e.ExecContext(context.Background(), statement, nil)
	return err
}

// sondeWriteFile writes a file in such a way that no reader sees a part of its content.
func sondeWriteFile(path string, content []byte) {
	if os.WriteFile(path+".new", content, 0o600) == nil {
		_ = os.Rename(path+".new", path)
	}
}

// sondeMaxReports is the maximum size of the file with reports, which Sonde removes after each test.
const sondeMaxReports = 1 << 16

// reportEmpty reports that the statement found no rows.
func (p *sondePendingQuery) reportEmpty(dc *driverConn) {
	dir := sondeRowsFolder()
	if dir == "" || p.query == "" {
		return
	}
	reports := dir + "/empty"
	if s, err := os.Stat(reports); err == nil && s.Size() > sondeMaxReports {
		return
	}
	defer func() { _ = recover() }()
	dc.Lock()
	defer dc.Unlock()
	d := sondeDialect(dc.ci)
	if d == 0 {
		return
	}
	end, ok := sondeBeginReading(dc.ci, d)
	defer end()
	if !ok {
		return
	}
	text := p.appendReport(nil, dc.ci, d, dir)
	f, err := os.OpenFile(reports, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = f.Write(text)
		_ = f.Close()
	}
}

// appendReport appends the lines of a report: the statement (q), its tables (t), and what their rows must fulfil (f).
func (p *sondePendingQuery) appendReport(b []byte, ci driver.Conn, d sondequery.Dialect, dir string) []byte {
	b = append(strconv.AppendQuote(append(b, "q "...), p.query), '\n')
	q, ok := sondeParse(ci, d, p.query)
	if !ok {
		q = &sondequery.Statement{}
		for _, name := range sondequery.TableNames(d, p.query) {
			q.Tables = append(q.Tables, sondequery.Table{Name: name})
		}
	}
	for i := range q.Tables {
		if name := sondeDescribeTable(ci, d, dir, q.Tables[i].Name, 0); name != "" {
			b = append(strconv.AppendQuote(append(b, "t "...), name), '\n')
		}
	}
	for _, f := range q.Facts(sondeArguments{p, d}) {
		b = append(b, 'f')
		for _, s := range [...]string{f.Table, f.Column, f.OtherTable, f.OtherColumn} {
			b = strconv.AppendQuote(append(b, ' '), s)
		}
		b = strconv.AppendUint(append(b, ' '), uint64(f.Op), 10)
		b = append(sondeAppendValue(append(b, ' '), f.Value), '\n')
	}
	return b
}

// sondeAppendValue appends a number, a quoted text, or null.
func sondeAppendValue(b []byte, v sondequery.Value) []byte {
	switch v.Type {
	case sondequery.Integer:
		return strconv.AppendInt(b, v.Int, 10)
	case sondequery.Real:
		return strconv.AppendFloat(b, v.Real, 'g', -1, 64)
	case sondequery.Text:
		return strconv.AppendQuote(b, v.Text)
	}
	return append(b, "null"...)
}

// sondeFileName returns the first 100 bytes of a table's name in hex.
func sondeFileName(table string) string {
	var b []byte
	for i := range min(len(table), 100) {
		b = append(b, "0123456789abcdef"[table[i]>>4], "0123456789abcdef"[table[i]&15])
	}
	return string(b)
}

// sondeMaxParents is the maximum number of foreign keys that are followed from a table to others.
const sondeMaxParents = 4

// sondeDescribeTable writes the descriptions of a table and of the tables to which its foreign keys refer. It does
// nothing if the description of the table exists already. It returns the name of the table as the database has it, ""
// if there is no such table.
func sondeDescribeTable(ci driver.Conn, d sondequery.Dialect, dir, name string, depth int) (found string) {
	definition := ""
	sondeForEachRow(ci, d.Definition(name), func(row []sondequery.Value) { found, definition = row[0].Text, row[1].Text })
	path := dir + "/table-" + sondeFileName(found)
	if _, err := os.Stat(path); found == "" || err == nil || depth > sondeMaxParents {
		return found
	}
	b := append(strconv.AppendQuote(append([]byte(nil), "s "...), definition), '\n')
	sondeForEachRow(ci, d.Columns(found), func(row []sondequery.Value) {
		b = append(b, 'c')
		for _, v := range row {
			b = sondeAppendValue(append(b, ' '), v)
		}
		b = append(b, '\n')
	})
	var parents []string
	sondeForEachRow(ci, d.ForeignKeys(found), func(row []sondequery.Value) {
		b = append(b, 'k')
		for _, v := range row {
			b = sondeAppendValue(append(b, ' '), v)
		}
		b, parents = append(b, '\n'), append(parents, row[1].Text)
	})
	sondeWriteFile(path, b)
	for _, parent := range parents {
		sondeDescribeTable(ci, d, dir, parent, depth+1)
	}
	return found
}
