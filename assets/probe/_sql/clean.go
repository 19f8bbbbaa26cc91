package sql

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"sondeprobe/query"
)

// This file lets Sonde clean databases of SQLite: it brings the rows of their tables back to those at the first request of
// Sonde. The environment variable SONDE_CLEAN names the folder for this; runner/instrument/probedata describes its files.
//
// At the first request, the rows of each database are copied to a database of their own, the seed. Each later request
// compares the database with its seed. Both happen within SQLite, so that values of all types stay as they are.

const (
	sondeMaxSeedRows  = 100_000          // a table with more rows is not cleaned
	sondeMaxRounds    = 4                // of restoring all tables, because triggers may change others
	sondeMaxCleanTime = 20 * time.Second // of a database
	sondeMaxConnTime  = time.Second      // until a connection is free
	sondeMaxLockTime  = 2 * time.Second  // until other connections have ended their transactions
)

// sondeCleaning has the databases that the service has used.
var sondeCleaning struct {
	dir       string      // "" if databases are not cleaned
	databases sync.Map    // *DB → *sondeDatabaseState
	hasBegun  atomic.Bool // there was a request
	mu        sync.Mutex  // held while a database is cleaned, or its seed is taken
}

// sondeDatabaseState is the state of cleaning of a database.
type sondeDatabaseState struct {
	db   *DB
	path string // of the file, "" for a database in memory
	seed string // the path of the seed, "" if there is none yet
	// versions are those of the connection last, when the database had the rows of its seed.
	last     *driverConn
	versions sondeVersions
	problems []string // that Sonde does not know yet
}

// sondeVersions changes when another connection or, respectively, this connection changes the database.
type sondeVersions struct{ others, own string }

func init() {
	dir := os.Getenv("SONDE_CLEAN")
	if dir == "" {
		return
	}
	name := dir + "/" + strconv.Itoa(os.Getpid())
	err := syscall.Mkfifo(name+".requests", 0o600)
	if err != nil && err != syscall.EEXIST {
		return // Sonde reports that no process answers
	}
	requests, err := os.OpenFile(name+".requests", os.O_RDWR, 0) // for writing, too, because reading would end without a writer
	if err != nil {
		return
	}
	sondeCleaning.dir = dir
	go sondeAnswerRequests(requests, name+".answer")
}

// sondeAnswerRequests cleans all databases for each line of requests.
func sondeAnswerRequests(requests *os.File, answer string) {
	for in := bufio.NewScanner(requests); in.Scan(); {
		databases, problems := sondeCleanAll()
		text := append([]byte(in.Text()), '\n')
		for _, d := range databases {
			text = append(strconv.AppendQuote(append(text, "d "...), d), '\n')
		}
		for _, p := range problems {
			text = append(strconv.AppendQuote(append(text, "p "...), p), '\n')
		}
		sondeWriteFile(answer, text)
	}
}

