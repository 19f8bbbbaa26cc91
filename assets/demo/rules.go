package demo

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// rules checks input and keeps the first problem. After a problem its methods check nothing.
type rules struct{ err error }

// form records a problem with status 400 if ok is false. It is for malformed input.
func (v *rules) form(ok bool, format string, args ...any) {
	if v.err == nil && !ok {
		v.err = refuse(http.StatusBadRequest, format, args...)
	}
}

// sense records a problem with status 422 if ok is false. It is for inconsistent input.
func (v *rules) sense(ok bool, format string, args ...any) {
	if v.err == nil && !ok {
		v.err = refuse(http.StatusUnprocessableEntity, format, args...)
	}
}

// whole requires a number that is at least low and at most high.
func (v *rules) whole(field string, n *int, low, high int) {
	v.form(n != nil, "%s: is required", field)
	v.form(n == nil || *n >= low, "%s: must be at least %d", field, low)
	v.form(n == nil || *n <= high, "%s: must be at most %d", field, high)
}

// text requires a text of low to high characters.
func (v *rules) text(field string, s *string, low, high int) {
	v.form(s != nil, "%s: is required", field)
	if s == nil {
		return
	}
	n := utf8.RuneCountInString(*s)
	v.form(n >= low, "%s: must have at least %d characters", field, low)
	v.form(n <= high, "%s: must have at most %d characters", field, high)
}

// choice requires the field to be present and to have one of the options as its value.
func (v *rules) choice(field string, s *string, options []string) {
	v.form(s != nil, "%s: is required", field)
	v.form(s == nil || slices.Contains(options, *s), "%s: must be one of %s", field, strings.Join(options, ", "))
}

// date requires the field to be present and to be a valid date, which it returns.
func (v *rules) date(field string, s *string) time.Time {
	v.form(s != nil, "%s: is required", field)
	if s == nil {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, *s)
	v.form(err == nil, "%s: must be a date such as 2026-05-31", field)
	return day
}

// query reads and checks the parameters of the query. For an absent parameter its methods return
// the zero value or the given default.
type query struct {
	values url.Values
	rules
}

func (c *call) query() *query { return &query{values: c.r.URL.Query()} }

// get returns a parameter, nil if it is absent.
func (q *query) get(name string) *string {
	if !q.values.Has(name) {
		return nil
	}
	text := q.values.Get(name)
	return &text
}

func (q *query) number(name string, low, high, absent int) int {
	text := q.get(name)
	if text == nil {
		return absent
	}
	n, err := strconv.Atoi(*text)
	q.form(err == nil, "%s: must be a whole number", name)
	q.whole(name, &n, low, high)
	return n
}

func (q *query) option(name string, options []string) string {
	text := q.get(name)
	if text == nil {
		return ""
	}
	q.choice(name, text, options)
	return *text
}

// day returns a date, nil if it is absent.
func (q *query) day(name string) *time.Time {
	text := q.get(name)
	if text == nil {
		return nil
	}
	day := q.date(name, text)
	return &day
}
