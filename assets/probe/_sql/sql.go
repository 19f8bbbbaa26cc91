// These declarations are added to database/sql. Each query that is made at a probed place reports whether it returned
// rows, and each UPDATE and DELETE whether it changed rows. If the database is SQLite and there are no rows, it also
// reports how far the statement was from finding a row. The functions that are wrapped here are renamed to sonde….
// The file imports only packages that database/sql imports anyway, and sondequery, which has nothing to initialise,
// so that the order of initialisation does not change.
package sql

import (
	"bytes"
	"context"
	"database/sql/driver"
	"io"
	"reflect"
	"strconv"
	"time"

	"sondeprobe/query"
)

// SondeSite is a place in the source with a query, an UPDATE or a DELETE.
type SondeSite interface {
	sondequery.Measure
	sondequery.Reporter
	IsDistanceNeeded() bool
	Record(rows bool, distance float64) (isNews bool)
}

// sondePendingQuery is a query whose first row was not read yet.
type sondePendingQuery struct {
	sites []SondeSite // the places that made the query; several if a probed call makes another
	query string
	args  []any
}

// sondeResult is the result of a statement that returns no rows.
type sondeResult struct {
	driverResult
	dc        *driverConn
	statement sondePendingQuery
}

// SondeRows records the place s of the query that returned the rows.
func SondeRows(s SondeSite) func(*Rows, error) (*Rows, error) {
	return func(rs *Rows, err error) (*Rows, error) {
		if rs != nil {
			rs.sonde.sites = append(rs.sonde.sites, s)
		}
		return rs, err
	}
}

// SondeRow records the place s of the query that returned the row.
func SondeRow(s SondeSite, r *Row) *Row {
	if r != nil && r.rows != nil {
		r.rows.sonde.sites = append(r.rows.sonde.sites, s)
	}
	return r
}

// SondeResult reports to the place s of an UPDATE or a DELETE whether it changed rows.
func SondeResult(s SondeSite) func(Result, error) (Result, error) {
	return func(res Result, err error) (Result, error) {
		if r, ok := res.(sondeResult); ok && err == nil {
			r.report(s)
		}
		return res, err
	}
}

func (r sondeResult) report(s SondeSite) {
	changed, err := r.RowsAffected()
	switch {
	case err != nil:
	case changed > 0:
		s.Record(true, 1)
	case s.IsDistanceNeeded():
		r.statement.recordNearest(r.dc, s)
	default:
		s.Record(false, 1)
	}
}

func (db *DB) execDC(ctx context.Context, dc *driverConn, release func(error), query string, args []any) (Result, error) {
	var released error
	res, err := db.sondeExecDC(ctx, dc, func(err error) { released = err }, query, args)
	defer func() { release(released) }() // after the report, which needs the connection
	r, ok := res.(driverResult)
	if !ok {
		return res, err
	}
	result := sondeResult{r, dc, sondePendingQuery{query: query, args: args}}
	if sondeRowsFolder() != "" && sondequery.IsChange(query) {
		if changed, err := r.RowsAffected(); err == nil && changed == 0 {
			result.statement.reportEmpty(dc)
		}
	}
	return result, nil
}

func (db *DB) queryDC(ctx, txctx context.Context, dc *driverConn, releaseConn func(error), query string, args []any) (*Rows, error) {
	rs, err := db.sondeQueryDC(ctx, txctx, dc, releaseConn, query, args)
	if rs != nil {
		rs.sonde.query, rs.sonde.args = query, args
	}
	return rs, err
}

// QueryContext executes a prepared query statement with the given arguments
// and returns the query results as a [*Rows].
func (s *Stmt) QueryContext(ctx context.Context, args ...any) (*Rows, error) {
	rs, err := s.sondeQueryContext(ctx, args...)
	if rs != nil {
		rs.sonde.query, rs.sonde.args = s.query, args
	}
	return rs, err
}

// nextLocked wraps the method that moves to the next row. When it moves to the first row, it reports to
// the places of the query whether there is one. It reports nothing after an error.
func (rs *Rows) nextLocked() (doClose, ok bool) {
	doClose, ok = rs.sondeNextLocked()
	pending := rs.sonde
	rs.sonde = sondePendingQuery{}
	if !ok && rs.lasterr == io.EOF {
		pending.reportEmpty(rs.dc)
	}
	for _, s := range pending.sites {
		switch {
		case ok:
			s.Record(true, 1)
		case rs.lasterr == io.EOF && s.IsDistanceNeeded():
			pending.recordNearest(rs.dc, s)
		case rs.lasterr == io.EOF:
			s.Record(false, 1)
		}
	}
	return doClose, ok
}

// recordNearest reports how far the query was from returning rows. If that is news, it also reports the
// values that the query compares with the nearest row.
func (p *sondePendingQuery) recordNearest(dc *driverConn, s SondeSite) {
	n, d := p.findNearest(dc, s), 1.0
	if n != nil {
		d = n.Distance()
	}
	if s.Record(false, d) && n != nil {
		n.Report(s)
	}
}

