package sondequery

// operand is an operand of a comparison: a column, a literal or a parameter, or several that are joined by ||.
type operand []token

// parseOperand parses an operand: one value, or several that are joined by ||. It returns false if one of them is not
// supported.
func (s *Statement) parseOperand(t []token) (operand, bool) {
	var o operand
	for _, part := range split(t, "||") {
		p, ok := s.parseOne(part)
		if !ok {
			return nil, false
		}
		o = append(o, p)
	}
	return o, true
}

// parseOne parses an operand without ||. In PostgreSQL it ignores the cast of a value, because a value gets the type of
// the column with which it is compared. It accepts the cast of a column only to a text.
func (s *Statement) parseOne(t []token) (token, bool) {
	castTo := ""
	for {
		base := t
		for isParenthesized(base) {
			base = base[1 : len(base)-1]
		}
		if s.dialect == PostgreSQL {
			var name string
			if base, name = withoutCast(base); name != "" {
				castTo = name
			}
		}
		if len(base) == len(t) {
			break
		}
		t = base
	}
	if p, ok := valueOf(t); ok {
		return p, true
	}
	if castTo != "" && castTo != "TEXT" && castTo != "VARCHAR" {
		return token{}, false
	}
	return s.parseColumn(t)
}

// withoutCast removes a cast of PostgreSQL, such as ::uuid, CAST(... AS uuid) or the word in DATE '2026-01-02'. It
// returns the first word of the type in upper case, "" if there is no cast.
func withoutCast(t []token) (base []token, castTo string) {
	if len(t) > 3 && t[0].matches("CAST") && isParenthesized(t[1:]) {
		if parts := split(t[2:len(t)-1], "AS"); len(parts) == 2 && len(parts[1]) > 0 {
			return parts[0], upper(parts[1][0].text)
		}
	}
	if parts := split(t, "::"); len(parts) > 1 && len(parts[1]) > 0 {
		return parts[0], upper(parts[1][0].text)
	}
	if len(t) == 2 && t[1].kind == text {
		for _, name := range [...]string{"DATE", "TIMESTAMP", "TIMESTAMPTZ", "UUID", "NUMERIC"} {
			if t[0].matches(name) {
				return t[1:], name
			}
		}
	}
	return t, ""
}

// valueOf parses a literal or a parameter. It returns false if the tokens are anything else.
func valueOf(t []token) (token, bool) {
	switch {
	case len(t) == 2 && t[0].matches("-") && t[1].kind == number:
		return token{kind: number, text: "-" + t[1].text}, true
	case len(t) != 1:
		return token{}, false
	}
	switch {
	case t[0].kind == text, t[0].kind == number, t[0].kind == parameter, t[0].matches("NULL"):
		return t[0], true
	case t[0].matches("TRUE"):
		return token{kind: number, text: "1"}, true
	case t[0].matches("FALSE"):
		return token{kind: number, text: "0"}, true
	}
	return token{}, false
}

func nullToken() token { return token{kind: word, text: "NULL"} }

// parseColumn parses the name of a column, which may follow the name of its table.
func (s *Statement) parseColumn(t []token) (token, bool) {
	table := -1
	switch {
	case len(t) == 3 && isName(t[0]) && t[1].matches(".") && isName(t[2]):
		table = s.tableOf(t[0].text)
		t = t[2:]
	case len(t) == 1 && isName(t[0]) && (t[0].kind == quoted || !isReserved(t[0])):
		table = s.tableWith(t[0].text, len(s.Tables))
	}
	if table < 0 {
		return token{}, false
	}
	return columnToken(table, t[0].text), true
}

// columnToken returns a token for a column of the table with an index.
func columnToken(table int, name string) token { return token{kind: column, text: name, table: table} }

// isReserved reports whether a word cannot be the name of a column.
func isReserved(t token) bool {
	for _, keyword := range [...]string{
		"NOT", "EXISTS", "CASE", "NULL", "TRUE", "FALSE", "CAST", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP",
		"LOCALTIME", "LOCALTIMESTAMP", "CURRENT_USER", "SESSION_USER",
	} {
		if t.matches(keyword) {
			return true
		}
	}
	return false
}

// addColumns adds the columns of an operand to their tables, and sets the indexes of its tokens.
func (s *Statement) addColumns(o operand) {
	for i := range o {
		if o[i].kind == column {
			o[i].number = s.Tables[o[i].table].indexOf(o[i].text)
		}
	}
}

// indexOf returns the index of a column, which it adds if it is missing.
func (t *Table) indexOf(column string) int {
	for i, c := range t.Columns {
		if c == column {
			return i
		}
	}
	t.Columns = append(t.Columns, column)
	return len(t.Columns) - 1
}
