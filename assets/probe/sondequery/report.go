package sondequery

// Reporter receives the value of a column in the nearest row, and the value that the statement compares it
// with. op is a sum of 1 for less, 2 for equal, and 4 for more; LIKE is reported as equal.
type Reporter interface {
	Ints(op uint8, column, with int64)
	Reals(op uint8, column, with float64)
	Texts(op uint8, column, with string)
}

// Report reports the values of the nearest rows that the statement compares with arguments. Comparisons with arrays
// are left out.
func (n *Nearest) Report(to Reporter) {
	c := n.find()
	if c == nil {
		return
	}
	for i := range n.statement.Tables {
		n.reportCondition(to, &n.statement.Tables[i].on, c.rows)
	}
	n.reportCondition(to, &n.statement.cond, c.rows)
}

func (n *Nearest) reportCondition(to Reporter, c *condition, rows [][]Value) {
	for i := range c.all {
		n.reportCondition(to, &c.all[i], rows)
	}
	for i := range c.any {
		n.reportCondition(to, &c.any[i], rows)
	}
	if c.comparison == nil || c.comparison.array != noArray {
		return
	}
	left, op := c.comparison.left, c.comparison.op&anyRelation
	if op == 0 {
		op = equal
	}
	for _, right := range c.comparison.values {
		n.reportPairs(to, op, left, right, rows)
		n.reportPairs(to, op.swapped(), right, left, rows)
	}
}

// reportPairs reports each column of an operand with each parameter of the other. A part of a text that is joined
// by || is reported as equal.
func (n *Nearest) reportPairs(to Reporter, op operator, columns, parameters operand, rows [][]Value) {
	if len(columns) > 1 || len(parameters) > 1 {
		op = equal
	}
	for _, c := range columns {
		for _, p := range parameters {
			if c.kind == column && p.kind == parameter {
				class := n.statement.classOf(operand{c})
				report(to, uint8(op), n.tokenValue(c, rows).shown(class), n.tokenValue(p, rows).shown(class))
			}
		}
	}
}

// report reports two values if both are numbers or both are texts. If only one is a number, the other is
// first converted, as SQLite does for a numeric column.
func report(to Reporter, op uint8, column, with Value) {
	if column.isNumber() != with.isNumber() {
		column, with = column.asNumber(), with.asNumber()
	}
	switch {
	case column.Type == Integer && with.Type == Integer:
		to.Ints(op, column.Int, with.Int)
	case column.isNumber() && with.isNumber():
		to.Reals(op, column.real(), with.real())
	case column.Type == Text && with.Type == Text:
		to.Texts(op, column.Text, with.Text)
	}
}