// sondeCleanAll cleans all databases. It returns the paths of those of SQLite, and what it could not clean.
func sondeCleanAll() (databases, problems []string) {
	c := &sondeCleaning
	c.hasBegun.Store(true)
	c.databases.Range(func(_, v any) bool {
		d := v.(*sondeDatabaseState)
		if d.cleanUnused() {
			databases = append(databases, d.path)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		problems, d.problems = append(problems, d.problems...), nil
		return true
	})
	return databases, problems
}

// sondeNoteUse notes that the service uses a database, by a connection that is in no transaction. If Sonde has asked for a
// reset already, sondeNoteUse takes the seed of a database that the service has not used before. It returns
// driver.ErrBadConn if the connection must not be used any more.
func sondeNoteUse(db *DB, dc *driverConn) error {
	c := &sondeCleaning
	if c.dir == "" {
		return nil
	}
	if _, known := c.databases.Load(db); known {
		return nil
	}
	d := &sondeDatabaseState{db: db}
	if _, known := c.databases.LoadOrStore(db, d); known || !c.hasBegun.Load() {
		return nil
	}
	if _, isBroken := d.clean(dc); isBroken {
		return driver.ErrBadConn
	}
	return nil
}

// cleanUnused cleans the database by a connection that the service does not use. It reports whether the database is of
// SQLite.
func (d *sondeDatabaseState) cleanUnused() (isSQLite bool) {
	ctx, cancel := context.WithTimeout(context.Background(), sondeMaxConnTime)
	defer cancel()
	dc, err := d.db.sondeConn(ctx, cachedOrNewConn)
	if err == driver.ErrBadConn {
		dc, err = d.db.sondeConn(ctx, alwaysNewConn)
	}
	switch {
	case err == errDBClosed:
		sondeCleaning.databases.Delete(d.db)
		return false
	case err != nil:
		sondeCleaning.mu.Lock()
		defer sondeCleaning.mu.Unlock()
		d.problems = append(d.problems, "database "+d.path+" gives no connection: "+err.Error())
		return d.path != ""
	}
	isSQLite, isBroken := d.clean(dc)
	if isBroken {
		dc.releaseConn(driver.ErrBadConn)
	} else {
		dc.releaseConn(nil)
	}
	return isSQLite
}

// clean cleans the database, or takes its seed if there is none. isBroken is true if the connection must not be used
// any more.
func (d *sondeDatabaseState) clean(dc *driverConn) (isSQLite, isBroken bool) {
	sondeCleaning.mu.Lock()
	defer sondeCleaning.mu.Unlock()
	dc.Lock()
	defer dc.Unlock()
	if sondeDialect(dc.ci) != sondequery.SQLite {
		d.problems = append(d.problems, "a database is not cleaned: it is not SQLite")
		return false, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), sondeMaxCleanTime)
	defer cancel()
	s := &sondeCleaner{ctx: ctx, ci: dc.ci}
	defer func() {
		if recover() != nil {
			s.problem("the driver of the database panics")
			isSQLite, isBroken = true, true
		}
		d.problems = append(d.problems, s.problems...)
	}()
	err := d.cleanBy(s, dc)
	if err != nil {
		s.problem("database " + d.path + " is not cleaned: " + err.Error())
	}
	return true, s.isBroken
}

// cleanBy is clean for a connection of SQLite. It does nothing if the database has not changed.
func (d *sondeDatabaseState) cleanBy(s *sondeCleaner, dc *driverConn) error {
	now, err := s.versions()
	if err != nil || d.seed != "" && dc == d.last && now == d.versions {
		return err
	}
	if d.seed == "" {
		err = d.findSeed(s)
		if err != nil {
			return err
		}
	}
	_, err = os.Stat(d.seed)
	if err != nil {
		err = s.takeSeed(d.seed)
	} else {
		err = s.restore(d.seed)
	}
	if err == nil && len(s.problems) == 0 {
		d.last = dc
		d.versions, err = s.versions()
	}
	return err
}

// findSeed sets the path of the seed. All processes of the service use the same seed for a file.
func (d *sondeDatabaseState) findSeed(s *sondeCleaner) error {
	err := s.read("PRAGMA database_list", func(row []string) {
		switch row[1] {
		case "main":
			d.path = row[2]
		case "temp":
		default:
			s.problem("the attached database " + row[1] + " is not cleaned")
		}
	})
	if err != nil {
		return err
	}
	if d.path == "" {
		id := strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
		d.seed = sondeCleaning.dir + "/" + id + ".seed"
		return nil
	}
	hash := sha256.Sum256([]byte(d.path))
	d.seed = sondeCleaning.dir + "/" + hex.EncodeToString(hash[:]) + ".seed"
	return nil
}

// sondeCleaner cleans a database by a connection.
type sondeCleaner struct {
	ctx      context.Context
	ci       driver.Conn
	isBroken bool
	problems []string
}

func (s *sondeCleaner) problem(text string) { s.problems = append(s.problems, text) }

