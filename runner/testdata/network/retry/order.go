package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"sonde/runner/testdata/services/serve"
)

// placed is the state of an order at the exchange.
type placed struct {
	ID     string `json:"id"`
	State  string `json:"state"`
	Reason string `json:"reason"`
}

// mostPolls is the number of times that a pending order is read again.
const mostPolls = 3

// order places an order, and waits for a while until it is settled.
func (m *market) order(c *serve.Call) (serve.Answer, error) {
	var in struct {
		Symbol *string `json:"symbol"`
		Amount *int    `json:"amount"`
	}
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := serve.Check(
		serve.Rule{Holds: in.Symbol != nil && symbols.MatchString(*in.Symbol), Text: "symbol: must be 1 to 5 capital letters"},
		serve.Rule{Holds: serve.Within(in.Amount, 1, 10000), Text: "amount: must be from 1 to 10000"},
	); err != nil {
		return serve.Answer{}, err
	}
	body, _ := json.Marshal(in)
	r, err := m.ask(c.Context(), http.MethodPost, m.orders+"/orders", string(body), fmt.Sprintf("%s-%d", *in.Symbol, *in.Amount))
	if err != nil {
		// F03: the error shows the caller why the exchange does not answer.
		c.Fault("F03", true)
		return serve.Answer{}, serve.Refuse(http.StatusServiceUnavailable, "no order: %v", err)
	}
	switch r.status {
	case http.StatusCreated, http.StatusAccepted:
		return m.settle(c, r)
	case http.StatusConflict:
		return serve.OK(map[string]any{"state": "placed before"})
	case http.StatusPaymentRequired:
		return serve.Answer{}, serve.Refuse(http.StatusPaymentRequired, "nobody pays for that")
	case http.StatusInternalServerError, http.StatusBadGateway:
		return serve.Answer{}, failure(r, nil)
	}
	return serve.Answer{}, strange("the exchange answers %d", r.status)
}

// settle reads an order again until it is no longer pending.
func (m *market) settle(c *serve.Call, r reply) (serve.Answer, error) {
	for n := 0; ; n++ {
		var p placed
		if json.Unmarshal([]byte(r.text), &p) != nil || p.ID == "" {
			return serve.Answer{}, strange("the exchange does not say which order it is")
		}
		switch {
		case p.State == "filled":
			return serve.OK(map[string]any{"state": "filled", "looks": n})
		case p.State == "rejected" && p.Reason == "funds":
			return serve.Answer{}, serve.Refuse(http.StatusPaymentRequired, "there is not enough money")
		case p.State == "rejected":
			return serve.Answer{}, serve.Refuse(http.StatusConflict, "the order is rejected")
		case p.State != "pending":
			return serve.Answer{}, strange("the order is %.20q", p.State)
		case n == mostPolls:
			return serve.OK(map[string]any{"state": "pending", "looks": n})
		}
		time.Sleep(time.Millisecond << n)
		var err error
		if r, err = m.get(c.Context(), m.orders+"/orders/"+p.ID); err != nil {
			return serve.Answer{}, failure(r, err)
		}
		if r.status != http.StatusOK {
			return serve.Answer{}, strange("the order is lost: %d", r.status)
		}
	}
}
