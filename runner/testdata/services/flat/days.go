package main

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"sonde/runner/testdata/services/serve"
)

var monthEnds = []int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334} // days of a year before each month

func getMonth(c *serve.Call) (serve.Answer, error) {
	year, errYear := strconv.Atoi(c.PathValue("year"))
	month, errMonth := strconv.Atoi(c.PathValue("month"))
	q := c.Query()
	start := cmp.Or(q.OneOf("weekStart", false, "monday", "sunday"), "monday")
	if err := serve.Check(
		serve.Rule{Holds: errYear == nil && 1900 <= year && year <= 2100, Text: "year: must be from 1900 to 2100"},
		serve.Rule{Holds: errMonth == nil && 1 <= month && month <= 12, Text: "month: must be from 1 to 12"},
		serve.Rule{Holds: q.Err == nil, Text: "weekStart: must be monday or sunday"},
	); err != nil {
		return serve.Answer{}, err
	}
	first := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	leap := time.Date(year, 2, 29, 0, 0, 0, 0, time.UTC).Month() == 2
	// F01: the table has no month after December.
	c.Fault("F01", month == 12)
	days := monthEnds[month] - monthEnds[month-1]
	if month == 2 && leap {
		days++
	}
	column := (int(first.Weekday()) + 6) % 7
	if start == "sunday" {
		column = int(first.Weekday())
	}
	return serve.OK(map[string]any{"days": days, "leap": leap, "first": first.Weekday().String(), "rows": (column + days + 6) / 7})
}

const longest = 366 // in days

// holidays has the holidays that are on the same day each year, as month and day.
var holidays = map[string][]string{"DE": {"01-01", "05-01", "10-03", "12-25", "12-26"}, "US": {"01-01", "06-19", "07-04", "12-25"}, "": {"01-01"}}

func countWorkdays(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	from, to, country := q.Date("from", true), q.Date("to", true), q.OneOf("country", false, "DE", "US")
	span := int(to.Sub(from).Hours() / 24)
	switch {
	case q.Err != nil:
		return serve.Answer{}, q.Err
	case to.Before(from):
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "to: is before from")
	case span > longest:
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "to: is more than %d days behind from", longest)
	}
	n := 0
	for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
		if isWorkday(day, country) {
			n++
		}
	}
	// F06: the span may be shorter than a week, so that the average divides by 0.
	c.Fault("F06", span < 7)
	return serve.OK(map[string]int{"days": span + 1, "workdays": n, "perWeek": n / (span / 7)})
}

func isWorkday(day time.Time, country string) bool {
	if w := day.Weekday(); w == time.Saturday || w == time.Sunday {
		return false
	}
	for _, h := range holidays[country] {
		if day.Format("01-02") == h {
			return false
		}
	}
	return true
}
