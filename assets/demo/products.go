package demo

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// maxCents is the highest price.
const maxCents = 500_000

var (
	categories = []string{"tent", "backpack", "boots", "stove", "rope"}
	seasons    = []string{"summer", "winter", "all-year"}
	orderings  = []string{"oldest", "name", "cheapest", "dearest"}
)

// productResource serves the products and their prices.
type productResource struct {
	table[product]
	now        clock
	inOpenCart func(product int) bool
}

// product is an article that the shop sells.
type product struct {
	ProductID    int       `json:"productId"`
	SKU          string    `json:"sku"`
	ProductName  string    `json:"productName"`
	Category     string    `json:"category"`
	WeightGrams  int       `json:"weightGrams"`
	PriceCents   int       `json:"priceCents"`
	Season       *string   `json:"season,omitempty"`
	LengthMetres *int      `json:"lengthMetres,omitempty"`
	CreatedAt    time.Time `json:"createdAt"`

	promotion *promotion // nil for none
	stock     stock
}

type newProduct struct {
	ProductName  *string `json:"productName"`
	Category     *string `json:"category"`
	WeightGrams  *int    `json:"weightGrams"`
	PriceCents   *int    `json:"priceCents"`
	Season       *string `json:"season"`
	LengthMetres *int    `json:"lengthMetres"`
}

func (in newProduct) check() error {
	var v rules
	v.text("productName", in.ProductName, 3, 60)
	v.choice("category", in.Category, categories)
	v.whole("weightGrams", in.WeightGrams, 1, 50_000)
	v.whole("priceCents", in.PriceCents, 100, maxCents)
	if in.Season != nil {
		v.choice("season", in.Season, seasons)
	}
	if in.LengthMetres != nil {
		v.whole("lengthMetres", in.LengthMetres, 5, 200)
	}
	v.sense(v.err != nil || *in.Category != "rope" || in.LengthMetres != nil, "lengthMetres: a rope needs its length")
	return v.err
}

func (r *productResource) create(c *call) (answer, error) {
	var in newProduct
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	p := &product{
		ProductID: r.next(), ProductName: *in.ProductName, Category: *in.Category,
		WeightGrams: *in.WeightGrams, PriceCents: *in.PriceCents, Season: in.Season, LengthMetres: in.LengthMetres,
		CreatedAt: r.now(),
	}
	p.SKU = fmt.Sprintf("%.4s-%04d", strings.ToUpper(p.Category), p.ProductID)
	p.stock.SKU = p.SKU
	r.add(p)
	return created(p, "/products/%d", p.ProductID), nil
}

// named returns the product with the id in the path.
func (r *productResource) named(c *call) (*product, error) {
	if p := r.table.get(c.id("productId")); p != nil {
		return p, nil
	}
	return nil, missing("productId")
}

func (r *productResource) get(c *call) (answer, error) {
	p, err := r.named(c)
	return ok(p), err
}

// delete deletes a product. It refuses if an open cart has the product, so that each line of an
// open cart refers to a product.
func (r *productResource) delete(c *call) (answer, error) {
	p, err := r.named(c)
	if err != nil {
		return answer{}, err
	}
	if r.inOpenCart(p.ProductID) {
		return answer{}, refuse(http.StatusConflict, "productId: lies in an open cart")
	}
	r.drop(p.ProductID)
	return answer{status: http.StatusNoContent}, nil
}

func (r *productResource) list(c *call) (answer, error) {
	q := c.query()
	category := q.option("category", categories)
	low := q.number("minPriceCents", 0, maxCents, 0)
	high := q.number("maxPriceCents", 0, maxCents, maxCents)
	by := q.option("sort", orderings)
	offset := q.number("offset", 0, 10_000, 0)
	limit := q.number("limit", 1, 100, 20)
	if q.err != nil {
		return answer{}, q.err
	}
	found := priced(c, r.all(), low, high)
	found = slices.DeleteFunc(found, func(p *product) bool { return category != "" && p.Category != category })
	arrange(found, by)
	return ok(page(c, found, offset, limit)), nil
}

// priced returns the products with a price from low to high. It allocates room for all products, or
// for one product at each price if that is less.
func priced(c *call, list []*product, low, high int) []*product {
	if c.guard("F04", low > high+1) {
		return []*product{}
	}
	found := make([]*product, 0, min(len(list), high-low+1))
	for _, p := range list {
		if low <= p.PriceCents && p.PriceCents <= high {
			found = append(found, p)
		}
	}
	return found
}

// arrange sorts the list in place. Products that compare equal are in the order in which they were created.
func arrange(list []*product, by string) {
	slices.SortFunc(list, func(a, b *product) int {
		order := 0
		switch by {
		case "name":
			order = cmp.Compare(a.ProductName, b.ProductName)
		case "cheapest":
			order = cmp.Compare(a.PriceCents, b.PriceCents)
		case "dearest":
			order = cmp.Compare(b.PriceCents, a.PriceCents)
		}
		return cmp.Or(order, cmp.Compare(a.ProductID, b.ProductID))
	})
}

// page returns the products from the offset on, at most limit of them.
func page(c *call, list []*product, offset, limit int) []*product {
	if c.guard("F01", offset > len(list)) {
		return []*product{}
	}
	return list[offset:min(offset+limit, len(list))]
}
