package demo

import "time"

// longestPromotion is the maximum number of days from the first to the last day of a promotion.
const longestPromotion = 90

// promotion makes a product cheaper from its first to its last day.
type promotion struct {
	PercentOff int    `json:"percentOff"`
	StartsOn   string `json:"startsOn"`
	EndsOn     string `json:"endsOn"`

	starts, ends time.Time
}

// on reports whether the promotion runs on that day. It returns false if the promotion or the day is nil.
func (p *promotion) on(day *time.Time) bool {
	return p != nil && day != nil && !day.Before(p.starts) && !day.After(p.ends)
}

// unitCents returns the price of one piece in cents, for an order of this quantity on this day. A
// promotion and a discount for the quantity are not added: the greater of the two applies.
func (p *product) unitCents(quantity int, day *time.Time) int {
	off := 0
	switch {
	case quantity >= 100:
		off = 15
	case quantity >= 50:
		off = 10
	case quantity >= 10:
		off = 5
	}
	if p.promotion.on(day) {
		off = max(off, p.promotion.PercentOff)
	}
	return p.PriceCents - p.PriceCents*off/100
}

func (r *productResource) getPrice(c *call) (answer, error) {
	p, err := r.named(c)
	if err != nil {
		return answer{}, err
	}
	q := c.query()
	quantity := q.number("quantity", 1, 999, 1)
	day := q.day("on")
	if q.err != nil {
		return answer{}, q.err
	}
	unit := p.unitCents(quantity, day)
	return ok(struct {
		ProductID  int  `json:"productId"`
		Quantity   int  `json:"quantity"`
		UnitCents  int  `json:"unitCents"`
		TotalCents int  `json:"totalCents"`
		Promoted   bool `json:"promoted"`
	}{ProductID: p.ProductID, Quantity: quantity, UnitCents: unit, TotalCents: unit * quantity, Promoted: p.promotion.on(day)}), nil
}

type newPrice struct {
	PriceCents *int          `json:"priceCents"`
	Promotion  *newPromotion `json:"promotion"`
}

type newPromotion struct {
	PercentOff *int    `json:"percentOff"`
	StartsOn   *string `json:"startsOn"`
	EndsOn     *string `json:"endsOn"`
}

// promotion checks the price and returns its promotion. It returns nil if the price has no promotion.
func (in newPrice) promotion() (*promotion, error) {
	var v rules
	v.whole("priceCents", in.PriceCents, 100, maxCents)
	if v.err != nil || in.Promotion == nil {
		return nil, v.err
	}
	v.whole("promotion.percentOff", in.Promotion.PercentOff, 5, 70)
	starts := v.date("promotion.startsOn", in.Promotion.StartsOn)
	ends := v.date("promotion.endsOn", in.Promotion.EndsOn)
	v.sense(!ends.Before(starts), "promotion.endsOn: must not be before startsOn")
	latest := starts.AddDate(0, 0, longestPromotion)
	v.sense(!ends.After(latest), "promotion.endsOn: a promotion lasts at most %d days", longestPromotion)
	if v.err != nil {
		return nil, v.err
	}
	off := *in.Promotion.PercentOff
	v.sense(*in.PriceCents*(100-off) >= 100*100, "promotion.percentOff: leaves less than 100 cents of the price")
	return &promotion{PercentOff: off, StartsOn: *in.Promotion.StartsOn, EndsOn: *in.Promotion.EndsOn, starts: starts, ends: ends}, v.err
}

func (r *productResource) putPrice(c *call) (answer, error) {
	p, err := r.named(c)
	if err != nil {
		return answer{}, err
	}
	var in newPrice
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	promoted, err := in.promotion()
	if err != nil {
		return answer{}, err
	}
	p.PriceCents, p.promotion = *in.PriceCents, promoted
	return ok(struct {
		ProductID  int        `json:"productId"`
		PriceCents int        `json:"priceCents"`
		Promotion  *promotion `json:"promotion,omitempty"`
	}{ProductID: p.ProductID, PriceCents: p.PriceCents, Promotion: p.promotion}), nil
}
