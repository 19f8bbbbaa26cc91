package demo

import (
	"crypto/sha1"
	"fmt"
	"net/http"
	"time"
)

// clock returns the time in the shop's answers.
type clock func() time.Time

// state has all that a reset discards: the resources with their rows.
type state struct {
	products  *productResource
	stock     *stockResource
	reviews   *reviewResource
	customers *customerResource
	carts     *cartResource
	orders    *orderResource
	payments  *paymentResource
	coupons   *couponResource
}

// newState returns the state of an empty shop. client calls the payment provider.
func newState(c Config, client *http.Client) *state {
	now := func() time.Time { return c.Now().UTC().Truncate(time.Second) }
	products := &productResource{now: now}
	carts := &cartResource{byID: map[string]*cart{}, products: products, now: now}
	products.inOpenCart = carts.openWith
	orders := &orderResource{carts: carts, now: now}
	return &state{
		products:  products,
		stock:     &stockResource{products: products, feed: c.Stock, timeout: c.Timeout, now: now},
		reviews:   &reviewResource{products: products, now: now},
		customers: &customerResource{now: now},
		carts:     carts,
		orders:    orders,
		payments:  &paymentResource{orders: orders, provider: provider{url: c.Payments, client: client}, now: now},
		coupons:   &couponResource{coupons: map[string]*coupon{}},
	}
}

// table keeps rows under the ids 1, 2, 3, …; the id of a dropped row is not used again.
type table[T any] struct{ rows []*T }

// next returns the id that the next added row will have.
func (t *table[T]) next() int { return len(t.rows) + 1 }

func (t *table[T]) add(row *T) { t.rows = append(t.rows, row) }

// get returns the row with an id. It returns nil if there is no such row.
func (t *table[T]) get(id int) *T {
	if id < 1 || id > len(t.rows) {
		return nil
	}
	return t.rows[id-1]
}

func (t *table[T]) drop(id int) { t.rows[id-1] = nil }

// all returns the rows, oldest first.
func (t *table[T]) all() []*T {
	rows := make([]*T, 0, len(t.rows))
	for _, row := range t.rows {
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// uuid returns the id of the n-th cart: a name-based UUID, which is the same after a reset
// but cannot be guessed by counting.
func uuid(n int) string {
	h := sha1.Sum(fmt.Appendf(nil, "gear shop cart %d", n))
	h[6] = h[6]&0x0f | 0x50
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
