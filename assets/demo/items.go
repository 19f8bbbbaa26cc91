package demo

import (
	"net/http"
	"slices"
)

// Limits of a cart and of its lines.
const (
	maxLines    = 20
	maxQuantity = 99  // at once
	maxPerLine  = 150 // after adding more of the same
	maxStoves   = 60  // of one kind, for the gas in them
)

type newItem struct {
	ProductID *int    `json:"productId"`
	Quantity  *int    `json:"quantity"`
	Size      *string `json:"size"`
}

// line returns the checked line, without an id.
func (in newItem) line() (line, error) {
	var v rules
	v.whole("productId", in.ProductID, 1, 1<<31-1)
	v.whole("quantity", in.Quantity, 1, maxQuantity)
	if in.Size != nil {
		v.choice("size", in.Size, sizes)
	}
	if v.err != nil {
		return line{}, v.err
	}
	l := line{ProductID: *in.ProductID, Quantity: *in.Quantity}
	if in.Size != nil {
		l.Size = *in.Size
	}
	return l, nil
}

// saleable tells why the shop does not sell the line.
func (s *Shop) saleable(l line) error {
	p := s.state.products.get(l.ProductID)
	if p == nil {
		return refuse(http.StatusUnprocessableEntity, "productId: there is no product %d", l.ProductID)
	}
	var v rules
	v.sense(p.Category != "stove" || l.Quantity <= maxStoves, "quantity: must be at most %d of one stove", maxStoves)
	v.sense(l.Quantity <= maxPerLine, "quantity: must be at most %d of one product", maxPerLine)
	return v.err
}

func (s *Shop) nextItem() int {
	s.state.items++
	return s.state.items
}

// addItem puts a line into the cart: 201. If it has one of the same product and
// size, that one grows: 200.
func (s *Shop) addItem(c *call) (answer, error) {
	k, err := s.openCart(c)
	if err != nil {
		return answer{}, err
	}
	var in newItem
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	l, err := in.line()
	if err != nil {
		return answer{}, err
	}
	at := slices.IndexFunc(k.Lines, func(old line) bool { return old.ProductID == l.ProductID && old.Size == l.Size })
	if at >= 0 {
		return s.growLine(c, k, at, l.Quantity)
	}
	return s.addLine(c, k, l)
}

func (s *Shop) growLine(c *call, k *cart, at, more int) (answer, error) {
	l := k.Lines[at]
	l.Quantity += more
	if err := s.saleable(l); err != nil {
		return answer{}, err
	}
	lines := slices.Clone(k.Lines)
	lines[at] = l
	s.fill(c, k, lines)
	return ok(l), nil
}

func (s *Shop) addLine(c *call, k *cart, l line) (answer, error) {
	if err := s.saleable(l); err != nil {
		return answer{}, err
	}
	if len(k.Lines) == maxLines {
		return answer{}, refuse(http.StatusUnprocessableEntity, "cartId: a cart holds at most %d lines", maxLines)
	}
	l.ItemID = s.nextItem()
	s.fill(c, k, append(slices.Clone(k.Lines), l))
	return created(l, "/carts/%s/items/%d", k.CartID, l.ItemID), nil
}

func (s *Shop) deleteItem(c *call) (answer, error) {
	k, err := s.openCart(c)
	if err != nil {
		return answer{}, err
	}
	id := c.id("itemId")
	rest := slices.DeleteFunc(slices.Clone(k.Lines), func(l line) bool { return l.ItemID == id })
	if len(rest) == len(k.Lines) {
		return answer{}, missing("itemId")
	}
	s.fill(c, k, rest)
	return answer{status: http.StatusNoContent}, nil
}
