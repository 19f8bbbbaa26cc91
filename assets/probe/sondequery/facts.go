package sondequery

// Fact is a condition of a statement on a column: a comparison with a value, or equality with a column of another
// table. Op is a sum of 1 for less, 2 for equal, and 4 for more. If Value is NULL, Op 2 demands NULL, and Op 5 demands
// any other value. For LIKE, Value is a text that matches the pattern, and Op is 2.
type Fact struct {
	Table, Column           string
	Op                      uint8
	Value                   Value
	OtherTable, OtherColumn string // "" for a comparison with a value
}

// Facts returns conditions that rows must fulfil so that the statement finds them. Of the alternatives of an OR, it
// returns the conditions of the first one that has any.
func (s *Statement) Facts(args Arguments) []Fact {
	n := s.Nearest(args, nil)
	all := n.appendFacts(nil, &s.cond)
	for i := range s.Tables {
		all = n.appendFacts(all, &s.Tables[i].on)
	}
	return all
}

func (n *Nearest) appendFacts(all []Fact, c *condition) []Fact {
	for i := range c.all {
		all = n.appendFacts(all, &c.all[i])
	}
	for i := range c.any {
		if more := n.appendFacts(all, &c.any[i]); len(more) > len(all) {
			return more
		}
	}
	if c.comparison != nil && len(c.comparison.values) > 0 {
		all = n.appendFact(all, c.comparison)
	}
	return all
}

// appendFact appends the fact of a comparison. If the comparison has several values, as IN has, the fact is about the
// first one.
func (n *Nearest) appendFact(all []Fact, c *comparison) []Fact {
	left, right, op := c.left, c.values[0], c.op
	if !left.isColumn() {
		left, right, op = right, left, op.swapped()
	}
	if !left.isColumn() || op&notLike != 0 || op&(anyRelation|like) == 0 {
		return all
	}
	f := Fact{Table: n.statement.Tables[left[0].table].Name, Column: left[0].text, Op: uint8(op & anyRelation)}
	switch {
	case right.isColumn() && op&equal != 0:
		f.OtherTable, f.OtherColumn = n.statement.Tables[right[0].table].Name, right[0].text
		return append(all, f)
	case right.hasColumn():
		return all
	}
	f.Value = n.value(right, nil)
	if c.array != noArray {
		f.Value = firstElement(f.Value)
	}
	switch {
	case op == like:
		f.Op, f.Value = uint8(equal), likeText(f.Value, c.escape)
	case f.Value.Type == Null && op&nullSafe == 0: // such a comparison never holds
		return all
	}
	if f.Value.Type == Unknown {
		return all
	}
	f.Value = factValue(f.Value, n.statement.classOf(left))
	return append(all, f)
}

// factValue returns a value in the form in which requests and rows have it: a Boolean of PostgreSQL as true or false.
func factValue(v Value, c class) Value {
	if c != truth || v.Type == Null {
		return v.shown(c)
	}
	switch t := v.asTruth(); {
	case t.Type != Integer:
		return v
	case t.Int == 0:
		return Value{Type: Text, Text: "false"}
	}
	return Value{Type: Text, Text: "true"}
}

func (o operand) hasColumn() bool {
	for _, t := range o {
		if t.kind == column {
			return true
		}
	}
	return false
}

// likeText returns a text that matches a pattern of LIKE.
func likeText(pattern Value, escape rune) Value {
	pattern = pattern.asText()
	if pattern.Type != Text {
		return Value{}
	}
	var s []rune
	escaped := false
	for _, c := range pattern.Text {
		switch {
		case escaped:
			s, escaped = append(s, c), false
		case escape != 0 && c == escape:
			escaped = true
		case c == '_':
			s = append(s, 'a')
		case c != '%':
			s = append(s, c)
		}
	}
	return Value{Type: Text, Text: string(s)}
}

// TableNames returns the names that follow FROM, JOIN and UPDATE in a statement, also in one that Parse does not
// support. It leaves out functions, and names after the name of a schema.
func TableNames(d Dialect, statement string) []string {
	t, ok := scan(d, statement)
	var all []string
	for i := 0; ok && i+1 < len(t); i++ {
		isBefore := t[i].matches("FROM") || t[i].matches("JOIN") || t[i].matches("UPDATE")
		if isBefore && isName(t[i+1]) && (i+2 == len(t) || !t[i+2].matches(".") && !t[i+2].matches("(")) {
			all = append(all, t[i+1].text)
		}
	}
	return all
}
