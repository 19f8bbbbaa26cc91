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

// cartResource serves the carts and their lines.
type cartResource struct {
	byID     map[string]*cart
	items    int // the last id of a line
	products *productResource
	now      clock
}

// openWith reports whether an open cart has a line of a product.
func (r *cartResource) openWith(product int) bool {
	for _, k := range r.byID {
		if k.CartState == cartOpen && k.holds(product) {
			return true
		}
	}
	return false
}

// cart holds the products that a customer wants to buy. Anyone with its id may use it.
type cart struct {
	CartID     string    `json:"cartId"`
	CartState  string    `json:"cartState"`
	GiftWrap   bool      `json:"giftWrap"`
	Lines      []line    `json:"lines"`
	TotalCents int       `json:"totalCents"`
	OpenedAt   time.Time `json:"openedAt"`
}

// line is a quantity of one product in one size. The size is "" if the customer chose none.
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

// create opens a cart with its first line.
func (r *cartResource) create(c *call) (answer, error) {
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
	if err := r.saleable(first); err != nil {
		return answer{}, err
	}
	first.ItemID = r.nextItem()
	k := &cart{
		CartID:     uuid(len(r.byID) + 1),
		CartState:  cartOpen,
		GiftWrap:   *in.GiftWrap,
		Lines:      nil,
		TotalCents: 0,
		OpenedAt:   r.now(),
	}
	r.fill(c, k, []line{first})
	r.byID[k.CartID] = k
	return created(k, "/carts/%s", k.CartID), nil
}

// fill sets the lines of a cart, and its total.
func (r *cartResource) fill(c *call, k *cart, lines []line) {
	total := 0
	for _, l := range lines {
		total += r.lineCents(l)
	}
	if k.GiftWrap {
		total += r.wrapCents(c, lines)
	}
	k.Lines, k.TotalCents = lines, total
}

func (r *cartResource) lineCents(l line) int {
	return l.Quantity * r.products.table.get(l.ProductID).unitCents(l.Quantity, nil)
}

// wrapCents returns the price of gift wrap in cents: a twentieth of the price of the first line.
func (r *cartResource) wrapCents(c *call, lines []line) int {
	if c.guard("F09", len(lines) == 0) {
		return 0
	}
	return r.lineCents(lines[0]) / 20
}

// named returns the cart with the id in the path.
func (r *cartResource) named(c *call) (*cart, error) {
	if k := r.byID[c.r.PathValue("cartId")]; k != nil {
		return k, nil
	}
	return nil, missing("cartId")
}

// open returns the cart with the id in the path. It returns an error if the cart has been ordered.
func (r *cartResource) open(c *call) (*cart, error) {
	k, err := r.named(c)
	if err == nil && k.CartState != cartOpen {
		return nil, refuse(http.StatusConflict, "cartId: the cart has been ordered")
	}
	return k, err
}

func (r *cartResource) get(c *call) (answer, error) {
	k, err := r.named(c)
	return ok(k), err
}
