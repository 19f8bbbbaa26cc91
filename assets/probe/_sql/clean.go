package sql

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sondeprobe/query"
)

// This file lets Sonde clean databases: it brings the rows of their tables back to those of the seed, which the service keeps
// when it is ready. The environment variable SONDE_CLEAN names the folder for this; runner/instrument/probedata describes
// its files and the requests of Sonde.
//
// A database that is opened later gets no seed, because tests may have changed it already. A process that is started later
// uses the seeds of the first one.

const (
	sondeMaxCleanTime = time.Minute     // of a database
	sondeMaxConnTime  = 5 * time.Second // until a connection is free
	sondeMaxLockTime  = 5 * time.Second // until other connections have ended their transactions
)

// sondeCleaning has the databases that the service has opened.
var sondeCleaning struct {
	dir      string                      // "" if databases are not cleaned
	isLater  bool                        // an earlier process has taken the seeds, so that OpenDB cleans databases
	openMu   sync.Mutex                  // guards open; it is free while a connection is made, which may open a database
	open     []*DB                       // those by which a database was cleaned come first
	mu       sync.Mutex                  // held while databases are cleaned; guards the fields below
	hasBegun bool                        // a request to clean has succeeded
	states   map[any]*sondeDatabaseState // by the name of a database, or by its *DB if it is in memory
}

// sondeDatabaseState is the state of cleaning of a database.
type sondeDatabaseState struct {
	seed string // the path of the seed
	// versions are those of the connection last, when the database had the rows of its seed. In PostgreSQL, last is nil.
	last     *driverConn
	versions sondeVersions
	postgres *sondePostgresSeed // nil for SQLite, and until a seed of PostgreSQL is read
}

// sondeVersions changes when another connection, this connection, or a change of the schema changes a database.
type sondeVersions struct{ others, own, schema string }

func init() {
	dir := os.Getenv("SONDE_CLEAN")
	if dir == "" {
		return
	}
	name := dir + "/" + strconv.Itoa(os.Getpid())
	err := syscall.Mkfifo(name+".new", 0o600)
	if err != nil && err != syscall.EEXIST {
		return // Sonde reports that no process answers
	}
	requests, err := os.OpenFile(name+".new", os.O_RDWR, 0) // for writing, too, because reading would end without a writer
	if err == nil {
		err = os.Rename(name+".new", name+".requests") // Sonde removes a pipe that no process reads
	}
	if err != nil {
		return
	}
	_, err = os.Stat(dir + "/begun")
	c := &sondeCleaning
	c.dir, c.isLater, c.states = dir, err == nil, map[any]*sondeDatabaseState{}
	go sondeAnswerRequests(requests, name+".answer")
}

// sondeAnswerRequests answers each line of requests.
func sondeAnswerRequests(requests *os.File, answer string) {
	var line, b = []byte(nil), make([]byte, 1)
	for {
		if n, err := requests.Read(b); err != nil || n == 0 {
			return
		}
		if b[0] != '\n' {
			line = append(line, b[0])
			continue
		}
		number, what, _ := strings.Cut(string(line), " ")
		a := &sondeAnswer{text: append([]byte(number), '\n'), onlyNames: what == "names", takesSeeds: what == "seed"}
		a.cleanAll()
		sondeWriteFile(answer, a.text)
		line = nil
	}
}

// sondeAnswer is the answer to a request: to clean all databases, or only to name them.
type sondeAnswer struct {
	text       []byte
	onlyNames  bool
	takesSeeds bool // no test was played yet
	hasFailed  bool
	seen       map[any]bool // the databases that were cleaned
}

// add adds a line: a database (d), what was not cleaned (p), or why a database was not cleaned at all (e).
func (a *sondeAnswer) add(kind byte, text string) {
	a.text = append(strconv.AppendQuote(append(a.text, kind, ' '), text), '\n')
	a.hasFailed = a.hasFailed || kind == 'e'
}

