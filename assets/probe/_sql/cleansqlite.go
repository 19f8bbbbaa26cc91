package sql

import (
	"errors"
	"os"
	"strconv"
	"strings"
)

// This file cleans databases of SQLite. The seed is a database, too: the rows are copied and compared within SQLite, so that
// values of all types stay as they are.

const (
	sondeMaxSeedRows = 100_000 // a table with more rows is not cleaned
	sondeMaxRounds   = 4       // of restoring all tables, because triggers may change others
)

// cleanSQLite cleans a database, or takes its seed if it is new. It does nothing if the database has not changed.
func (st *sondeDatabaseState) cleanSQLite(s *sondeCleaner, dc *driverConn, isNew bool) error {
	if s.execute("BEGIN") != nil { // it takes no lock
		return errors.New("the service has left a connection in a transaction")
	}
	s.mustExecute("ROLLBACK")
	return s.whenUnlocked(sondeIsLocked, func() error { return st.cleanUnlocked(s, dc, isNew) })
}

// cleanUnlocked is cleanSQLite outside of a transaction, for a database that no other connection has locked.
func (st *sondeDatabaseState) cleanUnlocked(s *sondeCleaner, dc *driverConn, isNew bool) error {
	now, err := s.versions()
	if err != nil || !isNew && dc == st.last && now == st.versions {
		return err
	}
	if isNew {
		err = s.takeSeed(st.seed)
	} else {
		err = s.restore(st.seed)
	}
	if err == nil && len(s.problems) == 0 {
		st.last = dc
		st.versions, err = s.versions()
	}
	return err
}

func (s *sondeCleaner) versions() (v sondeVersions, err error) {
	err = s.read("PRAGMA main.data_version", func(row []string) { v.others = row[0] })
	if err == nil {
		err = s.read("SELECT total_changes()", func(row []string) { v.own = row[0] })
	}
	if err == nil {
		err = s.read("PRAGMA main.schema_version", func(row []string) { v.schema = row[0] })
	}
	return v, err
}

// sqlitePath returns the path of the main database, "" if it is in memory.
func (s *sondeCleaner) sqlitePath() (name string, err error) {
	err = s.read("PRAGMA database_list", func(row []string) {
		switch row[1] {
		case "main":
			name = row[2]
		case "temp":
		default:
			s.problem("the attached database " + row[1] + " is not cleaned")
		}
	})
	return name, err
}

// takeSeed copies the rows of all tables into a new database. If another process of the service has done so meanwhile, its
// seed is kept. Then takeSeed compares the database with the seed, so that what cannot be restored is known before the
// first test.
func (s *sondeCleaner) takeSeed(path string) error {
	own := sondeCleaning.dir + "/" + strconv.Itoa(os.Getpid()) + ".new"
	defer os.Remove(own)
	_ = os.Remove(own) // of an earlier process
	err := s.attached(own, "BEGIN", s.copyTables)
	if err == nil {
		err = os.Link(own, path)
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return s.restore(path)
}

// attached calls f in a transaction, with the database of a file as sonde_seed.
func (s *sondeCleaner) attached(path, begin string, f func() error) error {
	err := s.execute("ATTACH DATABASE " + sondeLiteral(path) + " AS sonde_seed")
	if err != nil {
		return err
	}
	defer s.mustExecute("DETACH DATABASE sonde_seed")
	err = s.execute(begin)
	if err != nil {
		return err
	}
	err = f()
	if err == nil {
		err = s.execute("COMMIT")
	}
	if err != nil && s.execute("ROLLBACK") != nil && s.execute("BEGIN") == nil {
		s.mustExecute("ROLLBACK") // a trigger had ended the transaction
	}
	return err
}

// sondeIsLocked reports whether another connection causes an error.
func sondeIsLocked(err error) bool {
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "locked") || strings.Contains(text, "busy")
}

func (s *sondeCleaner) copyTables() error {
	err := s.execute("CREATE TABLE sonde_seed.tables (name, columns)")
	if err != nil {
		return err
	}
	tables, err := s.tables()
	for i, t := range tables {
		if err == nil {
			err = s.copyTable(t, i+1)
		}
	}
	return err
}

