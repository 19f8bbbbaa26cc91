package sondequery

// condition is a condition of a WHERE clause: a conjunction, a disjunction, or a comparison. The
// zero value is a condition that is not supported.
type condition struct {
	all, any   []condition
	comparison *comparison
}

// comparison compares a column with values. It holds if the operator holds for one of the values.
type comparison struct {
	column int // index in Select.Columns
	op     operator
	values []token
}

// operator is a set of the relations less, equal and more, or else isNull or notNull.
type operator uint8

const (
	less    operator = 1
	equal   operator = 2
	more    operator = 4
	isNull  operator = 8
	notNull operator = 16
)

var operatorSpellings = [...]struct {
	text string
	op   operator
}{
	{"=", equal}, {"==", equal}, {"IS", equal}, {"<>", less | more}, {"!=", less | more}, {"<", less},
	{"<=", less | equal}, {">", more}, {">=", more | equal},
}

// swapped returns the operator for the comparison with swapped operands.
func (op operator) swapped() operator { return op&equal | op&less<<2 | op&more>>2 }

// parseCondition parses the tokens of a condition.
func (s *Select) parseCondition(t []token) condition {
	for isParenthesized(t) {
		t = t[1 : len(t)-1]
	}
	if parts := split(t, "OR"); len(parts) > 1 {
		return condition{any: s.parseConditions(parts)}
	}
	if parts := split(t, "AND"); len(parts) > 1 {
		return condition{all: s.parseConditions(parts)}
	}
	return s.parseComparison(t)
}

func (s *Select) parseConditions(parts [][]token) (all []condition) {
	for _, p := range parts {
		all = append(all, s.parseCondition(p))
	}
	return all
}

// isParenthesized reports whether the first and the last token are a matching pair of parentheses.
func isParenthesized(t []token) bool {
	if len(t) < 2 || !t[0].matches("(") {
		return false
	}
	depth := 0
	for i := range t {
		if depth = depthAfter(depth, t[i]); depth == 0 {
			return i == len(t)-1
		}
	}
	return false
}

// depthAfter returns how many parentheses are open after a token. depth is the number of open parentheses
// before the token.
func depthAfter(depth int, t token) int {
	switch {
	case t.matches("("):
		return depth + 1
	case t.matches(")"):
		return depth - 1
	}
	return depth
}

// split splits tokens at a keyword. It does not split within parentheses or at the AND of a BETWEEN.
func split(t []token, at string) (parts [][]token) {
	depth, from, between := 0, 0, false
	for i := range t {
		depth = depthAfter(depth, t[i])
		switch {
		case depth > 0:
		case t[i].matches("BETWEEN"):
			between = true
		case between && t[i].matches("AND"):
			between = false
		case t[i].matches(at):
			parts = append(parts, t[from:i])
			from = i + 1
		}
	}
	return append(parts, t[from:])
}

func (s *Select) parseComparison(t []token) condition {
	if column, rest, ok := s.parseColumn(t); ok {
		return s.parseColumnComparison(column, rest)
	}
	for i := range t {
		op := operatorOf(t[i : i+1])
		if op == 0 {
			continue
		}
		value, isValue := operandOf(t[:i])
		column, rest, isColumn := s.parseColumn(t[i+1:])
		if isValue && isColumn && len(rest) == 0 {
			return s.newComparison(column, op.swapped(), value)
		}
	}
	return condition{}
}

// parseColumnComparison parses the tokens that follow a column.
func (s *Select) parseColumnComparison(column string, t []token) condition {
	switch {
	case areKeywords(t, "IS", "NULL") || areKeywords(t, "ISNULL"):
		return s.newComparison(column, isNull)
	case areKeywords(t, "IS", "NOT", "NULL") || areKeywords(t, "NOTNULL") || areKeywords(t, "NOT", "NULL"):
		return s.newComparison(column, notNull)
	case len(t) > 2 && t[0].matches("BETWEEN"):
		return s.parseBetween(column, t[1:])
	case len(t) > 2 && t[0].matches("IN") && isParenthesized(t[1:]):
		return s.parseIn(column, t[2:len(t)-1])
	case len(t) > 1:
		if value, ok := operandOf(t[1:]); ok && operatorOf(t) != 0 {
			return s.newComparison(column, operatorOf(t), value)
		}
	}
	return condition{}
}

// areKeywords reports whether the tokens are the given keywords.
func areKeywords(t []token, words ...string) bool {
	if len(t) != len(words) {
		return false
	}
	for i, w := range words {
		if !t[i].matches(w) {
			return false
		}
	}
	return true
}

func (s *Select) parseBetween(column string, t []token) condition {
	for i := range t {
		if !t[i].matches("AND") {
			continue
		}
		low, ok := operandOf(t[:i])
		high, okToo := operandOf(t[i+1:])
		if ok && okToo {
			return condition{all: []condition{s.newComparison(column, more|equal, low), s.newComparison(column, less|equal, high)}}
		}
	}
	return condition{}
}

func (s *Select) parseIn(column string, t []token) condition {
	var values []token
	for _, part := range split(t, ",") {
		value, ok := operandOf(part)
		if !ok {
			return condition{}
		}
		values = append(values, value)
	}
	return s.newComparison(column, equal, values...)
}

// newComparison returns the comparison of a column, and adds the column to s.Columns.
func (s *Select) newComparison(column string, op operator, with ...token) condition {
	index := -1
	for i, c := range s.Columns {
		if c == column {
			index = i
		}
	}
	if index < 0 {
		index = len(s.Columns)
		s.Columns = append(s.Columns, column)
	}
	return condition{comparison: &comparison{index, op, with}}
}

// parseColumn parses the name of a column, which may follow the name of the table. It returns the tokens
// after it.
func (s *Select) parseColumn(t []token) (name string, rest []token, ok bool) {
	if len(t) > 2 && isName(t[0]) && t[1].matches(".") {
		if n := upper(t[0].text); n != upper(s.Table) && n != upper(s.alias) {
			return "", nil, false
		}
		t = t[2:]
	}
	if len(t) == 0 || !isName(t[0]) || t[0].kind == word && isReserved(t[0]) {
		return "", nil, false
	}
	return t[0].text, t[1:], true
}

// isReserved reports whether a word cannot be the name of a column.
func isReserved(t token) bool {
	for _, keyword := range [...]string{"NOT", "EXISTS", "CASE", "NULL", "TRUE", "FALSE", "CAST"} {
		if t.matches(keyword) {
			return true
		}
	}
	return false
}

func operatorOf(t []token) operator {
	for _, o := range operatorSpellings {
		if t[0].matches(o.text) {
			return o.op
		}
	}
	return 0
}

// operandOf parses a literal or a parameter.
func operandOf(t []token) (token, bool) {
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
