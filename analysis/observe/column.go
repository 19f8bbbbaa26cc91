package observe

import (
	"math"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/model/match"
)

// What traffic must show before it counts.
const (
	minValues   = 3 // distinct values of a reference
	minRepeated = 2 // distinct values that different elements of one list have
	// maxChance is the probability of a coincidence up to which the values of a column count as identifiers.
	maxChance = 0.001
)

// column holds the distinct values of one identity, in all messages. The word is that of databases.
type column struct {
	id         string
	values     map[string]bool
	isNumber   bool // all values are whole numbers
	identifies bool // some operation emits them as identifiers
	inPath     bool
	// isCorrected reports whether the user says what a use of the identity is.
	isCorrected bool
	mayRefer    bool // the document does not exclude that they refer to something
	// copies are how many values were beside another field of the same object with the same value, such as the login and
	// the name of a user, and beside how many there was no such field.
	copies, others int
	// repeated are the values that different elements of one list have.
	repeated map[string]bool
}

func newColumn(id string) *column {
	return &column{id: id, values: map[string]bool{}, isNumber: true, repeated: map[string]bool{}}
}

// addUse notes what the document says about a use of the identity.
func (c *column) addUse(u match.ValueUse) {
	c.identifies = c.identifies || u.Out && u.Kind == match.KindIdentifier
	c.inPath = c.inPath || u.In == model.InPath
	c.mayRefer = c.mayRefer || u.Kind == match.KindReference || u.Kind == match.KindAttribute && u.CanIdentify()
}

// add adds a value that a message has.
func (c *column) add(text string) {
	if len(c.values) < maxValues {
		c.values[text] = true
	}
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		c.isNumber = false
	}
}

// addAround notes whether the object around a value has the same value in another field.
func (c *column) addAround(text string, around map[string]any, field string) {
	for name, v := range around {
		if name != field && scalar(v) == text {
			c.copies++
			return
		}
	}
	c.others++
}

// holds reports whether the column, of identifiers, has all values of another one, and too many for that to be a coincidence.
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

// chance estimates the probability that values like those of another column are in this one if the two have nothing to do with
// each other. A number may be any between the least and the largest of the other column. A text may be any of its length, with
// about four bits of information in each of its characters from the third on: the first ones are often the same.
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

// isBetterThan reports whether c is the more likely column of two to which a reference refers: the one with fewer values,
// or by name.
func (c *column) isBetterThan(other *column) bool {
	if len(c.values) != len(other.values) {
		return len(c.values) < len(other.values)
	}
	return c.id < other.id
}