// copyTable copies the rows of a table to the seed, and adds the table to sonde_seed.tables with the row ID number. For a
// table that is not cleaned, it copies no rows and sets columns to NULL.
func (s *sondeCleaner) copyTable(t *sondeTable, number int) error {
	id, columns := strconv.Itoa(number), sondeLiteral(t.columnList())
	rows := 0
	err := s.read("SELECT count(*) FROM (SELECT 1 FROM "+t.name+" LIMIT "+strconv.Itoa(sondeMaxSeedRows+1)+")", func(row []string) {
		rows, _ = strconv.Atoi(row[0])
	})
	switch {
	case err != nil:
	case rows > sondeMaxSeedRows:
		columns = "NULL"
		s.problem("table " + t.text + " is not cleaned: it has more than " + strconv.Itoa(sondeMaxSeedRows) + " rows")
	case t.rowid == "" && len(t.keys) == 0:
		columns = "NULL"
		s.problem("table " + t.text + " is not cleaned: its columns hide the row ID")
	default:
		err = s.execute("CREATE TABLE sonde_seed.t" + id + " " + t.seedColumns())
		if err == nil {
			err = s.execute("INSERT INTO sonde_seed.t" + id + " SELECT " + t.columnList() + " FROM " + t.name)
		}
	}
	if err == nil {
		values := strings.Join([]string{id, sondeLiteral(t.text), columns}, ", ")
		err = s.execute("INSERT INTO sonde_seed.tables (rowid, name, columns) VALUES (" + values + ")")
	}
	return err
}

// restore brings all tables back to the rows of the seed. Foreign keys are not enforced meanwhile, so that a deletion
// has no effect on other tables.
func (s *sondeCleaner) restore(path string) error {
	enforced := false
	err := s.read("PRAGMA foreign_keys", func(row []string) { enforced = row[0] == "1" })
	if err == nil && enforced {
		err = s.execute("PRAGMA foreign_keys = OFF")
		defer s.mustExecute("PRAGMA foreign_keys = ON")
	}
	if err != nil {
		return err
	}
	readOnly := false
	err = s.read("PRAGMA query_only", func(row []string) { readOnly = row[0] == "1" })
	if err == nil && readOnly {
		err = errors.New("the service only reads by this connection")
	}
	if err != nil {
		return err
	}
	return s.attached(path, "BEGIN IMMEDIATE", s.restoreTables)
}

// restoreTables restores all tables, and once more as long as triggers change them.
func (s *sondeCleaner) restoreTables() error {
	s.hasTriggers = false
	const triggers = `SELECT 1 FROM (SELECT type FROM main.sqlite_master UNION ALL SELECT type FROM sqlite_temp_master)
		WHERE type = 'trigger' LIMIT 1`
	err := s.read(triggers, func([]string) { s.hasTriggers = true })
	if err != nil {
		return err
	}
	earlier := s.problems
	var changed []string
	for range sondeMaxRounds {
		s.problems = earlier[:len(earlier):len(earlier)] // each round finds all others
		changed, err = s.restoreEach()
		if err != nil || len(changed) == 0 || !s.hasTriggers {
			return err
		}
	}
	for _, name := range changed {
		s.problem("table " + name + " is not cleaned: triggers change rows that were restored")
	}
	return nil
}

