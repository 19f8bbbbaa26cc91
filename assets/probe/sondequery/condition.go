package sondequery

// condition is a condition of a WHERE clause: a conjunction, a disjunction, or a comparison. The
// zero value is a condition that is not supported.
type condition struct {
	all, any   []condition
	comparison *comparison
}

// comparison compares a column with values. It holds if it holds for one of them.
type comparison struct {
	column int // index in Select.Columns
	op     operator
	with   []token
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

var operators = [...]struct {
	text string
	op   operator
}{
	{"=", equal}, {"==", equal}, {"IS", equal}, {"<>", less | more}, {"!=", less | more}, {"<", less},
	{"<=", less | equal}, {">", more}, {">=", more | equal},
}

// flipped returns the operator for the comparison with swapped operands.
func (op operator) flipped() operator { return op&equal | op&less<<2 | op&more>>2 }

// where parses the tokens of a condition.
func (s *Select) where(t []token) condition {
	for wrapped(t) {
		t = t[1 : len(t)-1]
	}
	if parts := split(t, "OR"); len(parts) > 1 {
		return condition{any: s.each(parts)}
	}
	if parts := split(t, "AND"); len(parts) > 1 {
		return condition{all: s.each(parts)}
	}
	return s.compare(t)
}

func (s *Select) each(parts [][]token) (all []condition) {
	for _, p := range parts {
		all = append(all, s.where(p))
	}
	return all
}

// wrapped reports whether the first and the last token are a matching pair of parentheses.
func wrapped(t []token) bool {
	if len(t) < 2 || !t[0].is("(") {
		return false
	}
	depth := 0
	for i := range t {
		if depth = inside(depth, t[i]); depth == 0 {
			return i == len(t)-1
		}
	}
	return false
}

// inside returns how many parentheses are open after a token. depth is their number before it.
func inside(depth int, t token) int {
	switch {
	case t.is("("):
		return depth + 1
	case t.is(")"):
		return depth - 1
	}
	return depth
}

// split splits tokens at a keyword. It does not split within parentheses or at the AND of a BETWEEN.
func split(t []token, at string) (parts [][]token) {
	depth, from, between := 0, 0, false
	for i := range t {
		depth = inside(depth, t[i])
		switch {
		case depth > 0:
		case t[i].is("BETWEEN"):
			between = true
		case between && t[i].is("AND"):
			between = false
		case t[i].is(at):
			parts = append(parts, t[from:i])
			from = i + 1
		}
	}
	return append(parts, t[from:])
}

// compare parses a comparison.
func (s *Select) compare(t []token) condition {
	if column, rest, ok := s.column(t); ok {
		return s.compareColumn(column, rest)
	}
	for i := range t {
		op := operatorOf(t[i : i+1])
		if op == 0 {
			continue
		}
		value, isValue := operandOf(t[:i])
		column, rest, isColumn := s.column(t[i+1:])
		if isValue && isColumn && len(rest) == 0 {
			return s.compared(column, op.flipped(), value)
		}
	}
	return condition{}
}

// compareColumn parses the tokens that follow a column.
func (s *Select) compareColumn(column string, t []token) condition {
	switch {
	case matches(t, "IS", "NULL") || matches(t, "ISNULL"):
		return s.compared(column, isNull)
	case matches(t, "IS", "NOT", "NULL") || matches(t, "NOTNULL") || matches(t, "NOT", "NULL"):
		return s.compared(column, notNull)
	case len(t) > 2 && t[0].is("BETWEEN"):
		return s.between(column, t[1:])
	case len(t) > 2 && t[0].is("IN") && wrapped(t[1:]):
		return s.in(column, t[2:len(t)-1])
	case len(t) > 1:
		if value, ok := operandOf(t[1:]); ok && operatorOf(t) != 0 {
			return s.compared(column, operatorOf(t), value)
		}
	}
	return condition{}
}

// matches reports whether the tokens are the given keywords.
func matches(t []token, words ...string) bool {
	if len(t) != len(words) {
		return false
	}
	for i, w := range words {
		if !t[i].is(w) {
			return false
		}
	}
	return true
}

func (s *Select) between(column string, t []token) condition {
	for i := range t {
		if !t[i].is("AND") {
			continue
		}
		low, ok := operandOf(t[:i])
		high, okToo := operandOf(t[i+1:])
		if ok && okToo {
			return condition{all: []condition{s.compared(column, more|equal, low), s.compared(column, less|equal, high)}}
		}
	}
	return condition{}
}

func (s *Select) in(column string, t []token) condition {
	var values []token
	for _, part := range split(t, ",") {
		value, ok := operandOf(part)
		if !ok {
			return condition{}
		}
		values = append(values, value)
	}
	return s.compared(column, equal, values...)
}

// compared returns the comparison of a column, and adds the column to s.Columns.
func (s *Select) compared(column string, op operator, with ...token) condition {
	at := -1
	for i, c := range s.Columns {
		if c == column {
			at = i
		}
	}
	if at < 0 {
		at = len(s.Columns)
		s.Columns = append(s.Columns, column)
	}
	return condition{comparison: &comparison{at, op, with}}
}

// column parses the name of a column, which may follow the name of the table. It returns the tokens
// after it.
func (s *Select) column(t []token) (name string, rest []token, ok bool) {
	if len(t) > 2 && isName(t[0]) && t[1].is(".") {
		if n := upper(t[0].text); n != upper(s.Table) && n != upper(s.alias) {
			return "", nil, false
		}
		t = t[2:]
	}
	if len(t) == 0 || !isName(t[0]) || t[0].kind == word && reserved(t[0]) {
		return "", nil, false
	}
	return t[0].text, t[1:], true
}

// reserved reports whether a word cannot be the name of a column.
func reserved(t token) bool {
	return t.is("NOT") || t.is("EXISTS") || t.is("CASE") || t.is("NULL") || t.is("TRUE") || t.is("FALSE") || t.is("CAST")
}

func operatorOf(t []token) operator {
	for _, o := range operators {
		if t[0].is(o.text) {
			return o.op
		}
	}
	return 0
}

// operandOf parses a literal or a parameter.
func operandOf(t []token) (token, bool) {
	switch {
	case len(t) == 2 && t[0].is("-") && t[1].kind == number:
		return token{kind: number, text: "-" + t[1].text}, true
	case len(t) != 1:
		return token{}, false
	}
	switch {
	case t[0].kind == text, t[0].kind == number, t[0].kind == parameter, t[0].is("NULL"):
		return t[0], true
	case t[0].is("TRUE"):
		return token{kind: number, text: "1"}, true
	case t[0].is("FALSE"):
		return token{kind: number, text: "0"}, true
	}
	return token{}, false
}
