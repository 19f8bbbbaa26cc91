package demo

import "net/http"

// The states of an order, and the changes between them. An order that is paid on delivery
// goes directly from placed to shipped.
//
//	placed ─► paid ─► shipped ─► delivered
//	   └───────┴────► cancelled
const (
	placed    = "placed"
	paid      = "paid"
	shipped   = "shipped"
	delivered = "delivered"
	cancelled = "cancelled"
)

var (
	moves    = []string{shipped, delivered, cancelled}
	carriers = []string{"post", "courier"}
)

// may reports whether the order may change to a state.
func (o *order) may(move string) bool {
	switch move {
	case shipped:
		return o.OrderStatus == paid || o.OrderStatus == placed && o.PayOn == "delivery"
	case delivered:
		return o.OrderStatus == shipped
	default:
		return o.OrderStatus == placed || o.OrderStatus == paid
	}
}

type orderPatch struct {
	OrderStatus *string `json:"orderStatus"`
	Carrier     *string `json:"carrier"`
	Reason      *string `json:"reason"`
}

func (in orderPatch) check() error {
	var v rules
	v.choice("orderStatus", in.OrderStatus, moves)
	if in.Carrier != nil {
		v.choice("carrier", in.Carrier, carriers)
	}
	if in.Reason != nil {
		v.text("reason", in.Reason, 3, 200)
	}
	return v.err
}

// fits returns an error if the patch lacks something that the order needs for the move.
func (in orderPatch) fits(o *order) error {
	var v rules
	switch move := *in.OrderStatus; {
	case move == shipped && o.Delivery == "standard":
		v.sense(in.Carrier != nil, "carrier: is required to ship")
	case move == shipped && o.Delivery == "express":
		v.sense(in.Carrier != nil && *in.Carrier == "courier", "carrier: must be courier for express")
	case move == cancelled && o.OrderStatus == paid:
		v.sense(in.Reason != nil, "reason: is required to cancel what is paid")
	}
	return v.err
}

// permits returns an error if the user may not move the order to the state, or if the order cannot change to it
// now.
func (o *order) permits(u *User, move string) error {
	switch {
	case move != cancelled && !u.Admin:
		return refuse(http.StatusForbidden, "orderStatus: only the admin ships and delivers")
	case !o.may(move) || o.charging:
		return refuse(http.StatusConflict, "orderStatus: a %s order cannot become %s now", o.OrderStatus, move)
	}
	return nil
}

// move changes the state of an order.
func (r *orderResource) move(c *call) (answer, error) {
	o, err := r.named(c)
	if err != nil {
		return answer{}, err
	}
	var in orderPatch
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	if err := o.permits(c.user, *in.OrderStatus); err != nil {
		return answer{}, err
	}
	if err := in.fits(o); err != nil {
		return answer{}, err
	}
	o.OrderStatus = *in.OrderStatus
	if in.Carrier != nil {
		o.Carrier = in.Carrier
	}
	if in.Reason != nil {
		o.Reason = in.Reason
	}
	c.count("orders." + o.OrderStatus)
	return ok(o), nil
}
