package demo

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestUnitCents(t *testing.T) {
	june := func(d int) *time.Time {
		day := time.Date(2026, 6, d, 0, 0, 0, 0, time.UTC)
		return &day
	}
	plain := &product{PriceCents: 1000}
	cheap := &product{PriceCents: 1000, promotion: &promotion{PercentOff: 7, starts: *june(10), ends: *june(12)}}
	for _, tc := range []struct {
		name     string
		p        *product
		quantity int
		day      *time.Time
		want     int
	}{
		{"one", plain, 1, june(10), 1000},
		{"nine", plain, 9, nil, 1000},
		{"ten", plain, 10, nil, 950},
		{"fifty", plain, 50, nil, 900},
		{"a hundred", plain, 100, nil, 850},
		{"without a day", cheap, 1, nil, 1000},
		{"the day before", cheap, 1, june(9), 1000},
		{"first day", cheap, 1, june(10), 930},
		{"last day", cheap, 1, june(12), 930},
		{"the day after", cheap, 1, june(13), 1000},
		{"the promotion is better", cheap, 10, june(11), 930},
		{"the number is better", cheap, 50, june(11), 900},
	} {
		if got := tc.p.unitCents(tc.quantity, tc.day); got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.name, got, tc.want)
		}
	}
}

// TestScheduleAddsUp checks that an invoice has the requested number of instalments, that their sum is the
// total, and that none is negative.
func TestScheduleAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &payment{
			Method:      "invoice",
			PaidCents:   rapid.IntRange(0, 10_000_000).Draw(t, "paid"),
			Instalments: rapid.IntRange(1, maxInstalments).Draw(t, "instalments"),
		}
		due := schedule(&call{healthy: true}, p)
		sum := 0
		for _, cents := range due {
			sum += cents
		}
		if sum != p.PaidCents || len(due) != p.Instalments || slices.Min(due) < 0 {
			t.Errorf("got %v for %d in %d", due, p.PaidCents, p.Instalments)
		}
	})
}

func TestTiers(t *testing.T) {
	june := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	k := &coupon{Tiers: []tier{{10_000, 10}, {50_000, 20}}, until: &june}
	after := june.AddDate(0, 0, 1)
	for _, tc := range []struct {
		basket int
		at     *time.Time
		want   int
	}{{9_999, nil, 0}, {10_000, nil, 1_000}, {49_999, &june, 4_999}, {50_000, nil, 10_000}, {50_000, &after, 0}} {
		if got := k.discount(&call{healthy: true}, tc.basket, tc.at); got != tc.want {
			t.Errorf("%d cents at %v: got %d off, want %d", tc.basket, tc.at, got, tc.want)
		}
	}
}
