package demo

import (
	"net/http"
	"time"
)

const (
	maxInstalments = 4
	// instalmentsFrom is the smallest total that may be paid in instalments.
	instalmentsFrom = 20_000
)

var methods = []string{"card", "voucher", "invoice"}

// paymentResource serves the payments of orders.
type paymentResource struct {
	table[payment]
	orders   *orderResource
	provider provider
	now      clock
}

// payment describes how an order was paid.
type payment struct {
	PaymentID   int       `json:"paymentId"`
	OrderID     int       `json:"orderId"`
	Method      string    `json:"method"`
	PaidCents   int       `json:"paidCents"`
	Instalments int       `json:"instalments"`
	Receipt     string    `json:"receipt,omitempty"` // the receipt of the provider, for a card
	PaidAt      time.Time `json:"paidAt"`
}

type newPayment struct {
	Method      *string `json:"method"`
	CardToken   *string `json:"cardToken"`
	VoucherCode *string `json:"voucherCode"`
	Instalments *int    `json:"instalments"`
}

func (in newPayment) check() error {
	var v rules
	v.choice("method", in.Method, methods)
	if in.CardToken != nil {
		v.text("cardToken", in.CardToken, 4, 40)
	}
	if in.VoucherCode != nil {
		v.text("voucherCode", in.VoucherCode, 4, 12)
	}
	if in.Instalments != nil {
		v.whole("instalments", in.Instalments, 1, maxInstalments)
	}
	return v.err
}

// number returns the number of instalments. Only an invoice may have several.
func (in newPayment) number() int {
	if in.Instalments == nil || *in.Method != "invoice" {
		return 1
	}
	return *in.Instalments
}

// fits returns an error if the payment lacks something that its method or the order needs.
func (in newPayment) fits(o *order) error {
	var v rules
	switch *in.Method {
	case "card":
		v.sense(in.CardToken != nil, "cardToken: is required to pay by card")
	case "voucher":
		v.sense(in.VoucherCode != nil, "voucherCode: is required to pay by voucher")
	case "invoice":
		v.sense(
			o.TotalCents >= instalmentsFrom || in.number() == 1,
			"instalments: must be 1 for less than %d cents", instalmentsFrom,
		)
	}
	return v.err
}

// payable returns an error if the order cannot be paid now.
func (o *order) payable() error {
	switch {
	case o.OrderStatus != placed:
		return refuse(http.StatusConflict, "orderId: a %s order cannot be paid", o.OrderStatus)
	case o.PayOn == "delivery":
		return refuse(http.StatusConflict, "orderId: the order is paid on delivery")
	case o.charging:
		return refuse(http.StatusConflict, "orderId: the order is being paid")
	}
	return nil
}

// create adds a payment. The answer has the id of the payment only in the header Location.
func (r *paymentResource) create(c *call) (answer, error) {
	o, err := r.orders.named(c)
	if err != nil {
		return answer{}, err
	}
	var in newPayment
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	if err := o.payable(); err != nil {
		return answer{}, err
	}
	if err := in.fits(o); err != nil {
		return answer{}, err
	}
	return r.pay(c, o, in)
}

// pay pays an order whose payment has been checked.
func (r *paymentResource) pay(c *call, o *order, in newPayment) (answer, error) {
	p := &payment{OrderID: o.OrderID, Method: *in.Method, PaidCents: o.TotalCents, Instalments: in.number()}
	if p.Method == "card" {
		receipt, err := r.provider.chargeCard(c, o, *in.CardToken)
		if err != nil {
			return answer{}, err
		}
		p.Receipt = receipt
	}
	p.PaymentID, p.PaidAt = r.next(), r.now()
	r.add(p)
	o.OrderStatus = paid
	c.count("orders.paid")
	return created(nil, "/orders/%d/payments/%d", o.OrderID, p.PaymentID), nil
}

func (r *paymentResource) get(c *call) (answer, error) {
	o, err := r.orders.named(c)
	if err != nil {
		return answer{}, err
	}
	p := r.table.get(c.id("paymentId"))
	if p == nil || p.OrderID != o.OrderID {
		return answer{}, missing("paymentId")
	}
	return ok(struct {
		*payment
		Schedule []int `json:"schedule,omitempty"`
	}{p, schedule(c, p)}), nil
}

// schedule returns the instalments of an invoice in cents. The first is a fifth of the sum. The
// others divide the rest equally; the last one also has the remainder of the division. A payment
// that is not an invoice has none.
func schedule(c *call, p *payment) []int {
	if p.Method != "invoice" {
		return nil
	}
	if c.guard("F12", p.Instalments == 1) {
		return []int{p.PaidCents}
	}
	due := []int{p.PaidCents / 5}
	rest := p.PaidCents - due[0]
	part := rest / (p.Instalments - 1)
	for len(due) < p.Instalments-1 {
		due = append(due, part)
		rest -= part
	}
	return append(due, rest)
}
