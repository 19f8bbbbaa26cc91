package demo

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// stock is how many of a product are there, as last counted.
type stock struct {
	SKU       string     `json:"sku"`
	OnHand    int        `json:"onHand"`
	CountedAt *time.Time `json:"countedAt,omitempty"` // nil: never
}

// stocked returns the product with the path's stock keeping unit.
func (s *Shop) stocked(c *call) (*product, error) {
	sku := c.r.PathValue("sku")
	for _, p := range s.state.products.all() {
		if p.SKU == sku {
			return p, nil
		}
	}
	return nil, missing("sku")
}

func (s *Shop) getStock(c *call) (answer, error) {
	p, err := s.stocked(c)
	if err != nil {
		return answer{}, err
	}
	return ok(p.stock), nil
}

// syncStock takes over the number that the stock feed has of a product.
func (s *Shop) syncStock(c *call) (answer, error) {
	p, err := s.stocked(c)
	if err != nil {
		return answer{}, err
	}
	if s.config.Stock == "" {
		return answer{}, refuse(http.StatusServiceUnavailable, "stock feed: is not configured")
	}
	var said string
	s.outside(func() {
		said, err = ask(c.r.Context(), s.config.Stock, "SKU "+p.SKU, s.config.Timeout)
	})
	if err != nil {
		return answer{}, refuse(http.StatusServiceUnavailable, "stock feed: gave no usable answer")
	}
	n, err := counted(c, said)
	if err != nil {
		return answer{}, err
	}
	now := s.now()
	p.stock.OnHand, p.stock.CountedAt = n, &now
	return ok(p.stock), nil
}

// counted reads "OK 12" or "NO", which says that the feed does not know.
func counted(c *call, said string) (int, error) {
	word, _, _ := strings.Cut(said, " ")
	unknown := refuse(http.StatusNotFound, "sku: the stock feed has no number for it")
	if word == "NO" {
		return 0, unknown
	}
	unusable := refuse(http.StatusServiceUnavailable, "stock feed: gave no usable answer")
	if word != "OK" {
		return 0, unusable
	}
	parts := strings.Fields(said)
	if c.guard("F08", len(parts) < 2) {
		return 0, unknown
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil || n < 0 {
		return 0, unusable
	}
	return n, nil
}
