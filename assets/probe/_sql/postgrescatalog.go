package sql

import (
	"strconv"
	"strings"
)

// This file reads what a database of PostgreSQL has that can be cleaned: the tables and sequences of the schemas in which the
// service looks up tables.

// sondePostgresTable is a table of the database.
type sondePostgresTable struct {
	id      string // the OID
	name    string // with the schema, quoted
	rows    string // what follows FROM in a statement for its own rows: those of partitions included, but not those of heirs
	columns string // with their types
	targets string // the columns that can be inserted
	fields  string // these columns of the row x.r
	problem string // why it cannot be cleaned, "" if it can
	has     string // the figures of its rows, see sondeFigures
	seed    *sondeTableSeed
}

// sondePostgresSequence is a sequence of the database.
type sondePostgresSequence struct {
	id      string   // the OID
	name    string   // with the schema, quoted
	users   []string // the OIDs of the tables that take numbers from it
	problem string   // why it cannot be cleaned, "" if it can
	isLeft  bool     // a table that takes numbers from it is not cleaned
	state   string   // its last value, and whether it was used
	seed    string   // its state in the seed
}

const (
	// sondeOwnRelations are conditions for relations that the service can use by a name without a schema. Those of extensions
	// and temporary ones are left out.
	sondeOwnRelations = `n.nspname = ANY (pg_catalog.current_schemas(false)) AND c.relpersistence <> 't' AND NOT EXISTS (
		SELECT 1 FROM pg_catalog.pg_depend d
		WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e')`
	// sondeSequencesFrom are all sequences. Privileges must be those of s.seqrelid, because those of c.oid may be asked for other
	// relations, too, which is an error.
	sondeSequencesFrom = `pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
	JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`
	// sondeSequenceUsers is an expression for the OIDs of the tables that take numbers from a sequence.
	sondeSequenceUsers = `pg_catalog.array_to_string(ARRAY (SELECT coalesce(pg_catalog.pg_partition_root(u.id)::pg_catalog.oid, u.id)
		FROM (SELECT d.refobjid FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i')
				AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refclassid = d.classid
			UNION SELECT a.adrelid FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_attrdef a ON a.oid = d.objid WHERE d.refobjid = c.oid
				AND d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass) u (id)), ' ')`
	sondeNamed = "pg_catalog.format('%I.%I', n.nspname, c.relname)"

	sondePostgresTables = `SELECT c.oid::text, ` + sondeNamed + `,
	CASE c.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END || ` + sondeNamed + `,
	coalesce(a.columns, ''), coalesce(a.targets, ''), coalesce(a.fields, ''),
	CASE WHEN c.relkind = 'f' THEN 'it is a foreign table' WHEN c.relkind = 'm' THEN 'it is a materialized view'
		WHEN NOT pg_catalog.has_table_privilege(c.oid, 'SELECT') THEN 'the service has no permission to read it'
		WHEN pg_catalog.row_security_active(c.oid) THEN 'it has row-level security' WHEN c.relhasrules THEN 'it has rules'
		WHEN a.targets IS NULL THEN 'it has no columns' ELSE '' END
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	CROSS JOIN LATERAL (SELECT
		pg_catalog.string_agg(pg_catalog.format('%I %s%s', attname, pg_catalog.format_type(atttypid, atttypmod),
			CASE attgenerated WHEN '' THEN '' ELSE ' generated' END), ', ' ORDER BY attnum) AS columns,
		pg_catalog.string_agg(pg_catalog.quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE attgenerated = '') AS targets,
		pg_catalog.string_agg(pg_catalog.format('(x.r).%I', attname), ', ' ORDER BY attnum)
			FILTER (WHERE attgenerated = '') AS fields
		FROM pg_catalog.pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) a
WHERE c.relkind IN ('r', 'p', 'f', 'm') AND NOT c.relispartition AND ` + sondeOwnRelations + `
	AND (pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
		OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE'))
ORDER BY 2`

	// sondePostgresSequences has the state of a sequence that was not used for sequences that are new.
	sondePostgresSequences = `SELECT c.oid::text, ` + sondeNamed + `, s.seqstart || ' false', ` + sondeSequenceUsers + `,
	CASE WHEN pg_catalog.has_sequence_privilege(s.seqrelid, 'SELECT')
		AND pg_catalog.has_sequence_privilege(s.seqrelid, 'UPDATE') THEN '' ELSE 'the service has no permission to set it' END
FROM ` + sondeSequencesFrom + ` WHERE ` + sondeOwnRelations + `
	AND pg_catalog.has_sequence_privilege(s.seqrelid, 'SELECT, UPDATE, USAGE')
ORDER BY 2`

	// sondePostgresVersions changes whenever a transaction that has changed something ends, and when a sequence is used. A
	// statement that fails uses sequences, too, and that may be all that it changes.
	sondePostgresVersions = `SELECT pg_catalog.txid_current_snapshot()::text, coalesce((
	SELECT pg_catalog.string_agg(
		c.oid || ' ' || coalesce(pg_catalog.pg_sequence_last_value(c.oid)::text, ''), ' ' ORDER BY c.oid)
	FROM ` + sondeSequencesFrom + ` WHERE ` + sondeOwnRelations + ` AND pg_catalog.has_sequence_privilege(s.seqrelid, 'SELECT')), '')`

	// sondePostgresReferences has pairs of tables, the first of which has a foreign key to the second, and the name of the
	// first.
	sondePostgresReferences = `SELECT DISTINCT k.child::oid::text, k.parent::oid::text, k.child::text FROM (SELECT
		coalesce(pg_catalog.pg_partition_root(conrelid), conrelid::pg_catalog.regclass) AS child,
		coalesce(pg_catalog.pg_partition_root(confrelid), confrelid::pg_catalog.regclass) AS parent
	FROM pg_catalog.pg_constraint WHERE contype = 'f') k ORDER BY 1`
)

