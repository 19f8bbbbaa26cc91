package sondequery

import "unsafe"

// Measure computes the distances of strings.
type Measure interface {
	Equal(a, b string) float64 // from being equal
	Order(a, b string) float64 // from the opposite order
}

// Arguments are the arguments of a query. Argument returns the argument with a name, or, if the name
// is "" or unknown, with an index.
type Arguments interface {
	Argument(index int, name string) Value
}

// Nearest finds the row that is nearest to the conditions of a query.
type Nearest struct {
	query   *Select
	args    Arguments
	measure Measure
	best    float64 // the distance of row
	row     []Value // the nearest row so far; nil for none
}

// Nearest returns a Nearest without a row. Its distance is greater than that of any row.
func (s *Select) Nearest(args Arguments, m Measure) *Nearest {
	return &Nearest{s, args, m, s.cond.maxDistance() + 1, nil}
}

// Add adds a row. The row has the values of Select.Columns.
func (n *Nearest) Add(row []Value) {
	if d := n.distance(&n.query.cond, row); d < n.best {
		n.best, n.row = d, append(n.row[:0], row...)
	}
}

// Distance returns the distance of the nearest row. It is always greater than 0, because only the
// query itself shows that there are rows.
func (n *Nearest) Distance() float64 { return max(n.best, minDistance) }

// minDistance is less than the distance of each comparison that does not hold.
const minDistance = 1e-9

// maxDistance returns the maximum distance of a row from a condition.
func (c *condition) maxDistance() float64 {
	d := 0.0
	for i := range c.all {
		d += c.all[i].maxDistance()
	}
	for i := range c.any {
		d = max(d, c.any[i].maxDistance())
	}
	if len(c.all) == 0 && len(c.any) == 0 {
		return 1
	}
	return d
}

// distance returns the distance of a row from a condition: the sum for a conjunction, the minimum
// for a disjunction, and at most 1 for a comparison. It is 1 for a condition that is not supported.
func (n *Nearest) distance(c *condition, row []Value) float64 {
	switch {
	case len(c.all) > 0:
		d := 0.0
		for i := range c.all {
			d += n.distance(&c.all[i], row)
		}
		return d
	case len(c.any) > 0:
		d := n.distance(&c.any[0], row)
		for i := range c.any[1:] {
			d = min(d, n.distance(&c.any[1+i], row))
		}
		return d
	case c.comparison == nil:
		return 1
	}
	return n.compare(c.comparison, row[c.comparison.column])
}

func (n *Nearest) compare(c *comparison, v Value) float64 {
	switch c.op {
	case isNull:
		return nullDistance(v.Type != Null)
	case notNull:
		return nullDistance(v.Type == Null)
	}
	d := 1.0
	for _, t := range c.values {
		d = min(d, n.gap(c.op, v, n.value(t)))
	}
	return d
}

func nullDistance(fails bool) float64 {
	if fails {
		return 0.5
	}
	return 0
}

func (n *Nearest) value(t token) Value {
	switch t.kind {
	case parameter:
		return n.args.Argument(t.number, t.text)
	case number:
		return numberOf(t.text)
	case text:
		return Value{Type: Text, Text: t.text}
	}
	return Value{Type: Null}
}

// gap returns how far a comparison is from holding, in [0,1]. It returns 1 for values that cannot be
// compared.
func (n *Nearest) gap(op operator, a, b Value) float64 {
	if a.isNumber() != b.isNumber() {
		a, b = a.asNumber(), b.asNumber()
	}
	switch {
	case a.isNumber() && b.isNumber():
		return comparisonDistance(op, numberRelation(a, b), difference(a, b))
	case a.Type == Text && b.Type == Text:
		if op == equal {
			return comparisonDistance(op, textRelation(a, b), n.measure.Equal(a.Text, b.Text))
		}
		return comparisonDistance(op, textRelation(a, b), n.measure.Order(a.Text, b.Text))
	}
	return 1
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
