package observe

import (
	"math"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/model/match"
)

// Thresholds for conclusions from traffic.
const (
	minValues   = 3 // minimum number of distinct values of a reference
	minRepeated = 2 // minimum number of distinct values that different elements of one list share
	// maxChance is the maximum probability of a coincidence. If one column has all values of another
	// column, this is evidence only if the probability that it happened by chance is at most maxChance.
	maxChance = 0.001
)

// column holds the distinct values of one identity, from all messages, like a column of a database.
type column struct {
	id         string
	values     map[string]bool
	isNumber   bool // all values are whole numbers
	identifies bool // some operation emits them as identifiers
	inPath     bool
	// isCorrected reports whether the user has corrected a use of the identity.
	isCorrected bool
	mayRefer    bool // the document allows that the values refer to elements
	// copies counts the values whose object has the same value in another field, such as the login and the
	// name of a user. others counts the remaining values.
	copies, others int
	// repeated has the values that several elements of one list share.
	repeated map[string]bool
}

func newColumn(id string) *column {
	return &column{id: id, values: map[string]bool{}, isNumber: true, repeated: map[string]bool{}}
}

// addUse stores what the document says about a use of the identity.
func (c *column) addUse(u match.ValueUse) {
	c.identifies = c.identifies || u.Out && u.Kind == match.KindIdentifier
	c.inPath = c.inPath || u.In == model.InPath
	c.mayRefer = c.mayRefer || u.Kind == match.KindReference || u.Kind == match.KindAttribute && u.CanIdentify()
}

// add adds a value of a message.
func (c *column) add(text string) {
	if len(c.values) < maxValues {
		c.values[text] = true
	}
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		c.isNumber = false
	}
}

// addAround counts a value in copies if the object around has the same value in another field, and in
// others if not.
func (c *column) addAround(text string, around map[string]any, field string) {
	for name, v := range around {
		if name != field && scalar(v) == text {
			c.copies++
			return
		}
	}
	c.others++
}

// holds reports whether a column of identifiers has all values of another column, and whether these are too many for
// a coincidence. It is false if only one of the columns has numbers, or if most values of the other column are
// copies.
func (c *column) holds(other *column) bool {
	if c == other || c.isNumber != other.isNumber || other.copies > other.others {
		return false
	}
	for v := range other.values {
		if !c.values[v] {
			return false
		}
	}
	return c.chance(other) <= maxChance
}

// chance estimates the probability that values like those of other are in c by coincidence. A number may be
// any number from the minimum to the maximum of other. A text may be any text of its length, with about
// four bits of information in each character from the third on, because the first characters are often the
// same.
func (c *column) chance(other *column) float64 {
	if !other.isNumber {
		log := 0.0
		for v := range other.values {
			log += math.Min(0, math.Log2(float64(len(c.values)))-4*math.Max(0, float64(len(v)-2)))
		}
		return math.Exp2(log)
	}
	numbers := make([]float64, 0, len(other.values))
	for v := range other.values {
		n, _ := strconv.ParseFloat(v, 64)
		numbers = append(numbers, n)
	}
	least, most := slices.Min(numbers), slices.Max(numbers)
	within := 0.0
	for v := range c.values {
		if n, _ := strconv.ParseFloat(v, 64); n >= least && n <= most {
			within++
		}
	}
	return math.Pow(within/(most-least+1), float64(len(other.values)))
}

// isBetterThan reports whether c is more likely than other to be the column to which a reference refers: it has fewer
// values or, if both have equally many, its identity comes first.
func (c *column) isBetterThan(other *column) bool {
	if len(c.values) != len(other.values) {
		return len(c.values) < len(other.values)
	}
	return c.id < other.id
}