// sondeFigures are two figures of the rows of a table: their number, and the sum of the hashes of their texts and places.
const sondeFigures = "count(*) || ' ' || coalesce(sum(pg_catalog.hashtextextended(m.text, m.place)), 0)"

const sondeNoRows = "0 0" // the figures of no rows

// postgresTables returns the tables of the database, also those that cannot be cleaned.
func (s *sondeCleaner) postgresTables() (all []*sondePostgresTable, err error) {
	err = s.read(sondePostgresTables, func(row []string) {
		all = append(all, &sondePostgresTable{
			id: row[0], name: row[1], rows: row[2], columns: row[3], targets: row[4], fields: row[5], problem: row[6],
		})
	})
	return all, err
}

func (s *sondeCleaner) postgresSequences() (all []*sondePostgresSequence, err error) {
	err = s.read(sondePostgresSequences, func(row []string) {
		all = append(all, &sondePostgresSequence{id: row[0], name: row[1], seed: row[2], users: strings.Fields(row[3]), problem: row[4]})
	})
	return all, err
}

// matchTables sets the seeds of tables. A new table has the seed of an empty one.
func (s *sondeCleaner) matchTables(tables []*sondePostgresTable, seed *sondePostgresSeed) {
	found := map[string]bool{}
	for _, t := range tables {
		found[t.name] = true
		t.seed = seed.tables[t.name]
		switch {
		case t.problem != "":
		case t.seed == nil && seed.ids[t.id]:
			t.problem = "when the database was first used, it had another name or could not be read"
		case t.seed == nil:
			t.seed = &sondeTableSeed{figures: sondeNoRows}
		case t.seed.problem != "":
			t.problem = t.seed.problem
		case t.seed.columns != t.columns:
			t.problem = "its columns have changed"
		}
		if t.problem != "" {
			s.problem("table " + t.name + " is not cleaned: " + t.problem)
		}
	}
	for name := range seed.tables {
		if !found[name] {
			s.problem("table " + name + " is not cleaned: it was dropped")
		}
	}
}

// matchSequences sets the states of sequences in the seed. New sequences keep theirs. It leaves sequences from which a table
// that is not cleaned takes numbers, because its rows keep theirs.
func (s *sondeCleaner) matchSequences(sequences []*sondePostgresSequence, tables []*sondePostgresTable, seed *sondePostgresSeed) {
	isCleaned := map[string]bool{}
	for _, t := range tables {
		isCleaned[t.id] = t.problem == ""
	}
	for _, q := range sequences {
		for _, id := range q.users {
			q.isLeft = q.isLeft || !isCleaned[id]
		}
		state, ok := seed.sequences[q.name]
		switch {
		case q.problem != "":
		case ok:
			q.seed = state
		case seed.ids[q.id]:
			q.problem = "when the database was first used, it had another name or could not be read"
		}
		if q.problem != "" {
			s.problem("sequence " + q.name + " is not cleaned: " + q.problem)
		}
	}
}

// readFigures reads the figures of the tables and the states of the sequences that can be cleaned.
func (s *sondeCleaner) readFigures(tables []*sondePostgresTable, sequences []*sondePostgresSequence) error {
	var queries []string
	into := map[string]*string{}
	add := func(to *string, query string) {
		key := strconv.Itoa(len(queries))
		into[key] = to
		queries = append(queries, "SELECT '"+key+"', "+query)
	}
	for _, t := range tables {
		if t.problem == "" {
			add(&t.has, sondeFigures+" FROM "+t.placed()+" AS m")
		}
	}
	for _, q := range sequences {
		if q.problem == "" {
			add(&q.state, "last_value || ' ' || is_called FROM "+q.name)
		}
	}
	if len(queries) == 0 {
		return nil
	}
	return s.read(strings.Join(queries, " UNION ALL "), func(row []string) { *into[row[0]] = row[1] })
}

// sondeChangedTables returns the tables that differ from their seeds.
func sondeChangedTables(tables []*sondePostgresTable) (changed []*sondePostgresTable) {
	for _, t := range tables {
		if t.problem == "" && t.has != t.seed.figures {
			changed = append(changed, t)
		}
	}
	return changed
}

// placed returns a table with the texts of the rows, with their addresses, and with their places in the order in which the
// database lists them. m.* is the row, even if the table has a column m.
func (t *sondePostgresTable) placed() string {
	return "(SELECT (m.*)::text AS text, row_number() OVER () AS place, m.tableoid AS part, m.ctid AS at FROM " + t.rows +
		" AS m)"
}
