package demo

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"time"
)

const (
	maxTiers       = 4
	maxBasketCents = 100_000
)

var codeForm = regexp.MustCompile(`^[A-Za-z0-9]{4,12}$`)

// couponResource serves the coupons.
type couponResource struct {
	coupons map[string]*coupon
}

// coupon is a discount in the stores. The value of the basket decides which tier of the coupon
// applies. A coupon may be limited to some days.
type coupon struct {
	Code       string  `json:"code"`
	Tiers      []tier  `json:"tiers"` // in ascending order of FromCents
	ValidFrom  *string `json:"validFrom,omitempty"`
	ValidUntil *string `json:"validUntil,omitempty"`

	from, until *time.Time
}

type tier struct {
	FromCents       int `json:"fromCents"`
	DiscountPercent int `json:"discountPercent"`
}

type newCoupon struct {
	Tiers []struct {
		FromCents       *int `json:"fromCents"`
		DiscountPercent *int `json:"discountPercent"`
	} `json:"tiers"`
	ValidFrom  *string `json:"validFrom"`
	ValidUntil *string `json:"validUntil"`
}

// coupon returns the coupon that the input describes.
func (in newCoupon) coupon(code string) (*coupon, error) {
	var v rules
	v.form(codeForm.MatchString(code), "code: must be 4 to 12 letters and digits")
	k := &coupon{Code: code, Tiers: in.tiers(&v), ValidFrom: in.ValidFrom, ValidUntil: in.ValidUntil}
	if in.ValidFrom != nil {
		day := v.date("validFrom", in.ValidFrom)
		k.from = &day
	}
	if in.ValidUntil != nil {
		day := v.date("validUntil", in.ValidUntil)
		k.until = &day
	}
	v.sense(k.from == nil || k.until == nil || !k.until.Before(*k.from), "validUntil: must not be before validFrom")
	return k, v.err
}

// tiers checks the tiers and returns them in ascending order of FromCents.
func (in newCoupon) tiers(v *rules) []tier {
	v.form(len(in.Tiers) >= 1 && len(in.Tiers) <= maxTiers, "tiers: must be 1 to %d", maxTiers)
	var tiers []tier
	for i, t := range in.Tiers {
		v.whole(fmt.Sprintf("tiers[%d].fromCents", i), t.FromCents, 1000, maxBasketCents)
		v.whole(fmt.Sprintf("tiers[%d].discountPercent", i), t.DiscountPercent, 1, 90)
		if v.err != nil {
			return nil
		}
		tiers = append(tiers, tier{*t.FromCents, *t.DiscountPercent})
	}
	slices.SortFunc(tiers, func(a, b tier) int { return a.FromCents - b.FromCents })
	for i := 1; i < len(tiers); i++ {
		v.sense(tiers[i-1].FromCents < tiers[i].FromCents, "tiers: must not begin at the same fromCents")
	}
	return tiers
}

// put creates a coupon with the client's code, or replaces it.
func (r *couponResource) put(c *call) (answer, error) {
	var in newCoupon
	if err := c.decode(&in); err != nil {
		return answer{}, err
	}
	k, err := in.coupon(c.r.PathValue("code"))
	if err != nil {
		return answer{}, err
	}
	old := r.coupons[k.Code]
	r.coupons[k.Code] = k
	if old != nil {
		return ok(k), nil
	}
	return created(k, "/coupons/%s", k.Code), nil
}

func (r *couponResource) get(c *call) (answer, error) {
	k := r.coupons[c.r.PathValue("code")]
	if k == nil {
		return answer{}, missing("code")
	}
	q := c.query()
	basket := q.number("basketCents", 0, maxBasketCents, -1)
	at := q.day("at")
	if q.err != nil {
		return answer{}, q.err
	}
	var discount *int
	if basket >= 0 {
		cents := k.discount(c, basket, at)
		discount = &cents
	}
	return ok(struct {
		*coupon
		DiscountCents *int `json:"discountCents,omitempty"`
	}{k, discount}), nil
}

// discount returns the discount in cents. basket is the value of the basket in cents, and at is the
// day of the sale. If at is nil, the coupon counts as valid.
func (k *coupon) discount(c *call, basket int, at *time.Time) int {
	if at != nil && (k.from != nil && at.Before(*k.from) || k.until != nil && at.After(*k.until)) {
		return 0
	}
	i := sort.Search(len(k.Tiers), func(i int) bool { return k.Tiers[i].FromCents > basket }) - 1
	if c.guard("F07", i < 0) {
		return 0
	}
	return basket * k.Tiers[i].DiscountPercent / 100
}
