package main

import (
	"encoding/json"
	"net/http"

	"sonde/runner/testdata/services/serve"
)

// quote has the prices at which others buy and sell.
type quote struct {
	Symbol string   `json:"symbol"`
	Bid    *float64 `json:"bid"`
	Ask    *float64 `json:"ask"`
	State  string   `json:"state"`
	Source struct {
		Name  string `json:"name"`
		Delay int    `json:"delay"` // in seconds
	} `json:"source"`
}

// quote asks one host and, if that fails, the other host.
func (m *market) quote(c *serve.Call) (serve.Answer, error) {
	name, err := symbol(c.PathValue("symbol"))
	if err != nil {
		return serve.Answer{}, err
	}
	var r reply
	var second, asked bool
	if !m.spared(m.quotes) {
		asked = true
		r, err = m.try(c, m.quotes, "/v1/quotes/"+name)
	}
	if !asked || err != nil {
		second = true
		if m.spared(m.backup) {
			return serve.Answer{}, serve.Refuse(http.StatusServiceUnavailable, "all hosts are left alone")
		}
		if r, err = m.try(c, m.backup, "/quotes?symbol="+name); err != nil {
			return serve.Answer{}, err
		}
	}
	switch r.status {
	case http.StatusOK:
		return read(name, r.text, second)
	case http.StatusNoContent, http.StatusNotFound:
		return serve.Answer{}, serve.Missing("symbol")
	case http.StatusGone:
		return serve.Answer{}, serve.Refuse(http.StatusGone, "%s is not traded any more", name)
	case http.StatusUnauthorized, http.StatusForbidden:
		return serve.Answer{}, strange("the host does not let us ask")
	}
	return serve.Answer{}, strange("the host answers %d", r.status)
}

// read returns the answer for a quote. second is true if the other host gave it.
func read(name, text string, second bool) (serve.Answer, error) {
	var q quote
	if json.Unmarshal([]byte(text), &q) != nil {
		return serve.Answer{}, strange("the quote is no JSON that is understood")
	}
	said := map[string]any{"symbol": name, "second": second, "late": q.Source.Delay > 900}
	switch {
	case q.Symbol != name:
		return serve.Answer{}, strange("the quote is of %.10q", q.Symbol)
	case q.State == "halted":
		return serve.Answer{}, serve.Refuse(http.StatusConflict, "%s is halted", name)
	case q.Bid == nil && q.Ask == nil:
		return serve.Answer{}, strange("the quote has no price")
	case q.Bid == nil:
		said["price"] = *q.Ask
	case q.Ask == nil:
		said["price"] = *q.Bid
	case *q.Bid > *q.Ask:
		return serve.Answer{}, strange("who buys pays more than who sells wants")
	default:
		said["price"] = *q.Bid/2 + *q.Ask/2
		said["tight"] = *q.Ask-*q.Bid < 0.01**q.Ask
	}
	if q.State == "auction" {
		said["indicative"] = true
	}
	return serve.OK(said)
}
