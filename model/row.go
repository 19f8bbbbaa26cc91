package model

import (
	"encoding/json"
	"strings"
)

// Row is a row that is inserted into a table of the service's database before the first call of a test.
type Row struct {
	Table string `json:"table"`
	Cells []Cell `json:"cells"`
}

// Cell is the value of a column in a row.
type Cell struct {
	Column string `json:"column"`
	// Value is null, a Boolean, a number or a text, as compact JSON.
	Value json.RawMessage `json:"value"`
	// Key reports whether the column belongs to the primary key of the table.
	Key bool `json:"key,omitempty"`
	// Identity reports whether the column is GENERATED ALWAYS AS IDENTITY in PostgreSQL.
	Identity bool `json:"identity,omitempty"`
}

// InsertStatement returns the SQL statement that inserts the row.
func (r Row) InsertStatement() string {
	var columns, values []string
	overriding := ""
	for _, c := range r.Cells {
		columns, values = append(columns, sqlName(c.Column)), append(values, c.literal())
		if c.Identity {
			overriding = "OVERRIDING SYSTEM VALUE "
		}
	}
	if len(columns) == 0 {
		return "INSERT INTO " + sqlName(r.Table) + " DEFAULT VALUES"
	}
	return "INSERT INTO " + sqlName(r.Table) + " (" + strings.Join(columns, ", ") + ") " + overriding +
		"VALUES (" + strings.Join(values, ", ") + ")"
}

// DeleteStatement returns the SQL statement that deletes the row, which it finds by its primary key. It returns "" for
// a row without a key, because other rows may have the same values.
func (r Row) DeleteStatement() string {
	var keys []string
	for _, c := range r.Cells {
		if !c.Key {
			continue
		}
		condition := sqlName(c.Column) + " = " + c.literal()
		if string(c.Value) == "null" {
			condition = sqlName(c.Column) + " IS NULL"
		}
		keys = append(keys, condition)
	}
	if len(keys) == 0 {
		return ""
	}
	return "DELETE FROM " + sqlName(r.Table) + " WHERE " + strings.Join(keys, " AND ")
}

// String returns a row in the form TABLE(COLUMN: VALUE, ...).
func (r Row) String() string {
	var cells []string
	for _, c := range r.Cells {
		cells = append(cells, c.Column+": "+string(c.Value))
	}
	return r.Table + "(" + strings.Join(cells, ", ") + ")"
}

// literal returns the value as a literal of SQL, for SQLite and for PostgreSQL, in which a text in quotes gets the type
// of its column. A value that is no number, Boolean or text becomes NULL.
func (c Cell) literal() string {
	var text string
	var number float64
	switch {
	case json.Unmarshal(c.Value, &text) == nil && string(c.Value) != "null":
		return "'" + strings.ReplaceAll(strings.ReplaceAll(text, "\x00", ""), "'", "''") + "'"
	case string(c.Value) == "true":
		return "TRUE"
	case string(c.Value) == "false":
		return "FALSE"
	case string(c.Value) == "null" || json.Unmarshal(c.Value, &number) != nil:
		return "NULL"
	}
	return strings.TrimSpace(string(c.Value))
}

func sqlName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// Table is a table of the service's database.
type Table struct {
	Name    string
	Columns []TableColumn
	// Definition is the statement that created the table. For PostgreSQL it has the table's checks, and the values of its
	// enumerations in the form COLUMN IN ('VALUE', ...).
	Definition string
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name       string
	Type       string // as the table's definition says, "" for none; for PostgreSQL, "enum" or such as int4, varchar(20), text[]
	NotNull    bool
	Key        bool // belongs to the primary key
	HasDefault bool
	Identity   bool // GENERATED ALWAYS AS IDENTITY in PostgreSQL
	// RefTable and RefColumn are the table and column to which a foreign key refers, "" for none.
	RefTable, RefColumn string
}

// EmptyQuery is a query that returned no rows, or an UPDATE or DELETE that changed none.
type EmptyQuery struct {
	Call   int // the index of the call during which the query was made
	Text   string
	Tables []string
	Facts  []RowFact
}

// RowFact is a condition of a query on a column: a comparison with a value, or equality with a column of another table.
type RowFact struct {
	Table, Column           string
	Op                      Relation
	Value                   json.RawMessage // null, a number or a text
	OtherTable, OtherColumn string          // "" for a comparison with a value
}
