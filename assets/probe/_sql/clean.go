package sql

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"os"
	"strconv"
	"sync"

	"sondeprobe/query"
)

// This file lets Sonde clean databases of SQLite: it brings their rows back to those that they had when the service was
// ready. The environment variable SONDE_CLEAN names a folder with these files:
//
//	resets     the number of resets so far, which Sonde increments; there is no file before the first one
//	seed-NAME  the rows of a database file at the first reset, as statements; NAME is its path in hex
//	problems   what could not be cleaned, one quoted line each
//
// At a reset, a database is cleaned before the service next uses it. The first reset only stores its rows.

const (
	sondeMaxSeedRows  = 10_000   // a table with more rows is not cleaned
	sondeMaxSeedBytes = 64 << 20 // of the stored rows of a database
	sondeMaxRounds    = 4        // of restoring rows, because triggers may change others
	sondeMaxProblems  = 1 << 16  // the maximum size of the file problems
)

// sondeCleaning has the state of cleaning.
var sondeCleaning struct {
	once  sync.Once
	dir   string // "" if databases are not cleaned
	mu    sync.Mutex
	seeds map[any]*sondeSeed // by the path of the database file, or by the *DB for a database in memory
	keys  map[*DB]any        // the keys in seeds
}

// sondeSeed has the rows of a database at the first reset.
type sondeSeed struct {
	resets int  // the number of the last reset for which the database was cleaned
	isLeft bool // the rows could not be read, so that the database is not cleaned
	tables []sondeSeedTable
}

// sondeSeedTable has the rows of a table. Statements find a row by its condition, such as "rowid = 3".
type sondeSeedTable struct {
	name   string
	isLeft bool              // it has too many rows, and is not cleaned
	order  []string          // the conditions of the rows, in the order of the table
	values map[string]string // the values of each row as literals, by its condition
}

// sondeClean cleans the database of a connection, if Sonde has asked for a reset since the database was last cleaned.
func sondeClean(db *DB, dc *driverConn) {
	c := &sondeCleaning
	c.once.Do(func() { c.dir, c.seeds, c.keys = os.Getenv("SONDE_CLEAN"), map[any]*sondeSeed{}, map[*DB]any{} })
	if c.dir == "" {
		return
	}
	text, err := os.ReadFile(c.dir + "/resets")
	if err != nil {
		return
	}
	resets, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if seed := c.seeds[c.keys[db]]; seed != nil && seed.resets >= resets {
		return
	}
	dc.Lock()
	defer dc.Unlock()
	if sondeDialect(dc.ci) != sondequery.SQLite {
		return
	}
	defer func() {
		if recover() != nil {
			sondeReportProblem(c.dir, "the driver of the database panics")
		}
	}()
	if err := sondeCleanConn(db, dc.ci, resets); err != nil {
		sondeReportProblem(c.dir, err.Error())
	}
}

// sondeCleanConn cleans a database, or stores its rows at the first reset.
func sondeCleanConn(db *DB, ci driver.Conn, resets int) error {
	c := &sondeCleaning
	key, ok := c.keys[db]
	if !ok {
		key = any(db)
		if path := sondeDatabase(ci, sondequery.SQLite); path != "" {
			key = path
		}
		c.keys[db] = key
	}
	seed := c.seeds[key]
	if seed != nil && seed.resets >= resets {
		return nil
	}
	if seed == nil {
		path, _ := key.(string)
		seed = &sondeSeed{}
		c.seeds[key] = seed
		if path == "" || !seed.load(c.dir+"/seed-"+sondeFileName(path)) {
			err := seed.read(ci, c.dir)
			seed.resets, seed.isLeft = resets, err != nil
			if path != "" && err == nil {
				seed.save(c.dir + "/seed-" + sondeFileName(path))
			}
			return err
		}
	}
	if seed.isLeft {
		return nil
	}
	err := seed.restore(ci)
	if err == nil {
		seed.resets = resets
	}
	return err
}

// sondeReportProblem appends a line to the file problems, unless the file is large already.
func sondeReportProblem(dir, problem string) {
	path := dir + "/problems"
	if s, err := os.Stat(path); err == nil && s.Size() > sondeMaxProblems {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = f.Write(append(strconv.AppendQuote(nil, problem), '\n'))
		_ = f.Close()
	}
}

