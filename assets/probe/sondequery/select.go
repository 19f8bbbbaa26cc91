// Package sondequery computes how far a query is from returning rows. It parses simple SELECTs of
// one table, and computes how far each row of the table is from the conditions. The database/sql
// of a service with probes imports it. Like sondeprobe, it has nothing to initialise. Unlike
// sondeprobe, it is the same in each build, so that database drivers need not be compiled again.
package sondequery

// Select is a query of one table.
type Select struct {
	Table   string
	Columns []string // the columns in the conditions
	alias   string
	cond    condition
}

// Parse parses a query. It returns false for queries that this package does not support, such as those
// with several tables, with UNION, or without a supported comparison in WHERE.
func Parse(query string) (*Select, bool) {
	t, ok := scan(query)
	if !ok || len(t) == 0 || !t[0].matches("SELECT") {
		return nil, false
	}
	for len(t) > 0 && t[len(t)-1].matches(";") {
		t = t[:len(t)-1]
	}
	for _, set := range [...]string{"UNION", "INTERSECT", "EXCEPT", ";"} {
		if len(split(t, set)) > 1 {
			return nil, false
		}
	}
	from := split(t, "FROM")
	if len(from) != 2 {
		return nil, false
	}
	parts := split(from[1], "WHERE")
	s := &Select{}
	if len(parts) != 2 || !s.parseTable(parts[0]) {
		return nil, false
	}
	s.cond = s.parseCondition(untilNextClause(parts[1]))
	return s, len(s.Columns) > 0
}

// parseTable parses the name and alias of a table.
func (s *Select) parseTable(t []token) bool {
	if len(t) == 3 && t[1].matches("AS") {
		t = []token{t[0], t[2]}
	}
	if len(t) == 0 || len(t) > 2 || !isName(t[0]) || !isName(t[len(t)-1]) {
		return false
	}
	s.Table, s.alias = t[0].text, t[len(t)-1].text
	return true
}

func isName(t token) bool { return (t.kind == word || t.kind == quoted) && t.text != "" }

// untilNextClause returns the tokens of the conditions, without the clauses that follow them.
func untilNextClause(t []token) []token {
	for _, clause := range [...]string{"GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT"} {
		t = split(t, clause)[0]
	}
	return t
}

// IsTable returns a query that has a row as its result if s.Table is a table. For views and virtual
// tables, whose rows may take long to compute, the result has no row.
func (s *Select) IsTable() string {
	return "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '" + escapeQuotes(s.Table, '\'') +
		"' COLLATE NOCASE AND sql NOT LIKE 'create virtual%'"
}

// Rows returns a query for s.Columns of the first thousand rows. The sign + before a column makes
// its values come as they are stored, and not as a driver converts them.
func (s *Select) Rows() string {
	q := "SELECT "
	for i, c := range s.Columns {
		if i > 0 {
			q += ", "
		}
		q += "+" + quoteName(c)
	}
	return q + " FROM " + quoteName(s.Table) + " LIMIT 1000"
}

// quoteName returns a name in backquotes. Double quotes could make it a string.
func quoteName(s string) string { return "`" + escapeQuotes(s, '`') + "`" }

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
