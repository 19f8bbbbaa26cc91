package main

import (
	"math"
	"net/http"
	"time"

	"sonde/runner/testdata/services/serve"
)

type loan struct {
	Principal *float64 `json:"principal"`
	Rate      *float64 `json:"annualRate"` // in percent
	Months    *int     `json:"months"`
	StartsOn  *string  `json:"startsOn"`
}

// A loan below smallLoan must be paid back within soon months.
const smallLoan, soon = 1000, 60

func plan(c *serve.Call) (serve.Answer, error) {
	var in loan
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	starts, err := time.Parse(time.DateOnly, serve.Or(in.StartsOn, "2024-01-01"))
	if err := serve.Check(
		serve.Rule{Holds: serve.Within(in.Principal, 100, 1e6), Text: "principal: must be from 100 to 1000000"},
		serve.Rule{Holds: serve.Within(in.Rate, 0, 30), Text: "annualRate: must be from 0 to 30"},
		serve.Rule{Holds: serve.Within(in.Months, 1, 480), Text: "months: must be from 1 to 480"},
		serve.Rule{Holds: err == nil && starts.Year() < 3000, Text: "startsOn: must be a date such as 2024-02-29"},
	); err != nil {
		return serve.Answer{}, err
	}
	if *in.Principal < smallLoan && *in.Months > soon {
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "months: a loan below %d takes at most %d", smallLoan, soon)
	}
	// F08: with an interest of 0, the formula divides 0 by 0.
	c.Fault("F08", *in.Rate == 0)
	rate, months := *in.Rate/1200, float64(*in.Months)
	monthly := *in.Principal * rate / -math.Expm1(-months*math.Log1p(rate))
	return serve.OK(map[string]any{
		"monthly": rounded(monthly, 2), "total": rounded(monthly*months, 2), "endsOn": starts.AddDate(0, *in.Months, 0).Format(time.DateOnly),
	})
}