// findNearest returns the rows of the tables that come nearest to the conditions of the statement. It reads
// the rows on the statement's connection and in its transaction, without waiting for other connections. It
// returns nil if the rows cannot be read, or if the connection is closed, as it may be after Exec. It ignores errors,
// because the service already has the result of the statement.
func (p *sondePendingQuery) findNearest(dc *driverConn, m sondequery.Measure) *sondequery.Nearest {
	defer func() { _ = recover() }()
	dc.Lock()
	defer dc.Unlock()
	if !sondeIsSQLite(dc.ci) {
		return nil
	}
	defer sondeDisableBusyTimeout(dc.ci)()
	q, ok := sondequery.Parse(p.query, func(table, column string) bool {
		return sondeHasRow(dc.ci, sondequery.IsColumn(table, column))
	})
	if !ok {
		return nil
	}
	nearest := q.Nearest(p, m)
	for i := range q.Tables {
		t := &q.Tables[i]
		add := func(row []sondequery.Value) { nearest.Add(i, row) }
		if !sondeHasRow(dc.ci, t.IsTable()) || !sondeForEachRow(dc.ci, t.Rows(), add) {
			return nil
		}
	}
	nearest.Distance()
	return nearest
}

// sondeHasRow reports whether a query returns a row.
func sondeHasRow(ci driver.Conn, query string) (found bool) {
	return sondeForEachRow(ci, query, func([]sondequery.Value) { found = true }) && found
}

// sondeDisableBusyTimeout makes a connection of SQLite not wait for other connections until restore is called.
// If the connection has no busy_timeout, it does nothing.
func sondeDisableBusyTimeout(ci driver.Conn) (restore func()) {
	wait := int64(0)
	sondeForEachRow(ci, "PRAGMA busy_timeout", func(row []sondequery.Value) { wait = row[0].Int })
	if wait <= 0 {
		return func() {}
	}
	sondeForEachRow(ci, "PRAGMA busy_timeout = 0", func([]sondequery.Value) {})
	return func() {
		sondeForEachRow(ci, "PRAGMA busy_timeout = "+strconv.FormatInt(wait, 10), func([]sondequery.Value) {})
	}
}

// sondeIsSQLite reports whether a connection is to SQLite, according to the name of its type and
// package. It returns false for nil, a closed connection.
func sondeIsSQLite(ci driver.Conn) bool {
	t := reflect.TypeOf(ci)
	if t == nil {
		return false
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return bytes.Contains(bytes.ToLower([]byte(t.PkgPath()+"."+t.Name())), []byte("sqlite"))
}

// sondeMaxReadTime is the maximum time for which a table is read. The limit is not set by a context,
// because in SQLite the end of a context would also end other queries on the connection.
const sondeMaxReadTime = 100 * time.Millisecond

// sondeForEachRow makes a query and calls visit with each row that it gets within sondeMaxReadTime. It returns false
// after an error.
func sondeForEachRow(ci driver.Conn, query string, visit func([]sondequery.Value)) bool {
	queryer, ok := ci.(driver.QueryerContext)
	if !ok {
		return false
	}
	rows, err := queryer.QueryContext(context.Background(), query, nil)
	if err != nil {
		return false
	}
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	values := make([]sondequery.Value, len(row))
	for start := time.Now(); time.Since(start) < sondeMaxReadTime; {
		if err := rows.Next(row); err != nil {
			return err == io.EOF
		}
		for i, v := range row {
			values[i] = sondeValue(v)
		}
		visit(values)
	}
	return true
}

// Argument returns the argument of the query with this name or, if there is none, with this index. The argument
// has the type that the driver gets.
func (p *sondePendingQuery) Argument(index int, name string) sondequery.Value {
	for _, arg := range p.args {
		if named, ok := arg.(NamedArg); ok && named.Name == name && name != "" {
			return sondeArgument(named.Value)
		}
	}
	if index >= len(p.args) {
		return sondequery.Value{}
	}
	return sondeArgument(p.args[index])
}

func sondeArgument(arg any) sondequery.Value {
	v, err := driver.DefaultParameterConverter.ConvertValue(arg)
	if err != nil {
		return sondequery.Value{}
	}
	return sondeValue(v)
}

func sondeValue(v driver.Value) sondequery.Value {
	switch v := v.(type) {
	case nil:
		return sondequery.Value{Type: sondequery.Null}
	case int64:
		return sondequery.Value{Type: sondequery.Integer, Int: v}
	case float64:
		return sondequery.Value{Type: sondequery.Real, Real: v}
	case bool:
		if v {
			return sondequery.Value{Type: sondequery.Integer, Int: 1}
		}
		return sondequery.Value{Type: sondequery.Integer}
	case string:
		return sondequery.Value{Type: sondequery.Text, Text: v}
	case []byte:
		return sondequery.Value{Type: sondequery.Text, Text: string(v)}
	case time.Time: // drivers store times in several forms, which all begin like this
		return sondequery.Value{Type: sondequery.Text, Text: v.Format(time.DateTime)}
	}
	return sondequery.Value{}
}
