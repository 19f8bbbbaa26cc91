// Program shop is a small service with injected objects. It calls its functions once and prints their results.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/shop/order"
)

// book is a repository of orders in memory.
type book struct {
	mu     sync.Mutex
	orders map[string]order.Order
}

func (b *book) Find(_ context.Context, id string) (*order.Order, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if o, ok := b.orders[id]; ok {
		return &o, nil
	}
	return nil, order.ErrNotFound
}

func (b *book) Save(_ context.Context, o *order.Order) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	o.Version++
	b.orders[o.ID] = *o
	return nil
}

// bank refuses amounts above a limit.
type bank struct{ limit int64 }

func (b bank) Charge(_ context.Context, account string, cents int64) (string, error) {
	if cents > b.limit {
		return "", fmt.Errorf("charge %s: %w", account, order.ErrRefused)
	}
	return fmt.Sprintf("receipt-%s-%d", account, cents), nil
}

func main() {
	b := &book{orders: map[string]order.Order{
		"a": {ID: "a", Account: "alice", Lines: []order.Line{{Name: "tea", Cents: 300, Count: 2}}},
		"b": {ID: "b", Account: "bob", Lines: []order.Line{{Name: "car", Cents: 9_000_000, Count: 1}}},
	}}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := order.NewShop(b, bank{limit: 10_000}, func() time.Time { return at })
	ctx := context.WithValue(context.Background(), order.UserKey{}, "alice")
	for _, id := range []string{"a", "b", "c", "a"} {
		receipt, err := s.Pay(ctx, id, true)
		fmt.Println(receipt, err, errors.Is(err, order.ErrRefused))
	}
	fmt.Println(order.Total(pricer{}, []order.Line{{Name: "x", Cents: 5, Count: 3}}))
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		s.MustPay(ctx, "missing")
	}()
	s.Watch(os.Stdout, 2)
	fmt.Println(s.Stats())
}

type pricer struct{}

func (pricer) Price(l order.Line) (int64, bool) { return l.Cents * int64(l.Count), true }
