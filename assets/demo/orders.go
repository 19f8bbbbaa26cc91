package demo

import (
	"net/http"
	"time"
)

// Limits and charges of an order.
const (
	parcelGrams  = 20_000 // maximum weight of a parcel
	maxParcels   = 127    // the carrier counts them in a signed byte
	expressCents = 1_500
)

var (
	deliveries = []string{"standard", "express", "pickup"}
	payMoments = []string{"order", "delivery"}
	countries  = []string{"AT", "CH", "DE"}
)

// orderResource serves the orders.
type orderResource struct {
	table[order]
	carts *cartResource
	now   clock
}

// order is a cart that a user has bought.
type order struct {
	OrderID     int       `json:"orderId"`
	CartID      string    `json:"cartId"`
	PlacedBy    string    `json:"placedBy"`
	OrderStatus string    `json:"orderStatus"`
	Delivery    string    `json:"delivery"`
	PayOn       string    `json:"payOn"`
	Address     address   `json:"address"`
	Parcels     []int     `json:"parcels"` // the weights of the parcels in grams
	TotalCents  int       `json:"totalCents"`
	Carrier     *string   `json:"carrier,omitempty"`
	Reason      *string   `json:"reason,omitempty"`
	PlacedAt    time.Time `json:"placedAt"`

	charging bool // a card payment is in progress
}

type address struct {
	Street   *string `json:"street"`
	Postcode *int    `json:"postcode"`
	Country  *string `json:"country"`
}

func (a *address) check(v *rules) {
	v.form(a != nil, "address: is required")
	if a == nil {
		return
	}
	v.text("address.street", a.Street, 3, 80)
	v.whole("address.postcode", a.Postcode, 1000, 99_999)
	v.choice("address.country", a.Country, countries)
}

// express checks the postcode, which the label of an express parcel needs: it must have
// the country's number of digits.
func (a *address) express(v *rules) {
	if *a.Country == "DE" {
		v.sense(*a.Postcode >= 10_000, "address.postcode: must have five digits for express to DE")
	} else {
		v.sense(*a.Postcode < 10_000, "address.postcode: must have four digits for express to %s", *a.Country)
	}
}

type newOrder struct {
	CartID   *string  `json:"cartId"`
	Delivery *string  `json:"delivery"`
	PayOn    *string  `json:"payOn"`
	Address  *address `json:"address"`
}

func (in newOrder) check() error {
	var v rules
	v.text("cartId", in.CartID, 36, 36)
	v.choice("delivery", in.Delivery, deliveries)
	if in.PayOn != nil {
		v.choice("payOn", in.PayOn, payMoments)
	}
	in.Address.check(&v)
	if v.err == nil && *in.Delivery == "express" {
		in.Address.express(&v)
	}
	return v.err
}

func (in newOrder) payOn() string {
	if in.PayOn == nil {
		return "order"
	}
	return *in.PayOn
}

// create turns an open cart into an order, and packs its products in parcels.
func (r *orderResource) create(c *call) (answer, error) {
	var in newOrder
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	k, err := r.orderable(*in.CartID)
	if err != nil {
		return answer{}, err
	}
	parcels, err := r.pack(c, k, *in.Delivery)
	if err != nil {
		return answer{}, err
	}
	o := &order{
		OrderID: r.next(), CartID: k.CartID, PlacedBy: c.user.Name, OrderStatus: placed,
		Delivery: *in.Delivery, PayOn: in.payOn(), Address: *in.Address, Parcels: parcels,
		TotalCents: k.TotalCents, PlacedAt: r.now(),
	}
	if o.Delivery == "express" {
		o.TotalCents += expressCents
	}
	k.CartState = cartOrdered
	r.add(o)
	c.count("orders.placed")
	return created(o, "/orders/%d", o.OrderID), nil
}

// orderable returns the cart with this id. It returns an error if there is no such cart, or if the cart cannot
// be ordered.
func (r *orderResource) orderable(id string) (*cart, error) {
	k := r.carts.byID[id]
	switch {
	case k == nil:
		return nil, refuse(http.StatusUnprocessableEntity, "cartId: there is no cart %q", id)
	case k.CartState != cartOpen:
		return nil, refuse(http.StatusConflict, "cartId: the cart has been ordered")
	case len(k.Lines) == 0:
		return nil, refuse(http.StatusConflict, "cartId: the cart is empty")
	}
	return k, nil
}

// pack returns the weights, in grams, of the parcels for a cart. All parcels except the last are
// full. An order that the customer picks up has no parcels.
func (r *orderResource) pack(c *call, k *cart, delivery string) ([]int, error) {
	if delivery == "pickup" {
		return []int{}, nil
	}
	grams := 0
	for _, l := range k.Lines {
		grams += l.Quantity * r.carts.products.table.get(l.ProductID).WeightGrams
	}
	n := (grams + parcelGrams - 1) / parcelGrams
	if c.guard("F10", n > maxParcels) {
		return nil, refuse(http.StatusUnprocessableEntity, "cartId: must fit into %d parcels", maxParcels)
	}
	parcels := make([]int, int8(n))
	for i := range n {
		parcels[i] = min(grams, parcelGrams)
		grams -= parcels[i]
	}
	return parcels, nil
}

// named returns the order with the id in the path. It returns an error if the user may not see the order.
func (r *orderResource) named(c *call) (*order, error) {
	o := r.table.get(c.id("orderId"))
	switch {
	case o == nil:
		return nil, missing("orderId")
	case !c.user.owns(o.PlacedBy):
		return nil, refuse(http.StatusForbidden, "orderId: is an order of another user")
	}
	return o, nil
}

func (r *orderResource) get(c *call) (answer, error) {
	o, err := r.named(c)
	return ok(o), err
}