func (s *sondeCleaner) versions() (v sondeVersions, err error) {
	err = s.read("PRAGMA main.data_version", func(row []string) { v.others = row[0] })
	if err == nil {
		err = s.read("SELECT total_changes()", func(row []string) { v.own = row[0] })
	}
	return v, err
}

// takeSeed copies the rows of all tables into a new database. If another process of the service has done so meanwhile, its
// seed is kept.
func (s *sondeCleaner) takeSeed(path string) error {
	own := sondeCleaning.dir + "/" + strconv.Itoa(os.Getpid()) + ".new"
	defer os.Remove(own)
	_ = os.Remove(own) // of an earlier process
	err := s.attached(own, "BEGIN", s.copyTables)
	if err == nil {
		err = os.Link(own, path)
	}
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

// attached calls f in a transaction, with the database of a file as sonde_seed.
func (s *sondeCleaner) attached(path, begin string, f func() error) error {
	err := s.execute("ATTACH DATABASE " + sondeLiteral(path) + " AS sonde_seed")
	if err != nil {
		return err
	}
	defer s.mustExecute("DETACH DATABASE sonde_seed")
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err = s.execute(begin)
		if err == nil || time.Since(start) > sondeMaxLockTime {
			break
		}
	}
	if err != nil {
		return err
	}
	err = f()
	if err == nil {
		err = s.execute("COMMIT")
	}
	if err != nil {
		s.mustExecute("ROLLBACK")
	}
	return err
}

