package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// traffic has the number of travellers and the results.
type traffic struct {
	url          string
	users, trips int

	mu       sync.Mutex
	statuses map[int]int
	failed   error // the error of the first request without an answer
}

// pass runs all travellers at the same time.
func (t *traffic) pass(ctx context.Context, seed uint64) error {
	u, err := url.Parse(t.url)
	if err != nil {
		return fmt.Errorf("world: %q is not a URL", t.url)
	}
	if err := onlyHere(u.Host); err != nil {
		return err
	}
	t.statuses = map[int]int{}
	var all sync.WaitGroup
	for i := range t.users {
		v := &traveller{t, ctx, &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}, rand.New(rand.NewPCG(seed, uint64(i+1)))}
		all.Go(func() {
			for range t.trips {
				v.travel()
			}
		})
	}
	all.Wait()
	fmt.Printf("requests by status: %v\n", t.statuses)
	return t.failed
}

type traveller struct {
	*traffic
	ctx    context.Context
	client *http.Client
	chance *rand.Rand
}

// travel plans one trip, and usually books it.
func (v *traveller) travel() {
	to := []string{"VIE", "OSL", "LIS", "FUL", "FOG"}[v.chance.IntN(5)]
	wish := map[string]any{"from": "GRZ", "to": to, "date": fmt.Sprintf("2026-0%d-1%d", 1+v.chance.IntN(9), v.chance.IntN(9)), "nights": 1 + v.chance.IntN(7), "persons": 1 + v.chance.IntN(4)}
	switch n := v.chance.IntN(20); n {
	case 0, 1:
		wish["to"] = "ZZZ"
	case 2:
		wish["nights"] = 0
	case 3:
		wish["date"] = "soon"
	}
	status, trip := v.send("POST", "/trips", wish)
	if status != http.StatusCreated {
		v.send("GET", "/trips/00000000-0000-4000-8000-000000000000", nil)
		return
	}
	path := fmt.Sprintf("/trips/%v", trip["tripId"])
	v.send("GET", path, nil)
	if v.chance.IntN(2) == 0 {
		v.send("GET", path+"/weather", nil)
	}
	if v.chance.IntN(5) > 0 {
		v.book(path)
	}
}

// book books a trip, and sometimes cancels the booking.
func (v *traveller) book(path string) {
	if v.chance.IntN(10) == 0 {
		v.send("POST", path+"/booking", map[string]any{})
		v.send("DELETE", path+"/booking", nil)
	}
	v.send("POST", path+"/booking", map[string]any{"name": []string{"Mia Berg", "Jo Tal"}[v.chance.IntN(2)]})
	v.send("GET", path, nil)
	switch v.chance.IntN(4) {
	case 0:
		v.send("DELETE", path+"/booking", nil)
	case 1:
		v.send("POST", path+"/booking", map[string]any{"name": "Once More"})
	}
}

// send sends a request and returns the answer's status and fields.
func (v *traveller) send(method, path string, body map[string]any) (int, map[string]any) {
	status, fields, err := v.exchange(method, path, body)
	v.mu.Lock()
	defer v.mu.Unlock()
	if err != nil {
		v.failed = err
	} else {
		v.statuses[status]++
	}
	return status, fields
}

func (v *traveller) exchange(method, path string, body map[string]any) (status int, fields map[string]any, err error) {
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	req, err := http.NewRequestWithContext(v.ctx, method, v.url+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := v.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	_ = json.Unmarshal(answer, &fields) // fails for an empty body, which has no fields
	return res.StatusCode, fields, err
}
