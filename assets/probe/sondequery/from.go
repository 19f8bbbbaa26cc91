package sondequery

// parseFrom parses the tables of a SELECT and their joins.
func (s *Statement) parseFrom(t []token) bool {
	for first := true; ; first = false {
		end := nextJoin(t)
		if !s.parseJoined(t[:end], first) {
			return false
		}
		if end == len(t) {
			return true
		}
		optional, rest, ok := joinOperator(t[end:])
		if !ok || len(s.Tables) == maxTables {
			return false
		}
		t = rest
		s.Tables = append(s.Tables, Table{optional: optional})
	}
}

// maxTables is the maximum number of tables that are joined.
const maxTables = 6

// nextJoin returns the index of the next comma or operator between two tables, or the number of tokens.
func nextJoin(t []token) int {
	depth := 0
	for i := range t {
		depth = depthAfter(depth, t[i])
		if _, _, ok := joinOperator(t[i:]); ok && depth == 0 && i > 0 {
			return i
		}
		for _, kind := range [...]string{"NATURAL", "RIGHT", "FULL"} {
			if depth == 0 && t[i].matches(kind) {
				return i
			}
		}
	}
	return len(t)
}

// joinOperator parses a comma or an operator that joins two tables. It returns the tokens after it, and whether the
// table that follows is optional. NATURAL, RIGHT and FULL joins are not supported.
func joinOperator(t []token) (optional bool, rest []token, ok bool) {
	for _, o := range [...]struct {
		words    [3]string
		optional bool
	}{
		{words: [3]string{","}},
		{words: [3]string{"JOIN"}},
		{words: [3]string{"INNER", "JOIN"}},
		{words: [3]string{"CROSS", "JOIN"}},
		{words: [3]string{"LEFT", "JOIN"}, optional: true},
		{words: [3]string{"LEFT", "OUTER", "JOIN"}, optional: true},
	} {
		n := 0
		for n < len(o.words) && n < len(t) && o.words[n] != "" && t[n].matches(o.words[n]) {
			n++
		}
		if n > 0 && (n == len(o.words) || o.words[n] == "") {
			return o.optional, t[n:], true
		}
	}
	return false, nil, false
}

// parseJoined parses a table and, unless the table is the first, the conditions of its join.
func (s *Statement) parseJoined(t []token, first bool) bool {
	if first {
		return s.parseTable(t)
	}
	if on := split(t, "ON"); len(on) == 2 {
		if !s.parseTable(on[0]) {
			return false
		}
		s.addJoinCondition(s.parseCondition(on[1], false))
		return true
	}
	if using := split(t, "USING"); len(using) == 2 {
		return s.parseTable(using[0]) && s.parseUsing(using[1])
	}
	return s.parseTable(t)
}

// parseUsing parses the columns that the last table has in common with one before it.
func (s *Statement) parseUsing(t []token) bool {
	if !isParenthesized(t) {
		return false
	}
	last := len(s.Tables) - 1
	for _, name := range split(t[1:len(t)-1], ",") {
		if len(name) != 1 || !isName(name[0]) {
			return false
		}
		other := 0
		if last > 1 {
			other = s.tableWith(name[0].text, last)
		}
		if other < 0 {
			return false
		}
		a, b := columnToken(other, name[0].text), columnToken(last, name[0].text)
		s.addJoinCondition(s.newComparison(operand{a}, equal, operand{b}))
	}
	return true
}

// addJoinCondition adds a condition of the join of the last table.
func (s *Statement) addJoinCondition(c condition) {
	at := &s.cond
	if last := &s.Tables[len(s.Tables)-1]; last.optional {
		at = &last.on
	}
	if at.isZero() {
		*at = c
	} else {
		*at = condition{all: []condition{*at, c}}
	}
}

// parseTable parses the name and the alias of a table into the last element of s.Tables. For the first table, it adds
// this element; for others, parseFrom has added it.
func (s *Statement) parseTable(t []token) bool {
	if len(t) == 3 && t[1].matches("AS") {
		t = []token{t[0], t[2]}
	}
	if len(t) == 0 || len(t) > 2 || !isName(t[0]) || !isName(t[len(t)-1]) {
		return false
	}
	if len(s.Tables) == 0 {
		s.Tables = append(s.Tables, Table{})
	}
	last := &s.Tables[len(s.Tables)-1]
	last.Name, last.alias = t[0].text, t[len(t)-1].text
	return true
}

// tableOf returns the index of the table with a name or alias, or -1.
func (s *Statement) tableOf(name string) int {
	for i := range s.Tables {
		if upper(s.Tables[i].alias) == upper(name) {
			return i
		}
	}
	for i := range s.Tables {
		if upper(s.Tables[i].Name) == upper(name) {
			return i
		}
	}
	return -1
}

// tableWith returns the index of the first of n tables that has a column, or -1. If the statement has only one table,
// it returns 0, because the column must be in this table.
func (s *Statement) tableWith(column string, n int) int {
	if len(s.Tables) == 1 {
		return 0
	}
	for i := range s.Tables[:n] {
		if s.isColumn != nil && s.isColumn(s.Tables[i].Name, column) {
			return i
		}
	}
	return -1
}
