// Package order pays orders.
package order

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// ErrNotFound and ErrRefused are the errors of Pay.
var (
	ErrNotFound = errors.New("no such order")
	ErrRefused  = errors.New("the bank refuses")
)

// UserKey is the key of the user in a context.
type UserKey struct{}

// Line is a line of an order.
type Line struct {
	Name  string
	Cents int64
	Count int
}

// Order is an order. Paid is zero until it is paid.
type Order struct {
	ID, Account string
	Lines       []Line
	Paid        time.Time
	Version     int
	note        string
}

// Store keeps orders.
type Store interface {
	Find(ctx context.Context, id string) (*Order, error)
	Save(ctx context.Context, o *Order) error
}

// Bank charges accounts.
type Bank interface {
	Charge(ctx context.Context, account string, cents int64) (receipt string, err error)
}

// Shop pays orders.
type Shop struct {
	Store
	bank Bank
	now  func() time.Time

	mu   sync.Mutex
	paid map[string]int
}

// NewShop returns a shop.
func NewShop(s Store, b Bank, now func() time.Time) *Shop {
	return &Shop{Store: s, bank: b, now: now, paid: map[string]int{}}
}

// Pay pays an order.
func (s *Shop) Pay(ctx context.Context, id string, _ bool) (string, error) {
	o, err := s.Find(ctx, id)
	if err != nil {
		return "", fmt.Errorf("pay %s: %w", id, err)
	}
	if !o.Paid.IsZero() {
		return "", fmt.Errorf("order %s is paid since %s", id, o.Paid.Format(time.DateOnly))
	}
	receipt, err := s.bank.Charge(ctx, o.Account, o.total())
	if err != nil {
		return "", err
	}
	o.Paid, o.note = s.now(), "by "+ctx.Value(UserKey{}).(string)
	if err := s.Save(ctx, o); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paid[o.Account]++
	return receipt, nil
}

func (o *Order) total() (cents int64) {
	for _, l := range o.Lines {
		cents += l.Cents * int64(l.Count)
	}
	return cents
}

// MustPay pays an order, or panics.
func (s *Shop) MustPay(ctx context.Context, id string) string {
	receipt, err := s.Pay(ctx, id, false)
	if err != nil {
		panic(err)
	}
	_, _ = s.Find(ctx, id)
	return receipt
}

// Pricer prices lines.
type Pricer interface {
	Price(l Line) (cents int64, ok bool)
}

// Total returns the sum of the prices.
func Total(p Pricer, lines []Line) (sum int64) {
	for _, l := range lines {
		if cents, ok := p.Price(l); ok {
			sum += cents
		}
	}
	return sum
}

// Watch writes how often each account paid, n times.
func (s *Shop) Watch(w io.Writer, n int) {
	var done sync.WaitGroup
	for i := 0; i < n; i++ {
		done.Add(1)
		go func() {
			defer done.Done()
			_, _ = w.Write([]byte("watched\n"))
		}()
	}
	done.Wait()
}

// Stats returns the number of accounts, while it holds the lock.
func (s *Shop) Stats() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count(func(string) bool { return true })
}

func (s *Shop) count(wanted func(account string) bool) (n int) {
	for account := range s.paid {
		if wanted(account) {
			n++
		}
	}
	return n
}
