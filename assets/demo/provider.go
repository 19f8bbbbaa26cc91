package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// charge is the body of a request to the payment provider.
type charge struct {
	OrderID     int    `json:"orderId"`
	AmountCents int    `json:"amountCents"`
	CardToken   string `json:"cardToken"`
}

// provider is the payment provider, another service that the shop calls to charge a card.
type provider struct {
	url    string // "" for none
	client *http.Client
}

// newClient returns a client for the payment provider. The client follows no redirects,
// because the provider sends none.
func newClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// chargeCard asks the provider to charge the order's total, and returns the provider's receipt.
func (r provider) chargeCard(c *call, o *order, token string) (string, error) {
	if r.url == "" {
		return "", refuse(http.StatusServiceUnavailable, "payment provider: is not configured, pay by voucher or invoice")
	}
	var result map[string]any
	var err error
	o.charging = true
	reset := c.unlocked(func() {
		result, err = r.post(c.r, charge{OrderID: o.OrderID, AmountCents: o.TotalCents, CardToken: token})
	})
	o.charging = false
	switch {
	case reset:
		return "", refuse(http.StatusConflict, "orderId: the shop was reset meanwhile")
	case err != nil:
		return "", refuse(http.StatusServiceUnavailable, "payment provider: gave no usable answer")
	case result["approved"] != true:
		return "", refuse(http.StatusPaymentRequired, "cardToken: the payment provider declined the card")
	}
	return receipt(c, result), nil
}

// receipt returns the receipt in an answer, "" if it is missing or not a text.
func receipt(c *call, result map[string]any) string {
	if _, isText := result["receipt"].(string); c.guard("F11", !isText) {
		return ""
	}
	return result["receipt"].(string)
}

// post sends a charge with the trace context of cause, the request to the shop. It returns the JSON
// object of the answer.
func (r provider) post(cause *http.Request, ch charge) (map[string]any, error) {
	body, err := json.Marshal(ch)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(cause.Context(), http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header["Traceparent"] = cause.Header["Traceparent"]
	res, err := r.client.Do(req)
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
