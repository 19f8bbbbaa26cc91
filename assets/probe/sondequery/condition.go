package sondequery

// condition is a condition of a WHERE or ON clause: a conjunction, a disjunction, or a comparison. A
// condition that is not supported is a comparison without values.
type condition struct {
	all, any   []condition
	comparison *comparison
}

func (c *condition) isZero() bool { return len(c.all) == 0 && len(c.any) == 0 && c.comparison == nil }

// unsupported returns a condition that is not supported.
func unsupported() condition { return condition{comparison: &comparison{}} }

// comparison compares the left operand with the values, which are the operands on the right. It holds if the operator
// holds for one of them.
type comparison struct {
	left     operand
	op       operator
	values   []operand
	array    arrayMode
	escape   rune // the escape character of LIKE; 0 for none
	foldCase bool // LIKE ignores the case of ASCII letters
}

// arrayMode says for which elements the operator of a comparison with an array must hold. The array is the only value of
// the comparison.
type arrayMode uint8

const (
	noArray arrayMode = iota
	anyElement
	allElements
)

// operator is a set of the relations less, equal and more, which may have nullSafe, or else like or notLike.
type operator uint8

const (
	less     operator = 1
	equal    operator = 2
	more     operator = 4
	nullSafe operator = 8 // NULL is equal to NULL and to nothing else
	like     operator = 16
	notLike  operator = 32
)

// anyRelation has all relations.
const anyRelation = less | equal | more

var operatorSpellings = [...]struct {
	text string
	op   operator
}{
	{"=", equal}, {"==", equal}, {"<>", less | more}, {"!=", less | more}, {"<", less},
	{"<=", less | equal}, {">", more}, {">=", more | equal}, {"IS", equal | nullSafe}, {"LIKE", like}, {"ILIKE", like},
}

// swapped returns the operator for the comparison with swapped operands, or 0 for LIKE.
func (op operator) swapped() operator { return op&(equal|nullSafe) | op&less<<2 | op&more>>2 }

// negated returns the operator that holds when op does not, for operands other than NULL.
func (op operator) negated() operator {
	if op&(like|notLike) != 0 {
		return op ^ (like | notLike)
	}
	return op ^ anyRelation
}

// parseCondition returns the condition that the tokens state or, if negated is set, the opposite of this condition.
func (s *Statement) parseCondition(t []token, negated bool) condition {
	for isParenthesized(t) {
		t = t[1 : len(t)-1]
	}
	if parts := split(t, "OR"); len(parts) > 1 {
		return s.parseConditions(parts, !negated, negated)
	}
	if parts := split(t, "AND"); len(parts) > 1 {
		return s.parseConditions(parts, negated, negated)
	}
	if len(t) > 1 && t[0].matches("NOT") {
		return s.parseCondition(t[1:], !negated)
	}
	return s.parseComparison(t, negated)
}

// parseConditions parses the parts of a disjunction or, if isAny is false, of a conjunction.
func (s *Statement) parseConditions(parts [][]token, isAny, negated bool) condition {
	var list []condition
	for _, p := range parts {
		list = append(list, s.parseCondition(p, negated))
	}
	return joined(list, isAny)
}

func joined(list []condition, isAny bool) condition {
	if isAny {
		return condition{any: list}
	}
	return condition{all: list}
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

// split splits tokens at a keyword. It does not split within parentheses, at the AND of a BETWEEN, or at the FROM of
// DISTINCT FROM.
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
		case i > 0 && t[i].matches("FROM") && t[i-1].matches("DISTINCT"):
		case t[i].matches(at):
			parts = append(parts, t[from:i])
			from = i + 1
		}
	}
	return append(parts, t[from:])
}

// parseComparison parses a condition that has no AND or OR, and no NOT at its beginning.
func (s *Statement) parseComparison(t []token, negated bool) condition {
	at := comparisonAt(t)
	left, ok := s.parseOperand(t[:at])
	if ok && at == len(t) && s.dialect == PostgreSQL { // a Boolean
		return s.parseRight(left, equal, []token{{kind: word, text: "TRUE"}}, negated)
	}
	if !ok || at == len(t) {
		return unsupported()
	}
	t = t[at:]
	if t[0].matches("NOT") && len(t) > 1 && !t[1].matches("NULL") {
		t, negated = t[1:], !negated
	}
	switch {
	case areKeywords(t, "ISNULL"):
		return s.newComparison(left, nullOperator(negated), operand{nullToken()})
	case areKeywords(t, "NOTNULL") || areKeywords(t, "NOT", "NULL"):
		return s.newComparison(left, nullOperator(!negated), operand{nullToken()})
	case t[0].matches("BETWEEN"):
		return s.parseBetween(left, t[1:], negated)
	case t[0].matches("IN") && isParenthesized(t[1:]):
		return s.parseIn(left, t[2:len(t)-1], negated)
	case t[0].matches("LIKE") || t[0].matches("ILIKE"):
		return s.parseLike(left, t[0], t[1:], negated)
	case len(t) > 4 && areKeywords(t[:4], "IS", "NOT", "DISTINCT", "FROM"):
		return s.parseRight(left, equal|nullSafe, t[4:], negated)
	case len(t) > 3 && areKeywords(t[:3], "IS", "DISTINCT", "FROM"):
		return s.parseRight(left, equal|nullSafe, t[3:], !negated)
	case t[0].matches("IS") && len(t) > 1 && t[1].matches("NOT"):
		return s.parseRight(left, equal|nullSafe, t[2:], !negated)
	}
	return s.parseRight(left, operatorOf(t[0]), t[1:], negated)
}

