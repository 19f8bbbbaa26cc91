package serve

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Query reads the parameters of a query. Err is a Problem with status 400 for the first wrong
// parameter.
type Query struct {
	Err  error
	call *Call
}

// Query returns a reader of the call's query.
func (c *Call) Query() *Query { return &Query{call: c} }

// has reports whether the query has a parameter.
func (q *Query) has(name string) bool { return q.call.URL.Query().Has(name) }

func (q *Query) get(name string) string { return q.call.URL.Query().Get(name) }

func (q *Query) fail(name, want string) {
	if q.Err == nil {
		q.Err = Refuse(http.StatusBadRequest, "%s: must be %s", name, want)
	}
}

// Number reads a required number between -most and most.
func (q *Query) Number(name string, most float64) float64 {
	f, err := strconv.ParseFloat(q.get(name), 64)
	if err != nil || !(math.Abs(f) <= most) {
		q.fail(name, fmt.Sprintf("a number from %v to %v", -most, most))
	}
	return f
}

// Int reads an integer in a range. If it is left out, Int returns otherwise.
func (q *Query) Int(name string, low, high, otherwise int) int {
	if !q.has(name) {
		return otherwise
	}
	n, err := strconv.Atoi(q.get(name))
	if err != nil || n < low || n > high {
		q.fail(name, fmt.Sprintf("a whole number from %d to %d", low, high))
	}
	return n
}

// OneOf reads one of some words. It returns "" if the parameter is left out.
func (q *Query) OneOf(name string, required bool, words ...string) string {
	if !required && !q.has(name) {
		return ""
	}
	text := q.get(name)
	if !slices.Contains(words, text) {
		q.fail(name, "one of "+strings.Join(words, ", "))
	}
	return text
}

// Date reads a date.
func (q *Query) Date(name string, required bool) time.Time {
	if !required && !q.has(name) {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, q.get(name))
	if err != nil {
		q.fail(name, "a date such as 2024-02-29")
	}
	return day
}
