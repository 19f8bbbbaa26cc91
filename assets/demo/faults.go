package demo

// BuiltInFault is a fault that is built into the shop.
type BuiltInFault struct {
	ID        string // F01 to F12, in the order of Calls
	Operation string // the operation that answers 500
	Mistake   string // the run-time error
	Trigger   string // the input that triggers the fault
	Calls     int    // the minimum number of calls after a reset that trigger the fault
	Outside   bool   // whether an answer of another host triggers the fault
}

// BuiltInFaults returns the built-in faults, by ID.
func BuiltInFaults() []BuiltInFault { return append([]BuiltInFault(nil), faults[:]...) }

var faults = [...]BuiltInFault{
	{
		ID: "F01", Operation: "GET /products", Mistake: "slice bounds out of range",
		Trigger: "an offset beyond the products found", Calls: 1, Outside: false,
	},
	{
		ID: "F02", Operation: "GET /stores/{storeId}/hours", Mistake: "index out of range",
		Trigger: "a date that is a Sunday", Calls: 1, Outside: false,
	},
	{
		ID: "F03", Operation: "POST /customers", Mistake: "nil pointer dereference",
		Trigger: "a newsletter, but no contact", Calls: 1, Outside: false,
	},
	{
		ID: "F04", Operation: "GET /products", Mistake: "a slice of negative length",
		Trigger: "a minPriceCents that is more than one above maxPriceCents", Calls: 1, Outside: false,
	},
	{
		ID: "F05", Operation: "GET /products/{productId}/reviews", Mistake: "division by zero",
		Trigger: "a minRating that no review of the product reaches", Calls: 2, Outside: false,
	},
	{
		ID: "F06", Operation: "PATCH /customers/{customerId}", Mistake: "write to a nil map",
		Trigger: "a preference for a customer who was created without preferences", Calls: 2, Outside: false,
	},
	{
		ID: "F07", Operation: "GET /coupons/{code}", Mistake: "index out of range",
		Trigger: "a basketCents below the coupon's lowest tier", Calls: 2, Outside: false,
	},
	{
		ID: "F08", Operation: "POST /stock/{sku}/sync", Mistake: "index out of range",
		Trigger: "a stock feed that answers OK without a number", Calls: 2, Outside: true,
	},
	{
		ID: "F09", Operation: "DELETE /carts/{cartId}/items/{itemId}", Mistake: "index out of range",
		Trigger: "the only line of a cart with gift wrap", Calls: 3, Outside: false,
	},
	{
		ID: "F10", Operation: "POST /orders", Mistake: "overflow of an 8-bit integer",
		Trigger: "an order to be sent that is so heavy that it takes more than 127 parcels", Calls: 3, Outside: false,
	},
	{
		ID: "F11", Operation: "POST /orders/{orderId}/payments", Mistake: "type assertion",
		Trigger: "a card charge that the provider approves without a receipt", Calls: 4, Outside: true,
	},
	{
		ID: "F12", Operation: "GET /orders/{orderId}/payments/{paymentId}", Mistake: "division by zero",
		Trigger: "an order that was paid by invoice in one instalment", Calls: 5, Outside: false,
	},
}

// guard is the check that prevents a fault. hit reports whether the input would trigger the fault. In a healthy shop
// guard returns hit, so that the caller can avoid the fault. In a shop with faults guard returns false, as if there
// were no check, and the program runs into the run-time error.
func (c *call) guard(id string, hit bool) bool {
	if hit && !c.healthy {
		c.fault = id
		return false
	}
	return hit
}