// comparisonAt returns the index of the operator of a comparison, or the number of tokens.
func comparisonAt(t []token) int {
	depth := 0
	for i := range t {
		depth = depthAfter(depth, t[i])
		if depth > 0 || i == 0 {
			continue
		}
		for _, keyword := range [...]string{"NOT", "IN", "BETWEEN", "ISNULL", "NOTNULL"} {
			if t[i].matches(keyword) {
				return i
			}
		}
		if operatorOf(t[i]) != 0 {
			return i
		}
	}
	return len(t)
}

// nullOperator returns the operator of IS NULL or, if negated is set, of IS NOT NULL.
func nullOperator(negated bool) operator {
	if negated {
		return less | more | nullSafe
	}
	return equal | nullSafe
}

// parseRight parses the right side of a comparison, which is an operand or, in PostgreSQL, ANY, SOME or ALL of an
// array.
func (s *Statement) parseRight(left operand, op operator, t []token, negated bool) condition {
	if s.dialect == PostgreSQL && len(t) > 3 && op&nullSafe == 0 && isParenthesized(t[1:]) {
		switch {
		case t[0].matches("ANY"), t[0].matches("SOME"):
			return s.parseArray(left, op, anyElement, t[2:len(t)-1], negated)
		case t[0].matches("ALL"):
			return s.parseArray(left, op, allElements, t[2:len(t)-1], negated)
		}
	}
	right, ok := s.parseOperand(t)
	isTruth := op&nullSafe != 0 && len(t) == 1 && (t[0].matches("TRUE") || t[0].matches("FALSE"))
	if !ok || op == 0 || isTruth && s.dialect != PostgreSQL { // in SQLite, 2 IS TRUE holds
		return unsupported()
	}
	if negated {
		op = op.negated()
	}
	return s.newComparison(left, op, right)
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

func (s *Statement) parseBetween(left operand, t []token, negated bool) condition {
	for i := range t {
		if !t[i].matches("AND") {
			continue
		}
		low, ok := s.parseOperand(t[:i])
		high, okToo := s.parseOperand(t[i+1:])
		if !ok || !okToo {
			return unsupported()
		}
		above, below := more|equal, less|equal
		if negated {
			above, below = above.negated(), below.negated()
		}
		return joined([]condition{s.newComparison(left, above, low), s.newComparison(left, below, high)}, negated)
	}
	return unsupported()
}

func (s *Statement) parseIn(left operand, t []token, negated bool) condition {
	var values []operand
	for _, part := range split(t, ",") {
		value, ok := s.parseOperand(part)
		if !ok {
			return unsupported()
		}
		values = append(values, value)
	}
	if !negated {
		return s.newComparison(left, equal, values...)
	}
	var all []condition
	for _, v := range values {
		all = append(all, s.newComparison(left, less|more, v))
	}
	return condition{all: all}
}

// parseArray parses the array of ANY or ALL: a parameter, a text, or ARRAY[...].
func (s *Statement) parseArray(left operand, op operator, mode arrayMode, t []token, negated bool) condition {
	t, _ = withoutCast(t)
	if negated { // NOT a = ANY (b) means a <> ALL (b)
		op, mode = op.negated(), anyElement+allElements-mode
	}
	if last := len(t) - 1; last > 2 && t[0].matches("ARRAY") && t[1].matches("[") && t[last].matches("]") {
		var list []condition
		for _, part := range split(t[2:last], ",") {
			list = append(list, s.parseRight(left, op, part, false))
		}
		return joined(list, mode == anyElement)
	}
	v, ok := valueOf(t)
	if !ok || op == 0 {
		return unsupported()
	}
	c := s.newComparison(left, op, operand{v})
	c.comparison.array = mode
	return c
}

// parseLike parses what follows the keyword LIKE or ILIKE.
func (s *Statement) parseLike(left operand, keyword token, t []token, negated bool) condition {
	op, escape := like, rune(0)
	if s.dialect == PostgreSQL {
		escape = '\\'
	}
	if parts := split(t, "ESCAPE"); len(parts) == 2 {
		if len(parts[1]) != 1 || parts[1][0].kind != text || len([]rune(parts[1][0].text)) != 1 {
			return unsupported()
		}
		t, escape = parts[0], []rune(parts[1][0].text)[0]
	}
	pattern, ok := s.parseOperand(t)
	if !ok {
		return unsupported()
	}
	if negated {
		op = notLike
	}
	c := s.newComparison(left, op, pattern)
	c.comparison.escape, c.comparison.foldCase = escape, s.dialect == SQLite || keyword.matches("ILIKE")
	return c
}

// newComparison returns a comparison, and adds its columns to the tables.
func (s *Statement) newComparison(left operand, op operator, values ...operand) condition {
	s.addColumns(left)
	for _, v := range values {
		s.addColumns(v)
	}
	return condition{comparison: &comparison{left: left, op: op, values: values}}
}

func operatorOf(t token) operator {
	for _, o := range operatorSpellings {
		if t.matches(o.text) {
			return o.op
		}
	}
	return 0
}
