package sondequery

import "unsafe"

// Measure computes the distances of strings.
type Measure interface {
	Equal(a, b string) float64 // the distance of two strings from being equal
	Order(a, b string) float64 // the distance of two strings from the opposite order
}

// Arguments are the arguments of a query. Argument returns the argument with a name, or, if the name
// is "" or unknown, with an index.
type Arguments interface {
	Argument(index int, name string) Value
}

// maxDistance returns the maximum distance of rows from a condition.
func (c *condition) maxDistance() float64 {
	d := 0.0
	for i := range c.all {
		d += c.all[i].maxDistance()
	}
	for i := range c.any {
		d = max(d, c.any[i].maxDistance())
	}
	if c.comparison != nil {
		return 1
	}
	return d
}

// distance returns the distance of rows from a condition: the sum for a conjunction, the minimum
// for a disjunction, and at most 1 for a comparison. It is 1 for a condition that is not supported, and 0 for a
// comparison with a column of a table that has no row yet.
func (n *Nearest) distance(c *condition, rows [][]Value) float64 {
	switch {
	case len(c.all) > 0:
		d := 0.0
		for i := range c.all {
			d += n.distance(&c.all[i], rows)
		}
		return d
	case len(c.any) > 0:
		d := n.distance(&c.any[0], rows)
		for i := range c.any[1:] {
			d = min(d, n.distance(&c.any[1+i], rows))
		}
		return d
	case c.comparison == nil:
		return 0
	}
	return n.compare(c.comparison, rows)
}

func (n *Nearest) compare(c *comparison, rows [][]Value) float64 {
	d := 1.0
	for _, o := range c.values {
		if !c.left.hasRows(rows) || !o.hasRows(rows) {
			return 0
		}
		left, right := n.value(c.left, rows), n.value(o, rows)
		if c.array != noArray {
			return n.compareElements(c, o, left, right)
		}
		d = min(d, n.compareValues(c, o, left, right))
	}
	return d
}

// compareElements returns the distance of a comparison with the elements of an array.
func (n *Nearest) compareElements(c *comparison, o operand, left, array Value) float64 {
	all, ok := arrayElements(array)
	if !ok {
		return 1
	}
	lowest, highest := 1.0, 0.0
	for _, element := range all {
		d := n.compareValues(c, o, left, element)
		lowest, highest = min(lowest, d), max(highest, d)
	}
	if c.array == allElements {
		return highest
	}
	return lowest
}

// compareValues returns the distance of a comparison. left is the value of the left operand. right is the value of o,
// one of the operands on the right.
func (n *Nearest) compareValues(c *comparison, o operand, left, right Value) float64 {
	switch {
	case c.op&(like|notLike) != 0:
		return likeGap(c, left, right)
	case n.statement.dialect == PostgreSQL:
		left, right = n.statement.postgresOperands(c.left, o, left, right)
	default:
		left, right = converted(left, right, c.left.isColumn(), o.isColumn())
	}
	return n.gap(c.op, left, right)
}

// hasRows reports whether there is a row for each column of an operand.
func (o operand) hasRows(rows [][]Value) bool {
	for _, t := range o {
		if t.kind == column && t.table >= len(rows) {
			return false
		}
	}
	return true
}

func (o operand) isColumn() bool { return len(o) == 1 && o[0].kind == column }

// value returns the value of an operand.
func (n *Nearest) value(o operand, rows [][]Value) Value {
	v := n.tokenValue(o[0], rows)
	for _, t := range o[1:] {
		v = concatenation(v, n.tokenValue(t, rows))
	}
	return v
}

func (n *Nearest) tokenValue(t token, rows [][]Value) Value {
	switch t.kind {
	case column:
		if row := rows[t.table]; row != nil {
			return row[t.number]
		}
	case parameter:
		return n.args.Argument(t.number, t.text)
	case number:
		return numberOf(t.text)
	case text:
		return Value{Type: Text, Text: t.text}
	}
	return Value{Type: Null}
}

// concatenation returns the result of the operator ||: NULL if an operand is NULL, and no known value if an operand
// cannot be converted to text.
func concatenation(a, b Value) Value {
	if a.Type == Null || b.Type == Null {
		return Value{Type: Null}
	}
	a, b = a.asText(), b.asText()
	if a.Type != Text || b.Type != Text {
		return Value{}
	}
	return Value{Type: Text, Text: a.Text + b.Text}
}

