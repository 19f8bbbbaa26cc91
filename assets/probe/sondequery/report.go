package sondequery

// Reporter receives the value of a column in the nearest row, and the value that the query compares it
// with. op is a sum of 1 for less, 2 for equal, and 4 for more.
type Reporter interface {
	Ints(op uint8, column, with int64)
	Reals(op uint8, column, with float64)
	Texts(op uint8, column, with string)
}

// Report reports the values of the nearest row that the query compares with arguments.
func (n *Nearest) Report(to Reporter) {
	if n.row != nil {
		n.reportCondition(to, &n.query.cond)
	}
}

func (n *Nearest) reportCondition(to Reporter, c *condition) {
	for i := range c.all {
		n.reportCondition(to, &c.all[i])
	}
	for i := range c.any {
		n.reportCondition(to, &c.any[i])
	}
	if c.comparison == nil {
		return
	}
	for _, t := range c.comparison.values {
		if t.kind == parameter {
			report(to, uint8(c.comparison.op), n.row[c.comparison.column], n.value(t))
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
