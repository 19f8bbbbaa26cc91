package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// charge is what the payment provider is asked for.
type charge struct {
	OrderID     int    `json:"orderId"`
	AmountCents int    `json:"amountCents"`
	CardToken   string `json:"cardToken"`
}

// newClient returns a client for the payment provider, which is not expected to
// redirect.
func newClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// chargeCard has the provider charge the order's total and returns its receipt.
func (s *Shop) chargeCard(c *call, o *order, token string) (string, error) {
	if s.config.Payments == "" {
		return "", refuse(http.StatusServiceUnavailable, "payment provider: is not configured, pay by voucher or invoice")
	}
	var said map[string]any
	var err error
	before := s.state
	o.charging = true
	s.outside(func() {
		said, err = s.post(c.r, charge{OrderID: o.OrderID, AmountCents: o.TotalCents, CardToken: token})
	})
	o.charging = false
	switch {
	case s.state != before:
		return "", refuse(http.StatusConflict, "orderId: the shop was reset meanwhile")
	case err != nil:
		return "", refuse(http.StatusServiceUnavailable, "payment provider: gave no usable answer")
	case said["approved"] != true:
		return "", refuse(http.StatusPaymentRequired, "cardToken: the payment provider declined the card")
	}
	return receipt(c, said), nil
}

// receipt reads the provider's receipt, which it leaves out or writes as a
// number as it likes.
func receipt(c *call, said map[string]any) string {
	if _, isText := said["receipt"].(string); c.guard("F11", !isText) {
		return ""
	}
	return said["receipt"].(string)
}

// post sends one charge, with the trace context of the call that is the cause, and
// returns the provider's JSON object.
func (s *Shop) post(cause *http.Request, ch charge) (map[string]any, error) {
	body, err := json.Marshal(ch)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(cause.Context(), http.MethodPost, s.config.Payments, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header["Traceparent"] = cause.Header["Traceparent"]
	res, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, errors.New("status " + res.Status)
	}
	var said map[string]any
	err = json.NewDecoder(io.LimitReader(res.Body, maxBody)).Decode(&said)
	return said, err
}
