package sondequery

// Nearest finds the rows that are nearest to the conditions of a statement: one of each table.
type Nearest struct {
	statement *Statement
	args      Arguments
	measure   Measure
	rows      [][][]Value // for each table, its rows
	found     *combination
}

// combination has a row of each of the first tables. For an optional table the row may be nil, which means NULL in
// all its columns.
type combination struct {
	rows     [][]Value
	joined   float64 // the distance from the conditions of the optional tables
	distance float64 // the distance from all conditions
}

// Nearest returns a Nearest without rows. Its distance is greater than that of any rows.
func (s *Statement) Nearest(args Arguments, m Measure) *Nearest {
	return &Nearest{statement: s, args: args, measure: m, rows: make([][][]Value, len(s.Tables))}
}

// SetMeasure sets the measure for a Nearest that was made without one.
func (n *Nearest) SetMeasure(m Measure) { n.measure, n.found = m, nil }

// Add adds a row of the table with an index. The row has the values of Table.Columns.
func (n *Nearest) Add(table int, row []Value) {
	n.rows[table] = append(n.rows[table], append([]Value{}, row...))
	n.found = nil
}

// Distance returns the distance of the nearest rows. It is always greater than 0, because only the
// statement itself shows that there are rows.
func (n *Nearest) Distance() float64 { return max(n.exact(), minDistance) }

// minDistance is less than the distance of each comparison that does not hold.
const minDistance = 1e-9

// exact is Distance, but returns 0 if the conditions hold.
func (n *Nearest) exact() float64 {
	if c := n.find(); c != nil {
		return c.distance
	}
	d := n.statement.cond.maxDistance() + 1
	for i := range n.statement.Tables {
		d += n.statement.Tables[i].on.maxDistance()
	}
	return d
}

// Limits of find. It combines each row of a table with each kept combination of rows of the tables before it.
// maxCombinations limits the number of results, but find keeps at least minKept combinations.
const (
	maxCombinations = 10_000
	minKept         = 10
)

// find returns the nearest rows, nil if there are none. It adds one table after the other to combinations of rows.
// If there are too many combinations, it keeps those that are nearest to the conditions on their tables.
func (n *Nearest) find() *combination {
	if n.found != nil {
		return n.found
	}
	kept := []combination{{}}
	for table := range n.rows {
		most := 1
		if table+1 < len(n.rows) {
			most = max(minKept, maxCombinations/max(1, len(n.rows[table+1])))
		}
		var next []combination
		for i := range kept {
			next = n.extend(next, &kept[i], most)
		}
		kept = next
	}
	if len(kept) == 0 || len(n.rows) == 0 {
		return nil
	}
	n.found = &kept[0]
	return n.found
}

// extend combines c with each row of the next table, and inserts the results into the list nearest. most is the
// maximum length of the list.
func (n *Nearest) extend(nearest []combination, c *combination, most int) []combination {
	next := len(c.rows)
	t, hasPartner := &n.statement.Tables[next], false
	for _, row := range n.rows[next] {
		e := combination{rows: append(c.rows[:next:next], row), joined: c.joined}
		if t.optional {
			on := n.distance(&t.on, e.rows)
			e.joined += on
			hasPartner = hasPartner || on == 0
		}
		nearest = n.insert(nearest, e, most)
	}
	if t.optional && !hasPartner {
		nearest = n.insert(nearest, combination{rows: append(c.rows[:next:next], nil), joined: c.joined}, most)
	}
	return nearest
}

// insert inserts a combination into the list nearest, which is in ascending order of distances. most is the maximum
// length of the list. If the list would get longer, insert drops the combination with the greatest distance. Of equal
// distances, the combination that was inserted first remains first.
func (n *Nearest) insert(nearest []combination, c combination, most int) []combination {
	c.distance = c.joined + n.distance(&n.statement.cond, c.rows)
	if len(nearest) == most {
		if nearest[most-1].distance <= c.distance {
			return nearest
		}
		nearest = nearest[:most-1]
	}
	nearest = append(nearest, c)
	for i := len(nearest) - 1; i > 0 && nearest[i].distance < nearest[i-1].distance; i-- {
		nearest[i], nearest[i-1] = nearest[i-1], nearest[i]
	}
	return nearest
}
