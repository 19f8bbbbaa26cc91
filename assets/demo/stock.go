package demo

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// stockResource serves the stock of each product.
type stockResource struct {
	products *productResource
	feed     string // the address of the stock feed, "" for none
	timeout  time.Duration
	now      clock
}

// stock is the number of pieces of a product on hand, as last counted.
type stock struct {
	SKU       string     `json:"sku"`
	OnHand    int        `json:"onHand"`
	CountedAt *time.Time `json:"countedAt,omitempty"` // nil if never counted
}

// named returns the product with the path's stock keeping unit.
func (r *stockResource) named(c *call) (*product, error) {
	sku := c.r.PathValue("sku")
	for _, p := range r.products.all() {
		if p.SKU == sku {
			return p, nil
		}
	}
	return nil, missing("sku")
}

func (r *stockResource) get(c *call) (answer, error) {
	p, err := r.named(c)
	if err != nil {
		return answer{}, err
	}
	return ok(p.stock), nil
}

// sync asks the stock feed for the number of pieces of a product, and stores the number.
func (r *stockResource) sync(c *call) (answer, error) {
	p, err := r.named(c)
	if err != nil {
		return answer{}, err
	}
	if r.feed == "" {
		return answer{}, refuse(http.StatusServiceUnavailable, "stock feed: is not configured")
	}
	var text string
	c.unlocked(func() {
		text, err = ask(c.r.Context(), r.feed, "SKU "+p.SKU, r.timeout)
	})
	if err != nil {
		return answer{}, refuse(http.StatusServiceUnavailable, "stock feed: gave no usable answer")
	}
	n, err := counted(c, text)
	if err != nil {
		return answer{}, err
	}
	now := r.now()
	p.stock.OnHand, p.stock.CountedAt = n, &now
	return ok(p.stock), nil
}

// counted parses the feed's answer and returns the number of pieces. The answer is "OK 12", or "NO"
// if the feed does not know the product.
func counted(c *call, text string) (int, error) {
	word, _, _ := strings.Cut(text, " ")
	unknown := refuse(http.StatusNotFound, "sku: the stock feed has no number for it")
	if word == "NO" {
		return 0, unknown
	}
	unusable := refuse(http.StatusServiceUnavailable, "stock feed: gave no usable answer")
	if word != "OK" {
		return 0, unusable
	}
	parts := strings.Fields(text)
	if c.guard("F08", len(parts) < 2) {
		return 0, unknown
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil || n < 0 {
		return 0, unusable
	}
	return n, nil
}
