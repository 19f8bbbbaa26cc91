package sql

import (
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"

	"sondeprobe/query"
)

// This file cleans databases of PostgreSQL. postgrescatalog.go reads what they have, and postgresseed.go their seed.
//
// Rows that are new are deleted. A table that lacks a row of the seed, or has its rows in another order, is rewritten, because
// the service may list rows without ORDER BY. So are the tables that refer to it by foreign keys.

// sondePostgresSettings sets, until the end of the transaction: limits, the order in which rows are listed, and the forms of
// values as texts. Neither the settings of the service nor those of the server may change these.
const sondePostgresSettings = `SELECT pg_catalog.set_config(name, value, true) FROM (VALUES ('lock_timeout', '100'),
	('statement_timeout', '15s'), ('synchronous_commit', 'off'), ('jit', 'off'), ('max_parallel_workers_per_gather', '0'),
	('synchronize_seqscans', 'off'), ('enable_seqscan', 'on'),
	('TimeZone', 'UTC'), ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'postgres'), ('extra_float_digits', '1'),
	('bytea_output', 'hex'), ('lc_monetary', 'C'), ('xmloption', 'content')) AS s (name, value)`

// postgresName returns the name of the database. isKnown is false for a server on which Sonde executes nothing else.
func (s *sondeCleaner) postgresName() (name string, isKnown bool, err error) {
	err = s.read(sondequery.PostgresVersion, func(row []string) { isKnown = sondequery.IsKnownPostgres(row[0]) })
	if err == nil && isKnown {
		err = s.read(sondequery.PostgresDatabase, func(row []string) { name = row[0] })
	}
	return name, isKnown, err
}

// cleanPostgres cleans a database, or takes its seed if it is new. It does nothing if the database has not changed.
func (st *sondeDatabaseState) cleanPostgres(s *sondeCleaner, isNew bool) error {
	err := s.checkTransaction()
	var now sondeVersions
	if err == nil {
		err = s.read(sondePostgresVersions, func(row []string) { now = sondeVersions{others: row[0], own: row[1]} })
	}
	if err != nil || !isNew && now == st.versions {
		return err
	}
	isChanged, err := st.restorePostgres(s, isNew)
	if err == nil && !isChanged {
		st.versions = now // and not the versions after a change, because others may have changed more meanwhile
	}
	return err
}

// checkTransaction returns an error if the connection is in a transaction.
func (s *sondeCleaner) checkTransaction() error {
	in := false
	err := s.read(sondequery.PostgresMark, func([]string) {})
	if err == nil {
		err = s.read(sondequery.PostgresMarked, func(row []string) { in = row[0] != "" })
	}
	if err == nil && in {
		err = errors.New("the service has left a connection in a transaction")
	}
	return err
}

// restorePostgres brings the database back to its seed, and reports whether it has changed the database. If the database is
// new, it takes the seed.
func (st *sondeDatabaseState) restorePostgres(s *sondeCleaner, isNew bool) (isChanged bool, err error) {
	if isNew {
		err = s.whenUnlocked(sondePostgresIsLocked, func() error { return s.takePostgresSeed(st.seed) })
	}
	if err == nil && st.postgres == nil {
		st.postgres, err = sondeReadSeed(st.seed)
	}
	if err != nil || isNew {
		return false, err
	}
	err = s.whenUnlocked(sondePostgresIsLocked, func() error {
		return s.inTransaction("READ COMMITTED READ WRITE", func() error {
			isChanged, err = s.restoreSeed(st.postgres)
			return err
		})
	})
	return isChanged, err
}

