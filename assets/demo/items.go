package demo

import (
	"net/http"
	"slices"
)

// Limits of a cart and of its lines.
const (
	maxLines    = 20
	maxQuantity = 99  // the highest quantity in one request
	maxPerLine  = 150 // the highest quantity of a line, to which several requests may add
	maxStoves   = 60  // the highest quantity of one kind of stove, because stoves contain gas
)

type newItem struct {
	ProductID *int    `json:"productId"`
	Quantity  *int    `json:"quantity"`
	Size      *string `json:"size"`
}

// line checks the input and returns it as a line that has no id yet.
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

// saleable returns nil if the shop sells the line, and otherwise an error with the reason.
func (r *cartResource) saleable(l line) error {
	p := r.products.table.get(l.ProductID)
	if p == nil {
		return refuse(http.StatusUnprocessableEntity, "productId: there is no product %d", l.ProductID)
	}
	var v rules
	v.sense(p.Category != "stove" || l.Quantity <= maxStoves, "quantity: must be at most %d of one stove", maxStoves)
	v.sense(l.Quantity <= maxPerLine, "quantity: must be at most %d of one product", maxPerLine)
	return v.err
}

func (r *cartResource) nextItem() int {
	r.items++
	return r.items
}

// addItem adds a line to the cart and answers 201. If the cart has a line of the same product
// and size, addItem increases its quantity and answers 200.
func (r *cartResource) addItem(c *call) (answer, error) {
	k, err := r.open(c)
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
		return r.growLine(c, k, at, l.Quantity)
	}
	return r.addLine(c, k, l)
}

func (r *cartResource) growLine(c *call, k *cart, at, more int) (answer, error) {
	l := k.Lines[at]
	l.Quantity += more
	if err := r.saleable(l); err != nil {
		return answer{}, err
	}
	lines := slices.Clone(k.Lines)
	lines[at] = l
	r.fill(c, k, lines)
	return ok(l), nil
}

func (r *cartResource) addLine(c *call, k *cart, l line) (answer, error) {
	if err := r.saleable(l); err != nil {
		return answer{}, err
	}
	if len(k.Lines) == maxLines {
		return answer{}, refuse(http.StatusUnprocessableEntity, "cartId: a cart holds at most %d lines", maxLines)
	}
	l.ItemID = r.nextItem()
	r.fill(c, k, append(slices.Clone(k.Lines), l))
	return created(l, "/carts/%s/items/%d", k.CartID, l.ItemID), nil
}

func (r *cartResource) deleteItem(c *call) (answer, error) {
	k, err := r.open(c)
	if err != nil {
		return answer{}, err
	}
	id := c.id("itemId")
	rest := slices.DeleteFunc(slices.Clone(k.Lines), func(l line) bool { return l.ItemID == id })
	if len(rest) == len(k.Lines) {
		return answer{}, missing("itemId")
	}
	r.fill(c, k, rest)
	return answer{status: http.StatusNoContent}, nil
}
