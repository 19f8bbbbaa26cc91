package demo

import (
	"net/http"
	"time"
)

// The states of a cart.
const (
	cartOpen    = "open"
	cartOrdered = "ordered"
)

var sizes = []string{"S", "M", "L", "XL"}

// cart is what a customer wants to buy. Whoever knows its id may use it.
type cart struct {
	CartID     string    `json:"cartId"`
	CartState  string    `json:"cartState"`
	GiftWrap   bool      `json:"giftWrap"`
	Lines      []line    `json:"lines"`
	TotalCents int       `json:"totalCents"`
	OpenedAt   time.Time `json:"openedAt"`
}

// line is some of one product in one size, "" for none.
type line struct {
	ItemID    int    `json:"itemId"`
	ProductID int    `json:"productId"`
	Quantity  int    `json:"quantity"`
	Size      string `json:"size,omitempty"`
}

func (k *cart) holds(product int) bool {
	for _, l := range k.Lines {
		if l.ProductID == product {
			return true
		}
	}
	return false
}

type newCart struct {
	ProductID *int    `json:"productId"`
	Quantity  *int    `json:"quantity"`
	Size      *string `json:"size"`
	GiftWrap  *bool   `json:"giftWrap"`
}

// createCart opens a cart with its first line.
func (s *Shop) createCart(c *call) (answer, error) {
	var in newCart
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if in.GiftWrap == nil {
		return answer{}, refuse(http.StatusBadRequest, "giftWrap: is required")
	}
	first, err := newItem{ProductID: in.ProductID, Quantity: in.Quantity, Size: in.Size}.line()
	if err != nil {
		return answer{}, err
	}
	if err := s.saleable(first); err != nil {
		return answer{}, err
	}
	first.ItemID = s.nextItem()
	k := &cart{
		CartID:     uuid(len(s.state.carts) + 1),
		CartState:  cartOpen,
		GiftWrap:   *in.GiftWrap,
		Lines:      nil,
		TotalCents: 0,
		OpenedAt:   s.now(),
	}
	s.fill(c, k, []line{first})
	s.state.carts[k.CartID] = k
	return created(k, "/carts/%s", k.CartID), nil
}

// fill gives the cart its lines and its new total.
func (s *Shop) fill(c *call, k *cart, lines []line) {
	total := 0
	for _, l := range lines {
		total += s.lineCents(l)
	}
	if k.GiftWrap {
		total += s.wrapCents(c, lines)
	}
	k.Lines, k.TotalCents = lines, total
}

func (s *Shop) lineCents(l line) int {
	return l.Quantity * s.state.products.get(l.ProductID).unitCents(l.Quantity, nil)
}

// wrapCents is the price of gift wrap: a twentieth of the first line, with
// which it comes.
func (s *Shop) wrapCents(c *call, lines []line) int {
	if c.guard("F09", len(lines) == 0) {
		return 0
	}
	return s.lineCents(lines[0]) / 20
}

func (s *Shop) cart(c *call) (*cart, error) {
	if k := s.state.carts[c.r.PathValue("cartId")]; k != nil {
		return k, nil
	}
	return nil, missing("cartId")
}

// openCart returns the cart that the path names if it may still be changed.
func (s *Shop) openCart(c *call) (*cart, error) {
	k, err := s.cart(c)
	if err == nil && k.CartState != cartOpen {
		return nil, refuse(http.StatusConflict, "cartId: the cart has been ordered")
	}
	return k, err
}

func (s *Shop) getCart(c *call) (answer, error) {
	k, err := s.cart(c)
	return ok(k), err
}