// sondePostgresIsLocked reports whether an error is that of a statement that would have had to wait for a lock. A transaction
// of Sonde that has locks hardly waits for others: if the service waited for it at the same time, PostgreSQL could abort
// the service's transaction to end the deadlock.
func sondePostgresIsLocked(err error) bool {
	const lockNotAvailable = "55P03"
	var e interface{ SQLState() string } // the types of errors of both drivers
	return errors.As(err, &e) && e.SQLState() == lockNotAvailable
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

// inTransaction calls f in a transaction. If f returns an error, inTransaction undoes what f has done.
func (s *sondeCleaner) inTransaction(mode string, f func() error) error {
	err := s.execute("BEGIN ISOLATION LEVEL " + mode)
	if err == nil {
		err = s.read(sondePostgresSettings, func([]string) {})
	}
	if err == nil {
		err = f()
	}
	if err == nil {
		err = s.execute("COMMIT")
	}
	if err != nil {
		s.mustExecute("ROLLBACK")
	}
	return err
}

// restoreSeed brings the tables and sequences back to those of the seed, in a transaction.
func (s *sondeCleaner) restoreSeed(seed *sondePostgresSeed) (isChanged bool, err error) {
	if len(seed.tables) == 0 {
		s.problem("the database is not cleaned: it had no tables when the service was ready")
		return false, nil
	}
	tables, err := s.postgresTables()
	if err != nil {
		return false, err
	}
	sequences, err := s.postgresSequences()
	if err != nil {
		return false, err
	}
	s.matchTables(tables, seed)
	s.matchSequences(sequences, tables, seed)
	err = s.readFigures(tables, sequences)
	if err != nil {
		return false, err
	}
	changed := sondeChangedTables(tables)
	if len(changed) > 0 {
		err = s.restorePostgresTables(changed, tables, seed)
		if err != nil {
			return true, err
		}
	}
	set, err := s.setSequences(sequences)
	return len(changed)+set > 0, err
}

// restorePostgresTables gives the changed tables the rows of the seed. User triggers are disabled meanwhile.
func (s *sondeCleaner) restorePostgresTables(changed, all []*sondePostgresTable, seed *sondePostgresSeed) error {
	incomplete, err := s.incompleteTables(changed, seed)
	if err != nil {
		return err
	}
	rewritten, err := s.withReferring(incomplete, all)
	if err != nil {
		return err
	}
	rest := sondeWithout(changed, rewritten)
	tables := append(rest, rewritten...)
	disable, restore, err := s.triggerStatements(tables)
	if err != nil {
		return err
	}
	steps := []func() error{
		func() error { return s.lockTables(rest, "EXCLUSIVE") },
		func() error { return s.lockTables(rewritten, "ACCESS EXCLUSIVE") },
		func() error { return s.executeAll(disable) },
		func() error { return s.emptyTables(rewritten) },
		func() error { return s.deleteNewRows(rest, seed) },
		func() error { return s.insertRows(rewritten, seed) },
		// A table cannot be altered before its deferred constraints are checked.
		func() error { return s.execute("SET CONSTRAINTS ALL IMMEDIATE") },
		func() error { return s.executeAll(restore) },
		func() error { return s.readFigures(tables, nil) },
	}
	for _, step := range steps {
		err = step()
		if err != nil {
			return err
		}
	}
	for _, t := range sondeChangedTables(tables) {
		return errors.New("table " + t.name + " still differs after its rows were restored")
	}
	return nil
}

// sondeWithout returns the tables that are not among others.
func sondeWithout(tables, others []*sondePostgresTable) (rest []*sondePostgresTable) {
	isOther := map[*sondePostgresTable]bool{}
	for _, t := range others {
		isOther[t] = true
	}
	for _, t := range tables {
		if !isOther[t] {
			rest = append(rest, t)
		}
	}
	return rest
}

// withReferring returns the changed tables and those that refer to them, directly or not. It returns an error if one of them
// cannot be cleaned.
func (s *sondeCleaner) withReferring(changed, all []*sondePostgresTable) ([]*sondePostgresTable, error) {
	references := map[string][][]string{} // by the ID of the table to which they refer
	err := s.read(sondePostgresReferences, func(row []string) { references[row[1]] = append(references[row[1]], row) })
	if err != nil {
		return nil, err
	}
	byID, isListed := map[string]*sondePostgresTable{}, map[string]bool{}
	for _, t := range all {
		byID[t.id] = t
	}
	for _, t := range changed {
		isListed[t.id] = true
	}
	for i := 0; i < len(changed); i++ {
		for _, r := range references[changed[i].id] {
			t := byID[r[0]]
			if t == nil || t.problem != "" {
				return nil, errors.New("table " + r[2] + ", which is not cleaned, refers to " + changed[i].name)
			}
			if !isListed[t.id] {
				isListed[t.id] = true
				changed = append(changed, t)
			}
		}
	}
	return changed, nil
}

// triggerStatements returns statements that disable the triggers of tables and their partitions, and those that bring the
// triggers back to their present states. A statement for a table also changes the triggers of its partitions, so that these
// follow.
func (s *sondeCleaner) triggerStatements(tables []*sondePostgresTable) (disable, restore []string, err error) {
	var ids []string
	for _, t := range tables {
		ids = append(ids, t.id)
	}
	list := "pg_catalog.unnest('{" + strings.Join(ids, ",") + "}'::pg_catalog.oid[]) AS u (id)"
	err = s.read(`SELECT pg_catalog.format('ALTER TABLE %s DISABLE TRIGGER %I', r.id::pg_catalog.regclass, g.tgname),
		pg_catalog.format('ALTER TABLE %s %s TRIGGER %I', r.id::pg_catalog.regclass, CASE g.tgenabled WHEN 'D' THEN 'DISABLE'
			WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END, g.tgname)
	FROM (SELECT u.id, 0 AS level FROM `+list+`
		UNION SELECT p.relid::pg_catalog.oid, p.level FROM `+list+`, pg_catalog.pg_partition_tree(u.id) p) r
		JOIN pg_catalog.pg_trigger g ON g.tgrelid = r.id
	WHERE NOT g.tgisinternal AND (g.tgenabled <> 'D' OR r.level > 0) ORDER BY r.level, 1`, func(row []string) {
		disable, restore = append(disable, row[0]), append(restore, row[1])
	})
	return disable, restore, err
}

func (s *sondeCleaner) executeAll(statements []string) error {
	for _, statement := range statements {
		err := s.execute(statement)
		if err != nil {
			return err
		}
	}
	return nil
}

// sondeWith is a statement with parts, most of which have the rows of a seed as an argument.
//
// One statement does the same for all tables, because foreign keys are checked at its end: so the order of tables does not
// matter, and the foreign keys may form cycles.
type sondeWith struct {
	parts []string
	args  []driver.NamedValue
}

func (w *sondeWith) add(part string) { w.parts = append(w.parts, part) }

// seedRows adds the rows of a seed as an argument, and returns an expression for a table with them.
func (w *sondeWith) seedRows(t *sondePostgresTable, seed *sondePostgresSeed) (expression string, err error) {
	rows, err := seed.rows(t.seed)
	w.args = append(w.args, driver.NamedValue{Ordinal: len(w.args) + 1, Value: sondeArray(rows).Text})
	return "pg_catalog.unnest($" + strconv.Itoa(len(w.args)) + "::text[])", err
}

// compare adds two parts, sN and hN, with the texts of rows in the seed and in the table, and their places. Equal texts have
// different numbers. suffix is N.
func (w *sondeWith) compare(t *sondePostgresTable, seed *sondePostgresSeed) (suffix string, err error) {
	const numbered = "row_number() OVER (PARTITION BY m.text ORDER BY m.place) AS n"
	rows, err := w.seedRows(t, seed)
	suffix = strconv.Itoa(len(w.parts))
	w.add("s" + suffix + " AS (SELECT *, " + numbered + " FROM " + rows + " WITH ORDINALITY AS m (text, place))")
	w.add("h" + suffix + " AS (SELECT *, " + numbered + " FROM " + t.placed() + " AS m)")
	return suffix, err
}

func (w *sondeWith) statement(end string) string {
	return "WITH " + strings.Join(w.parts, ", ") + " " + end
}

// incompleteTables returns the tables that lack rows of the seed, or that have them in another order.
func (s *sondeCleaner) incompleteTables(
	tables []*sondePostgresTable, seed *sondePostgresSeed,
) (all []*sondePostgresTable, err error) {
	with := &sondeWith{}
	var queries []string
	for i, t := range tables {
		if t.seed.figures == sondeNoRows {
			continue
		}
		n, err := with.compare(t, seed)
		if err != nil {
			return nil, err
		}
		queries = append(queries, "SELECT '"+strconv.Itoa(i)+"' WHERE EXISTS (SELECT 1 FROM (SELECT h.place, "+
			"lag(h.place, 1, 0::bigint) OVER (ORDER BY s.place) AS earlier FROM s"+n+" AS s LEFT JOIN h"+n+" AS h "+
			"ON h.text = s.text AND h.n = s.n) AS p WHERE p.place IS NULL OR p.place < p.earlier)")
	}
	if len(queries) == 0 {
		return nil, nil
	}
	err = s.read(with.statement(strings.Join(queries, " UNION ALL ")), func(row []string) {
		i, _ := strconv.Atoi(row[0])
		all = append(all, tables[i])
	}, with.args...)
	return all, err
}

// deleteNewRows deletes the rows that the seed does not have.
func (s *sondeCleaner) deleteNewRows(tables []*sondePostgresTable, seed *sondePostgresSeed) error {
	if len(tables) == 0 {
		return nil
	}
	with := &sondeWith{}
	for _, t := range tables {
		if t.seed.figures == sondeNoRows {
			with.add("d" + strconv.Itoa(len(with.parts)) + " AS (DELETE FROM " + t.rows + ")")
			continue
		}
		n, err := with.compare(t, seed)
		if err != nil {
			return err
		}
		with.add("d" + n + " AS (DELETE FROM " + t.rows + " AS m USING h" + n + " AS h WHERE m.tableoid = h.part AND m.ctid = h.at " +
			"AND NOT EXISTS (SELECT 1 FROM s" + n + " AS s WHERE h.text = s.text AND h.n = s.n))")
	}
	return s.execute(with.statement("SELECT 1"), with.args...)
}

// lockTables locks tables without waiting.
func (s *sondeCleaner) lockTables(tables []*sondePostgresTable, mode string) error {
	if len(tables) == 0 {
		return nil
	}
	return s.execute("LOCK TABLE " + sondeTableList(tables) + " IN " + mode + " MODE NOWAIT")
}

// emptyTables removes all rows of tables. It does so by TRUNCATE, after which inserted rows have the order of the seed.
func (s *sondeCleaner) emptyTables(tables []*sondePostgresTable) error {
	if len(tables) == 0 {
		return nil
	}
	return s.execute("TRUNCATE " + sondeTableList(tables))
}

func sondeTableList(tables []*sondePostgresTable) string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.rows
	}
	return strings.Join(names, ", ")
}