// read stores the rows of all tables. It reports the tables with too many rows.
func (s *sondeSeed) read(ci driver.Conn, dir string) error {
	names, err := sondeTables(ci)
	size := 0
	for _, name := range names {
		t := sondeSeedTable{name: name, values: map[string]string{}}
		if err := t.read(ci, sondeMaxSeedRows+1); err != nil {
			return err
		}
		for condition, values := range t.values {
			size += len(condition) + len(values)
		}
		if len(t.order) > sondeMaxSeedRows || size > sondeMaxSeedBytes {
			t = sondeSeedTable{name: name, isLeft: true}
			sondeReportProblem(dir, "table "+name+" is not cleaned: it is too large")
		}
		s.tables = append(s.tables, t)
	}
	return err
}

// sondeTables returns the names of the tables, without virtual tables and the tables of their content. The table with
// the numbers of AUTOINCREMENT is last, because other tables change it.
func sondeTables(ci driver.Conn) (names []string, err error) {
	var virtual []string
	const list = `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		UNION ALL SELECT name, sql FROM sqlite_master WHERE name = 'sqlite_sequence'`
	err = sondeRead(ci, list, func(row []driver.Value) {
		name := sondeText(row[0])
		if sondeHasPrefix(sondeText(row[1]), "CREATE VIRTUAL") {
			virtual = append(virtual, name)
		} else {
			names = append(names, name)
		}
	})
	kept := names[:0]
	for _, name := range names {
		isContent := false
		for _, v := range virtual {
			isContent = isContent || sondeHasPrefix(name, v+"_")
		}
		if !isContent {
			kept = append(kept, name)
		}
	}
	return kept, err
}

// read stores at most limit rows of the table; 0 means all.
func (t *sondeSeedTable) read(ci driver.Conn, limit int) error {
	condition, _, values, err := sondeRowTexts(ci, t.name)
	if err != nil {
		return err
	}
	query := "SELECT " + condition + ", " + values + " FROM " + sondeName(t.name)
	if limit > 0 {
		query += " LIMIT " + strconv.Itoa(limit)
	}
	return sondeRead(ci, query, func(row []driver.Value) {
		condition := sondeText(row[0])
		t.order = append(t.order, condition)
		t.values[condition] = sondeText(row[1])
	})
}

// sondeRowTexts returns two expressions for the rows of a table: a condition that only this row fulfils, and its values as
// literals. columns are the columns of these values.
func sondeRowTexts(ci driver.Conn, table string) (condition, columns, values string, err error) {
	var names, keys []string
	err = sondeRead(ci, "SELECT name, pk FROM pragma_table_info("+sondeLiteral(table)+")", func(row []driver.Value) {
		name := sondeText(row[0])
		names = append(names, name)
		if pk, _ := row[1].(int64); pk > 0 {
			keys = append(keys, name)
		}
	})
	if err != nil {
		return "", "", "", err
	}
	if len(names) == 0 {
		return "", "", "", errors.New("table " + table + " has no columns")
	}
	if rowid := sondeRowid(ci, table, names); rowid != "" {
		condition = "'" + rowid + " = ' || " + rowid
		columns, values = rowid, "quote("+rowid+")"
	} else {
		for i, k := range keys {
			if i > 0 {
				condition += " || ' AND ' || "
			}
			condition += sondeLiteral(sondeName(k)+" IS ") + " || quote(" + sondeName(k) + ")"
		}
	}
	for _, name := range names {
		if values != "" {
			columns, values = columns+", ", values+" || ', ' || "
		}
		columns, values = columns+sondeName(name), values+"quote("+sondeName(name)+")"
	}
	return condition, columns, values, nil
}

// sondeRowid returns a name of the row ID of a table, "" for a table WITHOUT ROWID.
func sondeRowid(ci driver.Conn, table string, columns []string) string {
	for _, name := range [...]string{"rowid", "_rowid_", "oid"} {
		isColumn := false
		for _, c := range columns {
			isColumn = isColumn || sondeEqualFold(c, name)
		}
		if !isColumn && sondeRead(ci, "SELECT "+name+" FROM "+sondeName(table)+" LIMIT 0", func([]driver.Value) {}) == nil {
			return name
		}
	}
	return ""
}

// restore brings all stored tables back to their rows, and deletes the rows of tables that are new. Foreign keys are not
// enforced meanwhile, so that a deletion has no effect on other tables.
func (s *sondeSeed) restore(ci driver.Conn) (err error) {
	enforced := false
	err = sondeRead(ci, "PRAGMA foreign_keys", func(row []driver.Value) { enforced = row[0] == int64(1) })
	if err == nil && enforced {
		err = sondeExecute(ci, "PRAGMA foreign_keys = OFF")
		defer func() {
			if on := sondeExecute(ci, "PRAGMA foreign_keys = ON"); err == nil {
				err = on
			}
		}()
	}
	if err == nil {
		err = sondeExecute(ci, "BEGIN IMMEDIATE")
	}
	if err != nil {
		return err
	}
	isChanged := true
	for round := 0; isChanged && err == nil && round < sondeMaxRounds; round++ {
		isChanged, err = s.restoreOnce(ci)
	}
	if err != nil {
		_ = sondeExecute(ci, "ROLLBACK")
		return err
	}
	return sondeExecute(ci, "COMMIT")
}

