package demo

// Fault is a mistake that is built into the shop.
type Fault struct {
	ID        string // F01 to F12, the deeper the later
	Operation string // the one that answers 500
	Mistake   string // what the program does
	Trigger   string // what makes it happen
	Calls     int    // the fewest calls after a reset, that one included
	Outside   bool   // whether it takes an answer from a dependency
}

// Faults returns the table of the built-in mistakes, by ID.
func Faults() []Fault { return append([]Fault(nil), faults[:]...) }

var faults = [...]Fault{
	{"F01", "GET /products", "slice bounds out of range",
		"an offset beyond the products found", 1, false},
	{"F02", "GET /stores/{storeId}/hours", "index out of range",
		"a date that is a Sunday", 1, false},
	{"F03", "POST /customers", "nil pointer dereference",
		"a newsletter, but no contact", 1, false},
	{"F04", "GET /products", "a slice of negative length",
		"a minPriceCents that is more than one above maxPriceCents", 1, false},
	{"F05", "GET /products/{productId}/reviews", "division by zero",
		"a minRating that no review of the product reaches", 2, false},
	{"F06", "PATCH /customers/{customerId}", "write to a nil map",
		"a preference for a customer who was created without preferences", 2, false},
	{"F07", "GET /coupons/{code}", "index out of range",
		"a basketCents below the coupon's lowest tier", 2, false},
	{"F08", "POST /stock/{sku}/sync", "index out of range",
		"a stock feed that answers OK without a number", 2, true},
	{"F09", "DELETE /carts/{cartId}/items/{itemId}", "index out of range",
		"the only line of a cart with gift wrap", 3, false},
	{"F10", "POST /orders", "overflow of an 8-bit integer",
		"an order to be sent that is so heavy that it takes more than 127 parcels", 3, false},
	{"F11", "POST /orders/{orderId}/payments", "type assertion",
		"a card charge that the provider approves without a receipt", 4, true},
	{"F12", "GET /orders/{orderId}/payments/{paymentId}", "division by zero",
		"an order that was paid by invoice in one instalment", 5, false},
}

// guard is the check that keeps a program from the fault called id: it tells
// whether hit must be handled here. The faulty shop forgot it, so there it is
// always false, the program goes on and fails by itself.
func (c *call) guard(id string, hit bool) bool {
	if hit && !c.healthy {
		c.fault = id
		return false
	}
	return hit
}
