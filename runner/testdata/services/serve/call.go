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

// Fault says that what follows is wrong where hit, and returns hit. The answer
// names the fault in its header X-Fault.
func (c *Call) Fault(id string, hit bool) bool {
	if hit {
		c.fault = id
	}
	return hit
}

// ID returns a parameter of the path as an id, or 0, which nothing has.
func (c *Call) ID(name string) int {
	text := c.PathValue(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		return 0
	}
	return n
}

// Decode reads the JSON body into what into points to.
func (c *Call) Decode(into any) error {
	if c.bodyErr != nil || json.Unmarshal(c.body, into) != nil {
		return Refuse(http.StatusBadRequest, "the body is not the JSON object that is wanted")
	}
	return nil
}

// Rule is something that must hold of a request.
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

// Text reports whether there is a string of a length.
func Text(s *string, low, high int) bool {
	if s == nil {
		return false
	}
	n := utf8.RuneCountInString(*s)
	return low <= n && n <= high
}

// Within reports whether there is a number in a range.
func Within[N int | float64](n *N, low, high N) bool { return n != nil && low <= *n && *n <= high }

// OneOf reports whether there is one of some words.
func OneOf(s *string, words ...string) bool { return s != nil && slices.Contains(words, *s) }

// Or returns what there is, or else a value.
func Or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
