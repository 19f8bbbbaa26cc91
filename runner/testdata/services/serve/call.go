package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Call is one request.
type Call struct {
	*http.Request
	body    []byte
	bodyErr error
	fault   string
}

// Fault marks the following code as a planted fault, which this call triggers if hit is true. It
// returns hit. The answer names a triggered fault in its header X-Fault.
func (c *Call) Fault(id string, hit bool) bool {
	if hit {
		c.fault = id
	}
	return hit
}

// ID returns a parameter of the path as an id. It returns 0, which no thing has, for an invalid id.
func (c *Call) ID(name string) int {
	text := c.PathValue(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		return 0
	}
	return n
}

// Decode decodes the JSON body into the value that into points to.
func (c *Call) Decode(into any) error {
	if c.bodyErr != nil || json.Unmarshal(c.body, into) != nil {
		return Refuse(http.StatusBadRequest, "the body is not the JSON object that is wanted")
	}
	return nil
}

// Rule is a condition that a request must meet.
type Rule struct {
	Holds bool
	Text  string
}

// Check returns a 400 for the first rule that does not hold.
func Check(rules ...Rule) error {
	for _, r := range rules {
		if !r.Holds {
			return Refuse(http.StatusBadRequest, "%s", r.Text)
		}
	}
	return nil
}

// Text reports whether s is not nil and has a length in a range.
func Text(s *string, low, high int) bool {
	if s == nil {
		return false
	}
	n := utf8.RuneCountInString(*s)
	return low <= n && n <= high
}

// Within reports whether n is not nil and in a range.
func Within[N int | float64](n *N, low, high N) bool { return n != nil && low <= *n && *n <= high }

// OneOf reports whether s is not nil and one of words.
func OneOf(s *string, words ...string) bool { return s != nil && slices.Contains(words, *s) }

// Or returns *p, or otherwise if p is nil.
func Or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
