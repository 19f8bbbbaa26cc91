package cluster_test

import (
	"fmt"
	"strings"
	"testing"

	"sonde/analysis/cluster"
	"sonde/model/match"

	"github.com/google/go-cmp/cmp"
)

// A profile has values that many operations of the cluster and few other operations take, such as product.id. It does
// not have values that a single operation takes.
func TestProfiles(t *testing.T) {
	ops := shop(t)
	m := match.New(ops, match.DefaultMode)
	all := cluster.Divide(m, ops)
	p := cluster.NewProfiler(m, ops)
	got := map[string]string{}
	for _, c := range all {
		var list []string
		for _, r := range p.Profile(c.Operations).Resources {
			list = append(list, fmt.Sprint(r.Noun, " ", r.Operations))
		}
		got[c.Name] = strings.Join(list, ", ") + "; " + strings.Join(p.Profile(c.Operations).Values, ", ")
	}
	want := map[string]string{
		"carts":     "carts 2, items 2; cart.id, item.id, product.id",
		"coupons":   "coupons 2; coupon.code",
		"customers": "customers 3; customer.id",
		"health":    "health 1; ",
		"orders":    "orders 3, payments 2; order.id, payment.id, cart.id",
		"products":  "products 4, reviews 3, price 2; review.id, product.id",
		"stock":     "stock 1, sync 1; product.sku",
		"stores":    "stores 1, hours 1; store.id",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}
