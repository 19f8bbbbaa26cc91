// Package sondequery computes how far a statement is from finding rows. It parses simple SELECTs,
// UPDATEs and DELETEs, and computes how far the rows of their tables are from the conditions. The
// database/sql of a service with probes imports it. Like sondeprobe, it has nothing to initialise.
// Unlike sondeprobe, it is the same in each build, so that database drivers need not be compiled again.
package sondequery

// Statement is a SELECT, an UPDATE or a DELETE with conditions.
type Statement struct {
	Tables []Table
	cond   condition // the conditions of WHERE and of the joins, except those of Table.on

	dialect  Dialect
	isColumn func(table, column string) bool
}

// Table is a table of a statement.
type Table struct {
	Name    string
	Columns []string // the columns in the conditions
	classes []class  // the classes of Columns; a column without an element is unclassified
	alias   string
	// A table that follows LEFT JOIN is optional: a row of the tables before it that has no partner in this table
	// is joined with NULLs.
	optional bool
	on       condition // the conditions of a LEFT JOIN
}

// Parse parses a statement. It returns false for statements that this package does not support, such as those
// with UNION, or without a supported comparison in WHERE or ON. isColumn reports whether a table has a column;
// Parse calls it for a column without the name of its table if there are several tables.
func Parse(d Dialect, statement string, isColumn func(table, column string) bool) (*Statement, bool) {
	t, ok := scan(d, statement)
	for ok && len(t) > 0 && t[len(t)-1].matches(";") {
		t = t[:len(t)-1]
	}
	if !ok || len(t) < 2 || hasSetOperator(t) {
		return nil, false
	}
	s := &Statement{dialect: d, isColumn: isColumn}
	parts := split(t[1:], "WHERE")
	if len(parts) > 2 || !s.parseTables(t[0], parts[0]) {
		return nil, false
	}
	if len(parts) == 2 {
		s.addCondition(s.untilNextClause(parts[1]))
	}
	return s, s.hasColumns()
}

// IsChange reports whether a statement is an UPDATE or a DELETE.
func IsChange(statement string) bool {
	s := &scanner{rest: statement}
	s.skip()
	first := token{text: s.rest[:s.lengthOf(0, isLetter)]}
	return first.matches("UPDATE") || first.matches("DELETE")
}

// hasSetOperator reports whether the tokens are those of several statements, or of a compound SELECT.
func hasSetOperator(t []token) bool {
	for _, operator := range [...]string{"UNION", "INTERSECT", "EXCEPT", ";"} {
		if len(split(t, operator)) > 1 {
			return true
		}
	}
	return false
}

// parseTables parses what is before WHERE. first is the first keyword.
func (s *Statement) parseTables(first token, t []token) bool {
	switch {
	case first.matches("SELECT"):
		from := split(t, "FROM")
		return len(from) == 2 && s.parseFrom(s.untilNextClause(from[1]))
	case first.matches("DELETE"):
		return len(t) > 0 && t[0].matches("FROM") && s.parseTable(t[1:])
	case first.matches("UPDATE"):
		if len(t) > 2 && t[0].matches("OR") {
			t = t[2:]
		}
		set := split(t, "SET")
		return len(set) == 2 && len(split(set[1], "FROM")) == 1 && s.parseTable(set[0])
	}
	return false
}

// addCondition parses a condition and joins it to that of the statement by AND.
func (s *Statement) addCondition(t []token) {
	c := s.parseCondition(t, false)
	if s.cond.isZero() {
		s.cond = c
	} else {
		s.cond = condition{all: []condition{s.cond, c}}
	}
}

func (s *Statement) hasColumns() bool {
	for i := range s.Tables {
		if len(s.Tables[i].Columns) > 0 {
			return true
		}
	}
	return false
}

func isName(t token) bool { return (t.kind == word || t.kind == quoted) && t.text != "" }

// untilNextClause returns the tokens before the clauses that may follow the conditions.
func (s *Statement) untilNextClause(t []token) []token {
	for _, clause := range [...]string{"GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "RETURNING"} {
		t = split(t, clause)[0]
	}
	if s.dialect == PostgreSQL {
		for _, clause := range [...]string{"OFFSET", "FETCH", "FOR"} {
			t = split(t, clause)[0]
		}
	}
	return t
}
