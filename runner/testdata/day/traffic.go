package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// day has the number of users and visits, and the results.
type day struct {
	url           string
	users, visits int

	mu       sync.Mutex
	statuses map[int]int
	failed   error // the error of the first request without an answer
	sent     int
	paid     []int // orders that the admin may ship
	products []int
}

// pass runs the day: the admin fills the shop, and then all users visit it at the same time.
func (d *day) pass(ctx context.Context, seed uint64) error {
	if err := urlHere(d.url); err != nil {
		return err
	}
	d.statuses = map[int]int{}
	began := time.Now()
	admin := d.visitor(ctx, "admin", seed, 0)
	admin.open()
	var all sync.WaitGroup
	for i := range d.users {
		v := d.visitor(ctx, []string{"alice", "bob"}[i%2], seed, uint64(i+1))
		all.Go(func() {
			for n := range d.visits {
				if at := i + n*d.users; at < len(slips) {
					slips[at](v)
				}
				v.come()
			}
		})
	}
	all.Go(func() {
		for range d.visits {
			admin.look()
		}
	})
	all.Wait()
	admin.close()
	fmt.Printf("%d requests in %v, by status: %v\n", d.sent, time.Since(began).Round(time.Millisecond), d.statuses)
	return d.failed
}

// visitor is a user with a cookie and connections of their own.
type visitor struct {
	*day
	ctx    context.Context
	token  string
	cookie string
	client *http.Client
	chance *rand.Rand
}

func (d *day) visitor(ctx context.Context, user string, seed, number uint64) *visitor {
	chance := rand.New(rand.NewPCG(seed, number))
	return &visitor{
		day: d, ctx: ctx, token: "demo-" + user, cookie: fmt.Sprintf("visitor=%016x", chance.Uint64()), chance: chance,
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}},
	}
}

// said is an answer.
type said struct {
	status   int
	location string
	fields   map[string]any
}

// id returns the number in a field of the answer.
func (s said) id(name string) int {
	n, _ := s.fields[name].(float64)
	return int(n)
}

// object is a body to send.
type object map[string]any

// get sends an anonymous request.
func (v *visitor) get(format string, args ...any) said {
	return v.send("", "GET", fmt.Sprintf(format, args...), nil)
}

// own sends a request as the user.
func (v *visitor) own(method, path string, body any) said { return v.send(v.token, method, path, body) }

// send sends a request, and counts its status.
func (v *visitor) send(token, method, path string, body any) said {
	s, err := v.exchange(token, method, path, body)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sent++; err == nil {
		v.statuses[s.status]++
	} else if v.failed == nil || !errors.Is(err, context.Canceled) {
		v.failed = err
	}
	return s
}

func (v *visitor) exchange(token, method, path string, body any) (s said, err error) {
	text, ok := body.([]byte)
	if !ok && body != nil {
		if text, err = json.Marshal(body); err != nil {
			return s, err
		}
	}
	req, err := http.NewRequestWithContext(v.ctx, method, v.url+path, bytes.NewReader(text))
	if err != nil {
		return s, err
	}
	req.Header.Set("Cookie", v.cookie)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := v.client.Do(req)
	if err != nil {
		return s, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	s = said{status: res.StatusCode, location: res.Header.Get("Location")}
	_ = json.Unmarshal(answer, &s.fields) // fails for lists and empty bodies, which have no fields
	return s, err
}

// pick returns one of some values by chance.
func pick[T any](v *visitor, some ...T) T { return some[v.chance.IntN(len(some))] }

// luck returns true at random, in the given percentage of cases.
func (v *visitor) luck(percent int) bool { return v.chance.IntN(100) < percent }
