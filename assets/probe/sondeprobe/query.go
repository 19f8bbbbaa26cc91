package sondeprobe

// Query is the number of a predicate of the form "the query returns rows".
type Query uint32

// IsDistanceNeeded reports whether the distance of a query without rows is needed.
func (q Query) IsDistanceNeeded() bool { return O(uint32(q)) && isDistanceNeeded(uint32(q), false) }

// Record records whether a query returned rows and, if it did not, how far it was from returning one. It
// reports whether that is news.
func (q Query) Record(rows bool, distance float64) bool {
	return O(uint32(q)) && record(uint32(q), rows, distance)
}

// Ints records the value of a column, and the value that the query compares it with.
func (q Query) Ints(op uint8, a, b int64) {
	extraPair(uint32(q)).recordNumbers(uint32(q), Ints, uint32(op), uint64(a), uint64(b))
}

// Reals is Ints for floating-point numbers.
func (q Query) Reals(op uint8, a, b float64) {
	extraPair(uint32(q)).recordNumbers(uint32(q), Floats, uint32(op), floatBits(a), floatBits(b))
}

// Texts is Ints for strings.
func (q Query) Texts(op uint8, a, b string) {
	extraPair(uint32(q)).recordTexts(uint32(q), uint32(op), a, b)
}

// Equal returns how far two strings are from being equal.
func (q Query) Equal(a, b string) float64 { return equalDistance(a, b) }

// Order returns how far two strings are from the opposite order.
func (q Query) Order(a, b string) float64 { return orderDistance(a, b) }
