package sondeprobe

// Query is the predicate of whether a query has rows.
type Query uint32

// Wanted tells whether it is still to be learnt what a query without rows needs
// for them.
func (q Query) Wanted() bool { return O(uint32(q)) && wanted(uint32(q), false) }

// Learn records whether there were rows and, if not, how far the query was from
// any. It tells whether that is news.
func (q Query) Learn(rows bool, distance float64) bool {
	return O(uint32(q)) && learn(uint32(q), rows, distance)
}

// Ints tells of a column's value, and of what the query compares it with.
func (q Query) Ints(op uint8, a, b int64) {
	another(uint32(q)).bits(uint32(q), Ints, uint32(op), uint64(a), uint64(b))
}

// Reals is Ints for numbers with fractions.
func (q Query) Reals(op uint8, a, b float64) {
	another(uint32(q)).bits(uint32(q), Floats, uint32(op), float(a), float(b))
}

// Texts is Ints for texts.
func (q Query) Texts(op uint8, a, b string) {
	another(uint32(q)).texts(uint32(q), uint32(op), a, b)
}

// Equal is how far two texts are from being equal.
func (q Query) Equal(a, b string) float64 { return aligned(a, b) }

// Order is how far two texts are from changing places in the dictionary.
func (q Query) Order(a, b string) float64 { return order(a, b) }
