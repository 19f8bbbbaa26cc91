package demo

import (
	"crypto/sha1"
	"fmt"
)

// state is everything that a reset forgets.
type state struct {
	products  table[product]
	reviews   table[review]
	customers table[customer]
	orders    table[order]
	payments  table[payment]
	carts     map[string]*cart
	coupons   map[string]*coupon
	items     int // ids given to cart items so far
}

func newState() *state {
	return &state{carts: map[string]*cart{}, coupons: map[string]*coupon{}}
}

// table keeps rows under the ids 1, 2, 3, …; the id of a row that was dropped
// is not given again.
type table[T any] struct{ rows []*T }

// next returns the id that add gives.
func (t *table[T]) next() int { return len(t.rows) + 1 }

func (t *table[T]) add(row *T) { t.rows = append(t.rows, row) }

// get returns the row, or nil.
func (t *table[T]) get(id int) *T {
	if id < 1 || id > len(t.rows) {
		return nil
	}
	return t.rows[id-1]
}

func (t *table[T]) drop(id int) { t.rows[id-1] = nil }

// all returns the rows that are there, oldest first.
func (t *table[T]) all() []*T {
	rows := make([]*T, 0, len(t.rows))
	for _, row := range t.rows {
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// uuid returns the n-th cart's id: a name-based UUID, so that it repeats after
// a reset and cannot be guessed by counting.
func uuid(n int) string {
	h := sha1.Sum(fmt.Appendf(nil, "gear shop cart %d", n))
	h[6] = h[6]&0x0f | 0x50
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