// converted returns two operands as SQLite converts them before it compares them, if one is a number and the other a
// text. If the number is a column, a text that is a number is converted to this number. If the text is a column, an
// integer is converted to a text. For other numbers, the text of the column is converted to a number instead, if it is
// one.
func converted(a, b Value, isColumnA, isColumnB bool) (left, right Value) {
	switch {
	case a.isNumber() && b.Type == Text:
		b, a = convertedText(b, a, isColumnB, isColumnA)
	case b.isNumber() && a.Type == Text:
		a, b = convertedText(a, b, isColumnA, isColumnB)
	}
	return a, b
}

func convertedText(text, number Value, isColumnText, isColumnNumber bool) (textTo, numberTo Value) {
	switch {
	case isColumnNumber:
		if v := text.asNumber(); v.Type != Unknown {
			return v, number
		}
	case isColumnText:
		if v := number.asText(); v.Type == Text {
			return text, v
		}
		if v := text.asNumber(); v.Type != Unknown {
			return v, number
		}
	}
	return text, number
}

// gap returns how far a comparison is from holding, in [0,1]. It returns 1 for values that cannot be
// compared.
func (n *Nearest) gap(op operator, a, b Value) float64 {
	switch {
	case a.Type == Unknown || b.Type == Unknown:
		return 1
	case op&nullSafe != 0 && (a.Type == Null || b.Type == Null):
		if (a.Type == b.Type) != (op&equal != 0) {
			return 0.5
		}
		return 0
	case a.Type == Null || b.Type == Null:
		return 1
	case a.isNumber() && b.isNumber():
		return comparisonDistance(op, numberRelation(a, b), difference(a, b))
	case a.Type == Text && b.Type == Text:
		if op&anyRelation == equal {
			return comparisonDistance(op, textRelation(a, b), n.measure.Equal(a.Text, b.Text))
		}
		return comparisonDistance(op, textRelation(a, b), n.measure.Order(a.Text, b.Text))
	case n.statement.dialect == SQLite && op&relationOf(a.isNumber(), false) != 0: // SQLite puts numbers before texts
		return 0
	}
	return 1
}

// likeGap returns how far a text is from matching a pattern or, for notLike, from not matching it, in [0,1].
func likeGap(c *comparison, value, pattern Value) float64 {
	value, pattern = value.asText(), pattern.asText()
	if value.Type != Text || pattern.Type != Text {
		return 1
	}
	items, s := patternItems(pattern.Text, c.escape, c.foldCase), foldedRunes(value.Text, c.foldCase)
	holds := isLike(items, s) && (len(items) > 0 || pattern.Text == "")
	switch {
	case holds == (c.op == like):
		return 0
	case c.op == notLike:
		return 1
	}
	return comparisonDistance(equal, less, max(likeDistance(items, s), 1))
}

// comparisonDistance returns the distance of a comparison whose operands have a relation and differ by gap.
// It depends on the logarithm of gap. Without the logarithm, large gaps that are close to each other, such as
// those of Unix times, would have the same distance.
func comparisonDistance(op, relation operator, gap float64) float64 {
	if op&relation != 0 {
		return 0
	}
	if op&equal == 0 {
		gap++ // equal operands do not fulfil the comparison
	}
	l := log(1 + gap)
	return l / (1 + l)
}

func numberRelation(a, b Value) operator {
	if a.Type == Integer && b.Type == Integer {
		return relationOf(a.Int < b.Int, a.Int == b.Int)
	}
	return relationOf(a.real() < b.real(), a.real() == b.real())
}

func textRelation(a, b Value) operator { return relationOf(a.Text < b.Text, a.Text == b.Text) }

func relationOf(isLess, isEqual bool) operator {
	switch {
	case isLess:
		return less
	case isEqual:
		return equal
	}
	return more
}

// difference returns the difference of two numbers. For integers it does not overflow.
func difference(a, b Value) float64 {
	if a.Type == Integer && b.Type == Integer {
		if a.Int < b.Int {
			a, b = b, a
		}
		return float64(uint64(a.Int) - uint64(b.Int))
	}
	x, y := a.real(), b.real()
	return max(x-y, y-x)
}

// log approximates the natural logarithm of numbers from 1 on, and is strictly increasing. It is
// linear between powers of 2.
func log(x float64) float64 {
	const one, ln2 = 1023 << 52, 0.6931471805599453
	return float64(*(*int64)(unsafe.Pointer(&x))-one) * (ln2 / (1 << 52))
}