// restoreEach restores each table once. It returns the names of those that were changed.
func (s *sondeCleaner) restoreEach() (changed []string, err error) {
	seeds := map[string][]string{} // the number and the columns of a table, by its name
	err = s.read("SELECT name, rowid, columns FROM sonde_seed.tables", func(row []string) {
		seeds[row[0]] = []string{row[1], row[2]}
	})
	var tables []*sondeTable
	if err == nil {
		tables, err = s.tables()
	}
	if err != nil {
		return nil, err
	}
	if len(seeds) == 0 {
		s.problem("the database is not cleaned: it had no tables when the service was ready")
		return nil, nil
	}
	var unknown []*sondeTable
	for _, t := range tables {
		seed, hasSeed := seeds[t.text]
		delete(seeds, t.text)
		switch {
		case !hasSeed:
			unknown = append(unknown, t)
		case seed[1] == "": // takeSeed has reported why
		case seed[1] != t.columnList():
			s.problem("table " + t.text + " is not cleaned: its columns have changed")
		default:
			changed, err = s.restoreOne(changed, t, func() (int64, error) { return s.restoreTable(t, "sonde_seed.t"+seed[0]) })
		}
		if err != nil {
			return nil, err
		}
	}
	for name := range seeds {
		s.problem("table " + name + " is not cleaned: it was dropped or renamed")
	}
	for _, t := range unknown {
		switch {
		case len(seeds) > 0: // it may have the rows of a table that was renamed
			s.problem("table " + t.text + " is not cleaned: it may be another one with a new name")
		default:
			changed, err = s.restoreOne(changed, t, func() (int64, error) { return s.change("DELETE FROM " + t.name) })
		}
		if err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// restoreOne calls restore for a table. If restore fails, restoreOne undoes what it has done and notes a problem. If restore
// has changed rows, restoreOne adds the name of the table to changed. The error is why no table can be restored.
func (s *sondeCleaner) restoreOne(changed []string, t *sondeTable, restore func() (int64, error)) ([]string, error) {
	err := s.execute("SAVEPOINT sonde")
	if err != nil {
		return nil, err
	}
	rows, failure := restore()
	switch {
	case failure != nil:
		s.problem("table " + t.text + " is not cleaned: " + failure.Error())
		err = s.execute("ROLLBACK TO sonde")
	case rows > 0:
		changed = append(changed, t.text)
	}
	if err == nil {
		err = s.execute("RELEASE sonde")
	}
	if err == nil {
		err = s.ctx.Err()
	}
	return changed, err
}

// restoreTable deletes the rows of a table that differ from those of its seed, and inserts those that are missing. It
// returns the number of these rows, or an error if triggers prevent this.
func (s *sondeCleaner) restoreTable(t *sondeTable, seed string) (rows int64, err error) {
	differs, isMissing := t.differences(seed)
	surplus, missing := " FROM "+t.name+" AS m WHERE "+differs, " FROM "+seed+" AS s WHERE "+isMissing
	has := false
	find := func(rows string) error {
		has = false
		return s.read("SELECT 1"+rows+" LIMIT 1", func([]string) { has = true })
	}
	rows, err = s.change("DELETE" + surplus)
	if err == nil && s.hasTriggers {
		err = find(surplus)
	}
	if err == nil && has {
		err = errors.New("its triggers ignore deletions")
	}
	if err == nil {
		err = find(missing)
	}
	if err != nil || !has { // an INSERT of no rows would change the numbers of AUTOINCREMENT
		return rows, err
	}
	inserted, err := s.change("INSERT INTO " + t.name + " (" + t.columnList() + ") SELECT *" + missing)
	has = false
	if err == nil && s.hasTriggers {
		err = find(missing)
	}
	if err == nil && has {
		err = errors.New("its triggers ignore insertions")
	}
	return rows + inserted, err
}

// tables returns the tables of the main database. The table with the numbers of AUTOINCREMENT is the last, because changes
// of others change it. Virtual tables and the tables of their content are left out.
func (s *sondeCleaner) tables() (all []*sondeTable, err error) {
	var names, virtual []string
	shadow := map[string]bool{}
	noList := s.read("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'", func(row []string) {
		shadow[row[0]] = true
	})
	const list = `SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		UNION ALL SELECT name, '' FROM main.sqlite_master WHERE name = 'sqlite_sequence'`
	err = s.read(list, func(row []string) {
		if strings.HasPrefix(strings.ToUpper(row[1]), "CREATE VIRTUAL ") {
			virtual = append(virtual, row[0])
			s.problem("table " + row[0] + " is not cleaned: it is virtual")
		} else {
			names = append(names, row[0])
		}
	})
	for _, name := range names {
		if err != nil {
			break
		}
		if noList != nil && sondeIsContent(name, virtual) { // SQLite before 3.37
			s.problem("table " + name + " is not cleaned: it may belong to a virtual table")
			continue
		}
		if shadow[name] {
			continue
		}
		t := &sondeTable{text: name, name: "main." + sondeName(name)}
		err = s.describe(t)
		all = append(all, t)
	}
	return all, err
}

// sondeIsContent reports whether a table may be one in which the full-text search and the R*Tree of SQLite keep the content
// of a virtual table.
func sondeIsContent(name string, virtual []string) bool {
	for _, v := range virtual {
		for _, suffix := range [...]string{
			"content", "segments", "segdir", "docsize", "stat", "data", "idx", "config", "node", "parent", "rowid",
		} {
			if strings.EqualFold(name, v+"_"+suffix) {
				return true
			}
		}
	}
	return false
}

// sondeTable describes a table.
type sondeTable struct {
	text    string   // the name
	name    string   // the name with the schema, quoted
	rowid   string   // the name of the row ID, "" for a table WITHOUT ROWID
	columns []string // quoted
	keys    []int    // the columns of the primary key
}

func (s *sondeCleaner) describe(t *sondeTable) error {
	var names []string
	err := s.read("SELECT name, pk FROM pragma_table_info("+sondeLiteral(t.text)+", 'main')", func(row []string) {
		if row[1] != "0" {
			t.keys = append(t.keys, len(names))
		}
		names = append(names, row[0])
		t.columns = append(t.columns, sondeName(row[0]))
	})
	if err != nil {
		return err
	}
	for _, name := range [...]string{"rowid", "_rowid_", "oid"} {
		isColumn := false
		for _, c := range names {
			isColumn = isColumn || strings.EqualFold(c, name)
		}
		if isColumn {
			continue
		}
		err := s.read("SELECT "+name+" FROM "+t.name+" LIMIT 0", func([]string) {})
		if err == nil {
			t.rowid = name
		}
		if err == nil || !strings.Contains(err.Error(), "no such column") {
			return err
		}
	}
	return nil
}

// columnList returns the columns with the row ID, if there is one, as the first.
func (t *sondeTable) columnList() string {
	if t.rowid == "" {
		return strings.Join(t.columns, ", ")
	}
	return strings.Join(append([]string{t.rowid}, t.columns...), ", ")
}

// seedColumns returns the declaration of the columns of the seed, in parentheses. They have no types, so that SQLite does
// not convert values.
func (t *sondeTable) seedColumns() string {
	columns := make([]string, len(t.columns))
	for i := range columns {
		columns[i] = sondeColumn(i)
	}
	if t.rowid != "" {
		return "(" + strings.Join(append([]string{"k INTEGER PRIMARY KEY"}, columns...), ", ") + ")"
	}
	keys := make([]string, len(t.keys))
	for i, k := range t.keys {
		keys[i] = sondeColumn(k)
	}
	return "(" + strings.Join(columns, ", ") + ", UNIQUE (" + strings.Join(keys, ", ") + "))"
}

// sondeColumn returns the name of a column of a seed.
func sondeColumn(index int) string { return "c" + strconv.Itoa(index) }

// differences returns two conditions: that a row m of the table has no equal row in the seed, and that a row s of the seed
// has no row with the same key in the table.
func (t *sondeTable) differences(seed string) (differs, isMissing string) {
	isKey, isRow := "s.k = m."+t.rowid, "1"
	if t.rowid == "" { // the operand whose index is to be used is without affinity, or on the left
		isKey = "1"
		for _, k := range t.keys {
			isKey += " AND m." + t.columns[k] + " IS s." + sondeColumn(k)
			isRow += " AND s." + sondeColumn(k) + " IS +m." + t.columns[k]
		}
	} else {
		isRow = isKey
	}
	for i, name := range t.columns {
		c := "s." + sondeColumn(i)
		isRow += " AND " + c + " IS m." + name + " AND typeof(" + c + ") = typeof(m." + name + ")"
	}
	return "NOT EXISTS (SELECT 1 FROM " + seed + " AS s WHERE " + isRow + ")",
		"NOT EXISTS (SELECT 1 FROM " + t.name + " AS m WHERE " + isKey + ")"
}

func sondeName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func sondeLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
