package main

import (
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"sonde/runner/testdata/services/serve"
)

// currency is a currency with its rate: the amount for one euro.
type currency struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Region string `json:"region"`
	rate   float64
}

var currencies = []currency{
	{"EUR", "Euro", "europe", 1}, {"GBP", "Pound sterling", "europe", 0.86}, {"CHF", "Swiss franc", "europe", 0.95},
	{"USD", "US dollar", "america", 1.09}, {"CAD", "Canadian dollar", "america", 1.48}, {"JPY", "Yen", "asia", 162},
}

var rates = func() map[string]float64 {
	m := map[string]float64{}
	for _, c := range currencies {
		m[c.Code] = c.rate
	}
	return m
}()

func listCurrencies(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	region := q.OneOf("region", false, "europe", "america", "asia")
	list := []currency{}
	for _, m := range currencies {
		if region == "" || m.Region == region {
			list = append(list, m)
		}
	}
	a, _ := serve.OK(list)
	return a, q.Err
}

var firstRates, lastRates = time.Date(1999, 1, 4, 0, 0, 0, 0, time.UTC), time.Date(2030, 12, 31, 0, 0, 0, 0, time.UTC)

func getRates(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	on, base := q.Date("on", false), c.PathValue("base")
	symbols, err := symbolsOf(c)
	switch {
	case q.Err != nil:
		return serve.Answer{}, q.Err
	case err != nil:
		return serve.Answer{}, err
	case rates[base] == 0:
		return serve.Answer{}, serve.Missing("currency")
	case !on.IsZero() && (on.Before(firstRates) || on.After(lastRates)):
		return serve.Answer{}, serve.Missing("rate on that day")
	}
	list := map[string]any{}
	for _, s := range symbols {
		list[s] = rounded(rates[s]/rates[base], 6)
		// F04: the rate of a currency to itself is a text instead of a number.
		if c.Fault("F04", s == base && c.URL.Query().Has("symbols")) {
			list[s] = "1"
		}
	}
	return serve.OK(map[string]any{"base": base, "rates": list})
}

// symbolsOf returns the currencies that a request names, by default all.
func symbolsOf(c *serve.Call) ([]string, error) {
	if !c.URL.Query().Has("symbols") {
		return slices.Sorted(maps.Keys(rates)), nil
	}
	list := strings.Split(c.URL.Query().Get("symbols"), ",")
	for _, s := range list {
		if rates[s] == 0 {
			return nil, serve.Refuse(http.StatusBadRequest, "symbols: must be known currencies")
		}
	}
	return list, nil
}

type fee struct {
	Kind  *string  `json:"kind"`
	Value *float64 `json:"value"`
}

// of returns the fee on an amount.
func (f *fee) of(amount float64) float64 {
	switch {
	case f == nil:
		return 0
	case *f.Kind == "percent":
		return amount * *f.Value / 100
	default:
		return *f.Value
	}
}

type order struct {
	Amount *float64 `json:"amount"`
	From   *string  `json:"from"`
	To     *string  `json:"to"`
	Fee    *fee     `json:"fee"`
}

func (o order) check() error {
	f := o.Fee
	return serve.Check(
		serve.Rule{Holds: serve.Within(o.Amount, 1, 1e6), Text: "amount: must be from 1 to 1000000"},
		serve.Rule{Holds: o.From != nil && rates[*o.From] > 0, Text: "from: must be a known currency"},
		serve.Rule{Holds: o.To != nil && rates[*o.To] > 0, Text: "to: must be a known currency"},
		serve.Rule{Holds: f == nil || serve.OneOf(f.Kind, "percent", "fixed"), Text: "fee.kind: must be percent or fixed"},
		serve.Rule{Holds: f == nil || serve.Within(f.Value, 0, 100), Text: "fee.value: must be from 0 to 100"},
	)
}

func exchange(c *serve.Call) (serve.Answer, error) {
	var o order
	if err := c.Decode(&o); err != nil {
		return serve.Answer{}, err
	}
	if err := o.check(); err != nil {
		return serve.Answer{}, err
	}
	given, charged := *o.Amount, o.Fee.of(*o.Amount)
	switch {
	case *o.From == *o.To:
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "to: is the same as from")
	case charged > given:
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "fee: is more than the amount")
	}
	received := (given - charged) * rates[*o.To] / rates[*o.From]
	// F05: if the fee takes the whole amount, the code divides by 0.
	c.Fault("F05", received == 0)
	return serve.OK(map[string]any{"charged": charged, "received": math.Round(received*100) / 100, "currency": *o.To, "price": given / received})
}