// cleanAll cleans each database by the first *DB that can do so.
func (a *sondeAnswer) cleanAll() {
	c := &sondeCleaning
	c.mu.Lock()
	defer c.mu.Unlock()
	a.seen = map[any]bool{}
	failures := map[any]string{}
	var first, later []*DB
	c.openMu.Lock()
	all := append([]*DB(nil), c.open...)
	c.openMu.Unlock()
	for _, db := range all {
		key, isClosed, err := a.cleanBy(db)
		switch {
		case isClosed:
			a.forget(db)
			continue
		case err != nil:
			failures[key] = err.Error()
			later = append(later, db)
		default:
			first = append(first, db)
		}
	}
	c.openMu.Lock()
	c.open = append(append(first, later...), c.open[len(all):]...) // with those that were opened meanwhile
	c.openMu.Unlock()
	for key, failure := range failures {
		if !a.seen[key] {
			a.add('e', failure)
		}
	}
	if !a.onlyNames && !a.hasFailed {
		c.hasBegun = true
		sondeWriteFile(c.dir+"/begun", nil)
	}
}

// forget removes the state of a database in memory, which ends with its *DB.
func (a *sondeAnswer) forget(db *DB) {
	if st := sondeCleaning.states[db]; st != nil {
		_ = os.Remove(st.seed)
		delete(sondeCleaning.states, db)
	}
}

// cleanBy cleans the database of db by a connection that the service does not use, unless it was cleaned by another
// *DB. key is that of the database in sondeCleaning.states, or db if it is not known.
func (a *sondeAnswer) cleanBy(db *DB) (key any, isClosed bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), sondeMaxConnTime)
	defer cancel()
	dc, err := db.sondeConn(ctx, cachedOrNewConn)
	if err == driver.ErrBadConn {
		dc, err = db.sondeConn(ctx, alwaysNewConn)
	}
	switch {
	case err == errDBClosed:
		return db, true, nil
	case err == context.DeadlineExceeded:
		return db, false, errors.New("a database cannot be cleaned: all its connections are in use")
	case err != nil:
		return db, false, errors.New("a database cannot be cleaned: " + err.Error())
	}
	s := &sondeCleaner{ci: dc.ci}
	dc.Lock()
	key, err = a.cleanConn(s, db, dc)
	dc.Unlock()
	if s.isBroken && key != any(db) { // a database in memory would end with its connection
		dc.releaseConn(driver.ErrBadConn)
	} else {
		dc.releaseConn(nil)
	}
	return key, false, err
}

// cleanConn is cleanBy with a connection.
func (a *sondeAnswer) cleanConn(s *sondeCleaner, db *DB, dc *driverConn) (key any, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), sondeMaxCleanTime)
	defer cancel()
	s.ctx = ctx
	key = db
	defer func() {
		if recover() != nil {
			s.isBroken, err = true, errors.New("a database cannot be cleaned: its driver panics")
		}
	}()
	s.dialect = sondeDialect(dc.ci)
	if s.dialect == 0 {
		a.add('p', sondeNotCleaned(dc.ci))
		return key, nil
	}
	name, isKnown, err := s.databaseName()
	if err == nil && !isKnown {
		a.add('p', "a database is not cleaned: its server is not PostgreSQL 12 or later")
		return key, nil
	}
	if err != nil {
		return key, errors.New("a database cannot be cleaned: " + err.Error())
	}
	if name != "" {
		key = name
	}
	if a.seen[key] || a.onlyNames {
		a.name(key, name)
		return key, nil
	}
	err = a.cleanState(s, key, name, db, dc)
	if err != nil {
		return key, errors.New(sondeDescribe(name) + " cannot be cleaned: " + err.Error())
	}
	a.name(key, name)
	for _, p := range s.problems {
		a.add('p', p)
	}
	return key, nil
}

// name adds the name of a database to the answer, once.
func (a *sondeAnswer) name(key any, name string) {
	if !a.seen[key] {
		a.seen[key] = true
		a.add('d', name)
	}
}

// cleanState cleans a database, or takes its seed. It does nothing if the database has not changed.
func (a *sondeAnswer) cleanState(s *sondeCleaner, key any, name string, db *DB, dc *driverConn) error {
	c := &sondeCleaning
	st := c.states[key]
	if st == nil {
		st = &sondeDatabaseState{seed: sondeSeedPath(name)}
	}
	_, err := os.Stat(st.seed)
	isNew := err != nil
	switch {
	case name == "" && db.maxOpen != 1:
		s.problem("a database in memory is not cleaned: call SetMaxOpenConns(1), because each connection may have a database of its own")
		return nil
	case isNew && !a.takesSeeds && (c.hasBegun || name != ""):
		s.problem(sondeDescribe(name) + " is not cleaned: the service opened it after it was ready")
		return nil
	}
	if s.dialect == sondequery.PostgreSQL {
		err = st.cleanPostgres(s, isNew)
	} else {
		err = st.cleanSQLite(s, dc, isNew)
	}
	if err == nil {
		c.states[key] = st
	}
	return err
}

