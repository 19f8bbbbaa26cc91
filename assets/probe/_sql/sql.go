// These declarations are added to database/sql. Each query that is made at a probed place reports whether it returned
// rows, and each UPDATE and DELETE whether it changed rows. If the database is SQLite or PostgreSQL and there are no
// rows, it also reports how far the statement was from finding a row. The functions that are wrapped here are renamed to
// sonde….
// The file imports only packages that database/sql imports anyway, and sondequery, which has nothing to initialise. Nor
// have the few other packages that the files for cleaning import. So the order of initialisation does not change.
package sql

import (
	"context"
	"database/sql/driver"
	"io"
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

// sondeArguments are the arguments of a query as a database gets them.
type sondeArguments struct {
	*sondePendingQuery
	dialect sondequery.Dialect
}

// sondeResult is the result of a statement that returns no rows.
type sondeResult struct {
	driverResult
	dc        *driverConn
	statement sondePendingQuery
	nearest   *sondequery.Nearest // for PostgreSQL, the nearest rows; nil if the statement changed rows
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
	case r.nearest != nil && s.IsDistanceNeeded():
		r.nearest.SetMeasure(s)
		sondeRecordNearest(r.nearest, s)
	case s.IsDistanceNeeded():
		sondeRecordNearest(r.statement.findNearest(r.dc, s), s)
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
	result := sondeResult{driverResult: r, dc: dc, statement: sondePendingQuery{query: query, args: args}}
	result.lookAtRows()
	return result, nil
}

// lookAtRows looks at the tables of an UPDATE or DELETE that changed no rows. It does so while the statement still has
// the connection: later, another goroutine may use the connection, and a driver of PostgreSQL permits only one statement
// at a time.
func (r *sondeResult) lookAtRows() {
	if !sondequery.IsChange(r.statement.query) {
		return
	}
	changed, err := r.RowsAffected()
	if err != nil || changed > 0 {
		return
	}
	if sondeRowsFolder() != "" {
		r.statement.reportEmpty(r.dc)
	}
	if sondeDialect(r.dc.ci) == sondequery.PostgreSQL {
		r.nearest = r.statement.findNearest(r.dc, nil)
	}
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
	isEmpty := !ok && rs.lasterr == io.EOF
	if isEmpty && !rs.sondeHasMore() {
		pending.reportEmpty(rs.dc)
	}
	for _, s := range pending.sites {
		switch {
		case ok:
			s.Record(true, 1)
		case isEmpty && s.IsDistanceNeeded() && !rs.sondeHasMore():
			sondeRecordNearest(pending.findNearest(rs.dc, s), s)
		case isEmpty:
			s.Record(false, 1)
		}
	}
	return doClose, ok
}

// sondeHasMore reports whether the results of other queries follow. Until they are read, the connection cannot be used.
func (rs *Rows) sondeHasMore() bool {
	more, ok := rs.rowsi.(driver.RowsNextResultSet)
	return ok && more.HasNextResultSet()
}

// sondeRecordNearest reports how far a query was from returning rows. If that is news, it also reports the values that
// the query compares with the nearest row. n is nil if the rows are unknown.
func sondeRecordNearest(n *sondequery.Nearest, s SondeSite) {
	defer func() { _ = recover() }()
	d := 1.0
	if n != nil {
		d = n.Distance()
	}
	if s.Record(false, d) && n != nil {
		n.Report(s)
	}
}

// findNearest reads the rows of the statement's tables. The result finds those rows that come nearest to the
// conditions of the statement. findNearest uses the statement's connection and its transaction, without waiting for
// other connections. It returns nil if the rows cannot be read, or if the connection is closed, as it may be after
// Exec. It ignores errors, because the service already has the result of the statement.
func (p *sondePendingQuery) findNearest(dc *driverConn, m sondequery.Measure) *sondequery.Nearest {
	defer func() { _ = recover() }()
	dc.Lock()
	defer dc.Unlock()
	d := sondeDialect(dc.ci)
	if d == 0 {
		return nil
	}
	end, ok := sondeBeginReading(dc.ci, d)
	defer end()
	if !ok {
		return nil
	}
	q, ok := sondeParse(dc.ci, d, p.query)
	if !ok {
		return nil
	}
	nearest := q.Nearest(sondeArguments{p, d}, m)
	for i := range q.Tables {
		add := func(row []sondequery.Value) { nearest.Add(i, row) }
		if !sondeHasRow(dc.ci, d.Definition(q.Tables[i].Name)) || !sondeForEachRow(dc.ci, q.Rows(i), add) {
			return nil
		}
	}
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

// Argument returns the argument of the query with this name or, if there is none, with this index. It returns an
// Unknown value if there is neither. The argument has the type that the driver gets.
func (a sondeArguments) Argument(index int, name string) sondequery.Value {
	for _, arg := range a.args {
		if named, ok := arg.(NamedArg); ok && named.Name == name && name != "" {
			return a.value(named.Value)
		}
	}
	if index >= len(a.args) {
		return sondequery.Value{}
	}
	return a.value(a.args[index])
}

func (a sondeArguments) value(arg any) sondequery.Value {
	v, err := driver.DefaultParameterConverter.ConvertValue(arg)
	switch at, isTime := v.(time.Time); {
	case err != nil:
		return sondeArray(arg)
	case isTime && a.dialect == sondequery.PostgreSQL: // PostgreSQL compares times with zones
		return sondequery.Value{Type: sondequery.Text, Text: at.Format(time.RFC3339Nano)}
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
	case time.Time: // drivers store times in several forms, which all begin with this form
		return sondequery.Value{Type: sondequery.Text, Text: v.Format(time.DateTime)}
	}
	return sondequery.Value{}
}