// restoreOnce restores each table once. It reports whether a table was changed.
func (s *sondeSeed) restoreOnce(ci driver.Conn) (isChanged bool, err error) {
	names, err := sondeTables(ci)
	if err != nil {
		return false, err
	}
	for _, name := range names {
		stored := sondeSeedTable{name: name}
		for _, t := range s.tables {
			if t.name == name {
				stored = t
			}
		}
		if stored.isLeft {
			continue
		}
		changed, err := stored.restore(ci)
		if err != nil {
			return false, errors.New("table " + name + " is not cleaned: " + err.Error())
		}
		isChanged = isChanged || changed
	}
	return isChanged, nil
}

// restore deletes the rows that were not stored, and inserts the stored rows that are missing. It reports whether there
// were any.
func (t *sondeSeedTable) restore(ci driver.Conn) (isChanged bool, err error) {
	now := sondeSeedTable{name: t.name, values: map[string]string{}}
	if err := now.read(ci, 0); err != nil {
		return false, err
	}
	_, columns, _, err := sondeRowTexts(ci, t.name)
	if err != nil {
		return false, err
	}
	var statements []string
	for _, condition := range now.order {
		if values, ok := t.values[condition]; !ok || values != now.values[condition] {
			statements = append(statements, "DELETE FROM "+sondeName(t.name)+" WHERE "+condition)
		}
	}
	for _, condition := range t.order {
		if values, ok := now.values[condition]; !ok || values != t.values[condition] {
			statements = append(statements, "INSERT INTO "+sondeName(t.name)+" ("+columns+") VALUES ("+t.values[condition]+")")
		}
	}
	for _, statement := range statements {
		if err := sondeExecute(ci, statement); err != nil {
			return false, err
		}
	}
	return len(statements) > 0, nil
}

// save writes the rows to a file. A process of the service that is started later cleans the database of the file, too.
func (s *sondeSeed) save(path string) {
	var b []byte
	for _, t := range s.tables {
		kind := byte('t')
		if t.isLeft {
			kind = 'l'
		}
		b = append(strconv.AppendQuote(append(b, kind, ' '), t.name), '\n')
		for _, condition := range t.order {
			b = append(strconv.AppendQuote(append(b, 'r', ' '), condition), ' ')
			b = append(strconv.AppendQuote(b, t.values[condition]), '\n')
		}
	}
	sondeWriteFile(path, b)
}

// load reads the rows from a file. It returns false if there is no file.
func (s *sondeSeed) load(path string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		if len(line) < 2 {
			continue
		}
		first, rest := sondeCut(line[2:])
		if line[0] != 'r' {
			s.tables = append(s.tables, sondeSeedTable{name: first, isLeft: line[0] == 'l', values: map[string]string{}})
			continue
		}
		t := &s.tables[len(s.tables)-1]
		t.order = append(t.order, first)
		t.values[first], _ = sondeCut(rest)
	}
	return true
}

// sondeRead makes a query and calls visit with each row.
func sondeRead(ci driver.Conn, query string, visit func([]driver.Value)) error {
	queryer, ok := ci.(driver.QueryerContext)
	if !ok {
		return errors.New("the driver of the database has no direct queries")
	}
	rows, err := queryer.QueryContext(context.Background(), query, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(row); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		visit(row)
	}
}

// sondeText returns a text or a number as a text.
func sondeText(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return ""
}

func sondeName(name string) string { return `"` + sondeDouble(name, '"') + `"` }

func sondeLiteral(text string) string { return "'" + sondeDouble(text, '\'') + "'" }

// sondeDouble doubles a quote in a text.
func sondeDouble(text string, quote byte) string {
	return string(bytes.ReplaceAll([]byte(text), []byte{quote}, []byte{quote, quote}))
}

func sondeEqualFold(a, b string) bool { return bytes.EqualFold([]byte(a), []byte(b)) }

// sondeHasPrefix reports whether a text has a prefix, regardless of case.
func sondeHasPrefix(text, prefix string) bool {
	return len(text) >= len(prefix) && sondeEqualFold(text[:len(prefix)], prefix)
}