// insertRows inserts the rows of the seed into empty tables.
func (s *sondeCleaner) insertRows(tables []*sondePostgresTable, seed *sondePostgresSeed) error {
	with := &sondeWith{}
	for _, t := range tables {
		if t.seed.figures == sondeNoRows {
			continue
		}
		rows, err := with.seedRows(t, seed)
		if err != nil {
			return err
		}
		// OFFSET 0 has each text converted once, and not for each column.
		with.add("i" + strconv.Itoa(len(with.parts)) + " AS (INSERT INTO " + t.name + " (" + t.targets + ") OVERRIDING SYSTEM VALUE " +
			"SELECT " + t.fields + " FROM (SELECT u.text::" + t.name + " AS r FROM " + rows + " AS u (text) OFFSET 0) x)")
	}
	if len(with.parts) == 0 {
		return nil
	}
	return s.execute(with.statement("SELECT 1"), with.args...)
}

// setSequences sets the sequences that differ from their seeds. It returns their number.
func (s *sondeCleaner) setSequences(sequences []*sondePostgresSequence) (set int, err error) {
	for _, q := range sequences {
		if q.problem != "" || q.isLeft || q.state == q.seed {
			continue
		}
		set++
		value, isCalled, _ := strings.Cut(q.seed, " ")
		err = s.read("SELECT pg_catalog.setval("+q.id+"::pg_catalog.regclass, "+value+", "+isCalled+")", func([]string) {})
		if err != nil {
			return set, err
		}
	}
	return set, nil
}