// mustExecute executes a statement without which the connection must not be used any more.
func (s *sondeCleaner) mustExecute(statement string) {
	if s.execute(statement) != nil {
		s.isBroken = true
	}
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

// copyTable copies the rows of a table. number is its row ID in the seed.
func (s *sondeCleaner) copyTable(t *sondeTable, number int) error {
	id, columns := strconv.Itoa(number), sondeLiteral(t.columnList())
	rows := 0
	err := s.read("SELECT count(*) FROM (SELECT 1 FROM "+t.name+" LIMIT "+strconv.Itoa(sondeMaxSeedRows+1)+")", func(row []string) {
		rows, _ = strconv.Atoi(row[0])
	})
	if err == nil && rows > sondeMaxSeedRows {
		columns = "NULL"
		s.problem("table " + t.text + " is not cleaned: it has more than " + strconv.Itoa(sondeMaxSeedRows) + " rows")
	} else if err == nil {
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
	return s.attached(path, "BEGIN IMMEDIATE", func() error {
		isChanged, err := true, error(nil)
		for round := 0; isChanged && err == nil; round++ {
			if round == sondeMaxRounds {
				return errors.New("triggers change what is restored")
			}
			s.problems = nil // those of the last round
			isChanged, err = s.restoreTables()
		}
		return err
	})
}

// restoreTables restores each table once. It reports whether a table was changed.
func (s *sondeCleaner) restoreTables() (isChanged bool, err error) {
	seeds := map[string][]string{} // the number and the columns of a table, by its name
	err = s.read("SELECT name, rowid, columns FROM sonde_seed.tables", func(row []string) {
		seeds[row[0]] = []string{row[1], row[2]}
	})
	if err != nil {
		return false, err
	}
	if len(seeds) == 0 {
		return false, errors.New("it had no tables when it was first used")
	}
	tables, err := s.tables()
	if err != nil {
		return false, err
	}
	for _, t := range tables {
		seed, hasSeed := seeds[t.text]
		delete(seeds, t.text)
		changed, err := false, error(nil)
		switch {
		case !hasSeed:
			changed, err = s.atomically(func() (int64, error) { return s.change("DELETE FROM " + t.name) })
		case seed[1] == "": // it has too many rows
		case seed[1] != t.columnList():
			err = errors.New("its columns have changed")
		default:
			changed, err = s.atomically(func() (int64, error) { return s.restoreTable(t, "sonde_seed.t"+seed[0]) })
		}
		if err != nil {
			s.problem("table " + t.text + " is not cleaned: " + err.Error())
		}
		isChanged = isChanged || changed
	}
	for name := range seeds {
		s.problem("table " + name + " is not cleaned: it was dropped")
	}
	return isChanged, nil
}

// atomically undoes what f has done if f returns an error. It reports whether f has changed rows.
func (s *sondeCleaner) atomically(f func() (rows int64, err error)) (isChanged bool, err error) {
	err = s.execute("SAVEPOINT sonde")
	if err != nil {
		return false, err
	}
	rows, err := f()
	if err != nil {
		rows = 0
		_ = s.execute("ROLLBACK TO sonde") // if it fails, so does COMMIT
	}
	_ = s.execute("RELEASE sonde")
	return rows > 0, err
}

// restoreTable deletes the rows of a table that differ from those of its seed, and inserts those that are missing. It
// returns the number of these rows.
func (s *sondeCleaner) restoreTable(t *sondeTable, seed string) (rows int64, err error) {
	differs, isMissing := t.differences(seed)
	rows, err = s.change("DELETE FROM " + t.name + " AS m WHERE " + differs)
	if err != nil {
		return 0, err
	}
	missing := " FROM " + seed + " AS s WHERE " + isMissing
	has := false
	err = s.read("SELECT 1"+missing+" LIMIT 1", func([]string) { has = true })
	if err != nil || !has { // an INSERT of no rows would change the numbers of AUTOINCREMENT
		return rows, err
	}
	inserted, err := s.change("INSERT INTO " + t.name + " (" + t.columnList() + ") SELECT *" + missing)
	return rows + inserted, err
}

// tables returns the tables of the main database. The table with the numbers of AUTOINCREMENT is the last, because changes
// of others change it. Virtual tables and the tables of their content are left out.
func (s *sondeCleaner) tables() (all []*sondeTable, err error) {
	var names, virtual []string
	shadow := map[string]bool{}
	_ = s.read("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'", func(row []string) {
		shadow[row[0]] = true // SQLite before 3.37 has no such list
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
		if shadow[name] || sondeIsContent(name, virtual) {
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
		if !isColumn && s.read("SELECT "+name+" FROM "+t.name+" LIMIT 0", func([]string) {}) == nil {
			t.rowid = name
			return nil
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
	isKey := "s.k = m." + t.rowid
	if t.rowid == "" {
		isKey = "1"
		for _, k := range t.keys {
			isKey += " AND s." + sondeColumn(k) + " IS m." + t.columns[k]
		}
	}
	isRow := isKey
	for i, name := range t.columns {
		c := "s." + sondeColumn(i)
		isRow += " AND " + c + " IS m." + name + " AND typeof(" + c + ") = typeof(m." + name + ")"
	}
	return "NOT EXISTS (SELECT 1 FROM " + seed + " AS s WHERE " + isRow + ")",
		"NOT EXISTS (SELECT 1 FROM " + t.name + " AS m WHERE " + isKey + ")"
}

func (s *sondeCleaner) execute(statement string) error {
	_, err := s.change(statement)
	return err
}

// change executes a statement, and returns how many rows it changed.
func (s *sondeCleaner) change(statement string) (rows int64, err error) {
	e, ok := s.ci.(driver.ExecerContext)
	if !ok {
		return 0, errors.New("its driver executes no statements directly")
	}
	r, err := e.ExecContext(s.ctx, statement, nil)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// read calls visit with each row of a query. Values that are neither numbers nor texts are "".
func (s *sondeCleaner) read(query string, visit func([]string)) error {
	q, ok := s.ci.(driver.QueryerContext)
	if !ok {
		return errors.New("its driver executes no queries directly")
	}
	rows, err := q.QueryContext(s.ctx, query, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		err := rows.Next(row)
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		texts := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case string:
				texts[i] = v
			case []byte:
				texts[i] = string(v)
			case int64:
				texts[i] = strconv.FormatInt(v, 10)
			}
		}
		visit(texts)
	}
}

func sondeName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func sondeLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
