// These declarations are added to database/sql: each query made at a probed place
// reports whether it had rows and, if SQLite answered it, how far it was from any. The
// functions that are wrapped here are renamed to sonde…. Nothing is imported that the
// package does not import anyway, so that the order of initialisation stays;
// sondeprobe/query has nothing to initialise.
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

// SondeSite is a place in the source with a query.
type SondeSite interface {
	sondequery.Measure
	sondequery.Teller
	Wanted() bool
	Learn(rows bool, distance float64) (news bool)
}

// sondeAsked is the query of rows of which none was read yet, and its place: one place
// may call another.
type sondeAsked struct {
	sites []SondeSite
	query string
	args  []any
}

// SondeRows records the place of the query of some rows.
func SondeRows(s SondeSite) func(*Rows, error) (*Rows, error) {
	return func(rs *Rows, err error) (*Rows, error) {
		if rs != nil {
			rs.sonde.sites = append(rs.sonde.sites, s)
		}
		return rs, err
	}
}

// SondeRow records the place of the query of a row.
func SondeRow(s SondeSite, r *Row) *Row {
	if r != nil && r.rows != nil {
		r.rows.sonde.sites = append(r.rows.sonde.sites, s)
	}
	return r
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

// nextLocked reports whether the first row exists. An error is neither.
func (rs *Rows) nextLocked() (doClose, ok bool) {
	doClose, ok = rs.sondeNextLocked()
	asked := rs.sonde
	rs.sonde = sondeAsked{}
	for _, s := range asked.sites {
		switch {
		case ok:
			s.Learn(true, 1)
		case rs.lasterr == io.EOF && s.Wanted():
			asked.nearest(rs.dc, s)
		case rs.lasterr == io.EOF:
			s.Learn(false, 1)
		}
	}
	return doClose, ok
}

// nearest reports how far the query was from rows and, if that is news, what it
// compares with the nearest row.
func (a *sondeAsked) nearest(dc *driverConn, s SondeSite) {
	n, d := a.look(dc, s), 1.0
	if n != nil {
		d = n.Distance()
	}
	if s.Learn(false, d) && n != nil {
		n.Tell(s)
	}
}

// look reads the table's rows on the connection of the query, in its transaction. It
// waits for no other connection and ignores errors: the service already has its answer.
func (a *sondeAsked) look(dc *driverConn, m sondequery.Measure) (found *sondequery.Nearest) {
	q, ok := sondequery.Parse(a.query)
	if !ok || !sondeIsSQLite(dc.ci) {
		return nil
	}
	defer func() { _ = recover() }()
	dc.Lock()
	defer dc.Unlock()
	defer sondeHurry(dc.ci)()
	isTable := false
	if !sondeEach(dc.ci, q.IsTable(), func([]sondequery.Value) { isTable = true }) || !isTable {
		return nil
	}
	nearest := q.Nearest(a, m)
	if sondeEach(dc.ci, q.Rows(), nearest.Add) {
		found = nearest
	}
	return found
}

// sondeHurry makes a connection of SQLite not wait for others until the returned
// function is called. If no time is set, it does not wait, or has a way of the driver,
// which stays.
func sondeHurry(ci driver.Conn) (restore func()) {
	wait := int64(0)
	sondeEach(ci, "PRAGMA busy_timeout", func(row []sondequery.Value) { wait = row[0].Int })
	if wait <= 0 {
		return func() {}
	}
	sondeEach(ci, "PRAGMA busy_timeout = 0", func([]sondequery.Value) {})
	return func() {
		sondeEach(ci, "PRAGMA busy_timeout = "+strconv.FormatInt(wait, 10), func([]sondequery.Value) {})
	}
}

// sondeIsSQLite reports whether a connection is SQLite's, by its type and the package
// of that.
func sondeIsSQLite(ci driver.Conn) bool {
	t := reflect.TypeOf(ci)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return bytes.Contains(bytes.ToLower([]byte(t.PkgPath()+"."+t.Name())), []byte("sqlite"))
}

// sondeLong bounds how long a table is read. A context could not end the query alone:
// in SQLite it would end others of the connection.
const sondeLong = 100 * time.Millisecond

// sondeEach queries rows, and reports whether it got them.
func sondeEach(ci driver.Conn, query string, each func([]sondequery.Value)) bool {
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
	for start := time.Now(); time.Since(start) < sondeLong; {
		if err := rows.Next(row); err != nil {
			return err == io.EOF
		}
		for i, v := range row {
			values[i] = sondeValue(v)
		}
		each(values)
	}
	return true
}

// Argument converts an argument as the driver gets it.
func (a *sondeAsked) Argument(index int, name string) sondequery.Value {
	for _, arg := range a.args {
		if named, ok := arg.(NamedArg); ok && named.Name == name && name != "" {
			return sondeArgument(named.Value)
		}
	}
	if index >= len(a.args) {
		return sondequery.Value{}
	}
	return sondeArgument(a.args[index])
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
	case time.Time: // which drivers store in several ways, all with this beginning
		return sondequery.Value{Type: sondequery.Text, Text: v.Format(time.DateTime)}
	}
	return sondequery.Value{}
}
