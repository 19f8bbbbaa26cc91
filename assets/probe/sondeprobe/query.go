package sondeprobe

// Query is the predicate of whether a query has rows.
type Query uint32

// Wanted tells whether it is still to be learnt what a query without rows needs
// for them.
func (q Query) Wanted() bool { return O(uint32(q)) && wanted(uint32(q), false) }

// Learn records whether there were rows and, if not, how far the query was from
// any.
func (q Query) Learn(rows bool, distance float64) {
	if O(uint32(q)) {
		learn(uint32(q), rows, distance)
	}
}

// Equal is how far two texts are from being equal.
func (q Query) Equal(a, b string) float64 { return aligned(a, b) }

// Order is how far two texts are from changing places in the dictionary.
func (q Query) Order(a, b string) float64 { return order(a, b) }
