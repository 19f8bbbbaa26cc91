package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// attempts is how often a busy host is asked.
	attempts = 3
	// pause is how long the first wait is; each further one is twice as long.
	pause = 5 * time.Millisecond
)

// refusal is an answer that is no success.
type refusal struct{ status int }

func (r refusal) Error() string { return fmt.Sprintf("it answered %d", r.status) }

// asker asks others on behalf of one request.
type asker struct {
	ctx   context.Context
	trace string // "" for none
}

func askerFor(r *http.Request) asker { return asker{r.Context(), r.Header.Get("traceparent")} }

// ask sends a request, and again while the other is busy, and reads the answer into
// what into points to, if that is not nil.
func (a asker) ask(method, url string, body, into any) error {
	wait, key := pause, newID()
	var err error
	for attempt := 1; attempt <= attempts; attempt++ {
		err = a.once(method, url, key, body, into)
		if err != (refusal{http.StatusServiceUnavailable}) {
			return err
		}
		if attempt < attempts {
			time.Sleep(wait)
			wait *= 2
		}
	}
	return err
}

// once sends a request once. The key tells the other that it is the same as before.
func (a asker) once(method, url, key string, body, into any) error {
	var text io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		text = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(a.ctx, method, url, text)
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if method != http.MethodGet {
		req.Header.Set("Idempotency-Key", key)
	}
	if a.trace != "" {
		req.Header.Set("traceparent", a.trace)
	}
	return read(req, into)
}

var client = &http.Client{Timeout: 5 * time.Second}

// read sends a request and reads its answer.
func read(req *http.Request, into any) error {
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
		return refusal{res.StatusCode}
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(into)
}
