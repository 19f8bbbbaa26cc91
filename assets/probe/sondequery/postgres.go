package sondequery

// postgresTable returns an expression for the OID of a table, which is NULL if the search path leads to no such table.
func postgresTable(name string) string {
	return "pg_catalog.to_regclass(pg_catalog.quote_ident(" + quoteText(name) + "))"
}

// postgresDefinition returns a query for the name of a table and for a text. The text has the checks of the table, and
// the checks of the domains of its columns. For each column with an enumeration, it also has a line such as: state IN
// ('open', 'closed').
func postgresDefinition(table string) string {
	return `SELECT c.relname::text, pg_catalog.concat_ws(pg_catalog.chr(10),
	(SELECT pg_catalog.string_agg(pg_catalog.pg_get_constraintdef(k.oid), pg_catalog.chr(10))
		FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'),
	(SELECT pg_catalog.string_agg(
			pg_catalog.replace(pg_catalog.pg_get_constraintdef(k.oid), 'VALUE', pg_catalog.quote_ident(a.attname)), pg_catalog.chr(10))
		FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_constraint k ON k.contypid = a.atttypid
		WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
	(SELECT pg_catalog.string_agg(pg_catalog.quote_ident(e.attname) || ' IN (' || e.labels || ')', pg_catalog.chr(10)) FROM (
		SELECT a.attname, pg_catalog.string_agg(pg_catalog.quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder) AS labels
		FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
			JOIN pg_catalog.pg_enum l ON l.enumtypid = coalesce(nullif(t.typbasetype, 0), t.oid)
		WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped GROUP BY a.attname) e))
FROM pg_catalog.pg_class c WHERE c.oid = ` + postgresTable(table) + ` AND c.relkind IN ('r', 'p')`
}

func postgresIsColumn(table, column string) string {
	return "SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = " + postgresTable(table) +
		" AND attname = " + quoteText(column) + " AND attnum > 0 AND NOT attisdropped"
}

// postgresColumns returns the query of Dialect.Columns. The type of a domain is its base type. An integer type has the
// name that says how many bytes it has, such as int4.
func postgresColumns(table string) string {
	return `SELECT a.attname::text,
	CASE WHEN b.typtype = 'e' THEN 'enum' WHEN b.typname IN ('int2', 'int4', 'int8') THEN b.typname::text
		ELSE pg_catalog.format_type(b.oid, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END) END,
	(a.attnotnull OR t.typnotnull)::int, (a.atthasdef OR t.typdefault IS NOT NULL OR a.attidentity <> '')::int,
	EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey))::int,
	(a.attidentity = 'a')::int
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
	JOIN pg_catalog.pg_type t ON t.oid = a.atttypid JOIN pg_catalog.pg_type b ON b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
WHERE c.oid = ` + postgresTable(table) + ` AND c.relkind IN ('r', 'p')
	AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
ORDER BY a.attnum`
}

func postgresForeignKeys(table string) string {
	return `SELECT a.attname::text, r.relname::text, b.attname::text
FROM pg_catalog.pg_constraint k
	CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(k.conkey), pg_catalog.unnest(k.confkey)) AS u (child, parent)
	JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
	JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.child
	JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.parent
WHERE k.contype = 'f' AND k.conrelid = ` + postgresTable(table)
}

// postgresValue returns an expression for the value of a column. Drivers return integers, floating-point numbers and
// Booleans as such. Other values are converted to texts, because drivers return the same type in several ways, such as
// a decimal number as a text or as bytes.
func postgresValue(column string, c class) string {
	switch c {
	case whole, truth, bytes:
		return column
	case decimal:
		return column + "::float8"
	case money:
		return column + "::numeric::float8"
	}
	return column + "::text"
}

// PostgresDatabase is a query for a text that names the database of a connection: its server, its name, and the schemas
// in which tables are looked up.
const PostgresDatabase = "SELECT pg_catalog.concat_ws(' ', pg_catalog.inet_server_addr(), pg_catalog.inet_server_port(), " +
	"pg_catalog.current_database(), pg_catalog.current_schemas(false)::text)"

// PostgresSettings is a query that changes settings until the end of the transaction or savepoint. It sets short limits
// for statements and for waiting for locks, asynchronous commits, and times in UTC, such as 2026-01-02 10:30:00+00.
const PostgresSettings = "SELECT pg_catalog.set_config('statement_timeout', '1000', true), " +
	"pg_catalog.set_config('lock_timeout', '100', true), pg_catalog.set_config('synchronous_commit', 'off', true), " +
	"pg_catalog.set_config('TimeZone', 'UTC', true), pg_catalog.set_config('DateStyle', 'ISO, YMD', true)"

// PostgresVersion is a query for the version of a server, as IsKnownPostgres takes it.
const PostgresVersion = "SELECT pg_catalog.version()"

// leastPostgres is the first major version of PostgreSQL whose catalog has what the queries here read.
const leastPostgres = 12

// IsKnownPostgres reports whether a server with this version is a PostgreSQL that understands the queries here:
// "PostgreSQL 15.8 (Debian …)". Redshift has "PostgreSQL 8.0.2 …", and CockroachDB "CockroachDB CCL v23.1 …".
func IsKnownPostgres(version string) bool {
	const product = "PostgreSQL "
	if len(version) < len(product) || version[:len(product)] != product {
		return false
	}
	major := 0
	for _, digit := range []byte(version[len(product):]) {
		if digit < '0' || digit > '9' || major > 1000 {
			break
		}
		major = 10*major + int(digit-'0')
	}
	return major >= leastPostgres
}

// PostgresMark and PostgresMarked find out whether a connection is in a transaction. PostgresMark must be executed
// first. The row of PostgresMarked then has a text that is not empty if the connection is in a transaction. Outside of
// a transaction, the mark is gone at the end of the first statement. Neither statement fails, unless the transaction
// has failed before.
const (
	PostgresMark   = "SELECT pg_catalog.set_config('sonde.mark', 'set', true)"
	PostgresMarked = "SELECT coalesce(pg_catalog.current_setting('sonde.mark', true), '')"
)