// sondeNotCleaned returns why a database is not cleaned that Sonde does not know.
func sondeNotCleaned(ci driver.Conn) string {
	if sondeNetwork() {
		return "a database is not cleaned: on the virtual network and during a recording, only SQLite is"
	}
	return "a database is not cleaned: " + sondeTypeName(ci) + " is not a connection to SQLite or PostgreSQL that Sonde knows"
}

// databaseName returns the path of a file of SQLite, "" if the database is in memory, or the name of a database of
// PostgreSQL. isKnown is false for servers on which Sonde executes nothing else.
func (s *sondeCleaner) databaseName() (name string, isKnown bool, err error) {
	if s.dialect == sondequery.PostgreSQL {
		return s.postgresName()
	}
	name, err = s.sqlitePath()
	return name, true, err
}

// sondeDescribe returns the name of a database in a sentence.
func sondeDescribe(name string) string {
	if name == "" {
		return "a database in memory"
	}
	return "the database " + name
}

// sondeSeedPath returns the path of the seed of a database. All processes of the service use the same seed for a file.
func sondeSeedPath(name string) string {
	id := strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	if name != "" {
		hash := uint64(14695981039346656037) // FNV-1a
		for i := range len(name) {
			hash = (hash ^ uint64(name[i])) * 1099511628211
		}
		id = strconv.FormatUint(hash, 16)
	}
	return sondeCleaning.dir + "/" + id + ".seed"
}

// OpenDB wraps the function that opens all databases, and notes them. If an earlier process of the service has taken
// seeds, OpenDB cleans the database at once: the rows that a test left may be why that process ended.
func OpenDB(connector driver.Connector) *DB {
	db := sondeOpenDB(connector)
	if sondeCleaning.dir == "" {
		return db
	}
	c := &sondeCleaning
	c.openMu.Lock()
	c.open = append(c.open, db)
	c.openMu.Unlock()
	if c.isLater && c.mu.TryLock() { // databases that are opened while others are cleaned wait for the first request
		defer c.mu.Unlock()
		if !c.hasBegun {
			a := &sondeAnswer{seen: map[any]bool{}}
			_, _, _ = a.cleanBy(db) // the first request reports what fails
		}
	}
	return db
}

// sondeCleaner cleans a database by a connection.
type sondeCleaner struct {
	ctx      context.Context
	ci       driver.Conn
	dialect  sondequery.Dialect
	isBroken bool     // the connection must not be used any more
	problems []string // what was not cleaned

	hasTriggers bool // the database has triggers
}

func (s *sondeCleaner) problem(text string) { s.problems = append(s.problems, text) }

func (s *sondeCleaner) execute(statement string, args ...driver.NamedValue) error {
	_, err := s.change(statement, args...)
	return err
}

// mustExecute executes a statement without which the connection must not be used any more. The time for cleaning does not
// limit it.
func (s *sondeCleaner) mustExecute(statement string) {
	ctx := s.ctx
	defer func() { s.ctx = ctx }()
	s.ctx = context.Background()
	if s.execute(statement) != nil {
		s.isBroken = true
	}
}

// whenUnlocked calls f, and again while it fails because another connection has a lock, but not for too long.
func (s *sondeCleaner) whenUnlocked(isLocked func(error) bool, f func() error) error {
	earlier := s.problems
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		s.problems = earlier[:len(earlier):len(earlier)] // each call finds all others
		err := f()
		if err == nil || !isLocked(err) || time.Since(start) > sondeMaxLockTime || s.isBroken {
			return err
		}
	}
}

// change executes a statement, and returns how many rows it changed.
func (s *sondeCleaner) change(statement string, args ...driver.NamedValue) (rows int64, err error) {
	e, ok := s.ci.(driver.ExecerContext)
	if !ok {
		return 0, errors.New("its driver executes no statements directly")
	}
	r, err := e.ExecContext(s.ctx, statement, args)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// read calls visit with each row of a query. Values that are neither numbers nor texts are "".
func (s *sondeCleaner) read(query string, visit func([]string), args ...driver.NamedValue) error {
	q, ok := s.ci.(driver.QueryerContext)
	if !ok {
		return errors.New("its driver executes no queries directly")
	}
	rows, err := q.QueryContext(s.ctx, query, args)
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
