package sondequery

// Dialect is the SQL of a database.
type Dialect uint8

// The dialects that this package supports. The zero value is for all others.
const (
	SQLite Dialect = iota + 1
	PostgreSQL
)

// Definition returns a query for the name of a table, as the database has it, and for a text with the table's
// constraints: its definition in SQLite, its checks and enumerations in PostgreSQL. If there is no such table, the
// result has no row. This is also the case for views and virtual tables, whose rows may take long to compute.
func (d Dialect) Definition(table string) string {
	if d == PostgreSQL {
		return postgresDefinition(table)
	}
	return "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name = " + quoteText(table) +
		" COLLATE NOCASE AND sql NOT LIKE 'create virtual%'"
}

// IsColumn returns a query that has a row as its result if a table has a column.
func (d Dialect) IsColumn(table, column string) string {
	if d == PostgreSQL {
		return postgresIsColumn(table, column)
	}
	return "SELECT 1 FROM pragma_table_info(" + quoteText(table) + ") WHERE name = " + quoteText(column) + " COLLATE NOCASE"
}

// Columns returns a query whose result has a row for each column of a table, except columns that a statement cannot
// set: the name, the type, whether the column is NOT NULL, whether it has a default, whether it belongs to the primary
// key, and whether it is GENERATED ALWAYS AS IDENTITY.
func (d Dialect) Columns(table string) string {
	if d == PostgreSQL {
		return postgresColumns(table)
	}
	return "SELECT name, type, `notnull`, dflt_value IS NOT NULL, pk > 0, 0 FROM pragma_table_info(" + quoteText(table) + ")"
}

// ForeignKeys returns a query whose result has a row for each column of a foreign key of a table: the column, and the
// table and the column to which it refers. In SQLite, the column to which it refers is NULL if that is the primary key.
func (d Dialect) ForeignKeys(table string) string {
	if d == PostgreSQL {
		return postgresForeignKeys(table)
	}
	return "SELECT `from`, `table`, `to` FROM pragma_foreign_key_list(" + quoteText(table) + ")"
}

// Rows returns a query for the Columns of the first thousand rows of the table with an index. If the table has no
// Columns, the query returns at most one row, with the number 1.
func (s *Statement) Rows(table int) string {
	t := &s.Tables[table]
	if len(t.Columns) == 0 {
		return "SELECT 1 FROM " + s.dialect.quoteName(t.Name) + " LIMIT 1"
	}
	q := "SELECT "
	for i, c := range t.Columns {
		if i > 0 {
			q += ", "
		}
		q += s.dialect.storedValue(s.dialect.quoteName(c), t.classOf(i))
	}
	return q + " FROM " + s.dialect.quoteName(t.Name) + " LIMIT 1000"
}

// storedValue returns an expression for the value of a column. In SQLite, a driver does not convert the value of an
// expression such as +column; so the value is returned as it is stored.
func (d Dialect) storedValue(column string, c class) string {
	if d == PostgreSQL {
		return postgresValue(column, c)
	}
	return "+" + column
}

// quoteName quotes a name. In SQLite, a name in double quotes that is not the name of a column would be a text.
func (d Dialect) quoteName(s string) string {
	quote := byte('`')
	if d == PostgreSQL {
		quote = '"'
	}
	return string(quote) + escapeQuotes(s, quote) + string(quote)
}

func quoteText(s string) string { return "'" + escapeQuotes(s, '\'') + "'" }

func escapeQuotes(s string, quote byte) string {
	var b []byte
	for _, c := range []byte(s) {
		if c == quote {
			b = append(b, c)
		}
		b = append(b, c)
	}
	return string(b)
}
