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
	minRepeated = 2 // minimum number of distinct values that each occur in several elements of one list
	// maxChance is the maximum probability of a coincidence. If one column contains all values of another, this is
	// evidence of a reference, but only if the probability that it happens by chance is at most maxChance.
	maxChance = 0.001
)

// column has the distinct values of one identity in all messages, like a column of a database.
type column struct {
	id         string
	values     map[string]bool
	isNumber   bool // all values are whole numbers
	identifies bool // some operation emits the values as identifiers
	inPath     bool
	// isCorrected reports whether the user has corrected a use of the identity.
	isCorrected bool
	mayRefer    bool // according to the document, the values may be references
	// copies counts the values for which another field of the same object has the same value, such as the login and
	// the name of a user. others counts all other values.
	copies, others int
	// repeated are the values that each occur in several elements of one list.
	repeated map[string]bool
}

func newColumn(id string) *column {
	return &column{id: id, values: map[string]bool{}, isNumber: true, repeated: map[string]bool{}}
}

// addUse adds the facts that the document states about a use of the identity.
func (c *column) addUse(u match.ValueUse) {
	c.identifies = c.identifies || u.Out && u.Kind == match.KindIdentifier
	c.inPath = c.inPath || u.In == model.InPath
	c.mayRefer = c.mayRefer || u.Kind == match.KindReference || u.Kind == match.KindAttribute && u.CanIdentify()
}

// add adds a value of a message. After maxValues different values, further ones only matter for isNumber.
func (c *column) add(text string) {
	if len(c.values) < maxValues {
		c.values[text] = true
	}
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		c.isNumber = false
	}
}

// addAround counts a value of a field in the object around. If another field of the object has the same value, the
// value counts in copies, otherwise in others.
func (c *column) addAround(text string, around map[string]any, field string) {
	for name, v := range around {
		if name != field && scalar(v) == text {
			c.copies++
			return
		}
	}
	c.others++
}

// holds reports whether a column of identifiers contains all values of another column, and this is not a coincidence.
// It is false if only one of the columns has numbers, or if most values of the other column are copies.
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

// chance estimates the probability that values like those of other are in c by coincidence. It assumes that a number
// may be any number from the minimum to the maximum of other. It assumes that a text may be any text of the same
// length, with about four bits of information in each character from the third on. The first two characters do not
// count, because identifiers often begin with the same characters.
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

// isBetterThan reports whether c is more likely than other to be the column to which a reference refers. The better
// column has fewer values. If both have equally many, the better one has the alphabetically first identity.
func (c *column) isBetterThan(other *column) bool {
	if len(c.values) != len(other.values) {
		return len(c.values) < len(other.values)
	}
	return c.id < other.id
}
