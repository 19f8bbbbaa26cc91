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
	// attempts is the number of times that a busy host is asked.
	attempts = 3
	// pause is the first wait. Each further wait is twice as long.
	pause = 5 * time.Millisecond
)

// refusal is the error of an answer without a 2xx status.
type refusal struct{ status int }

func (r refusal) Error() string { return fmt.Sprintf("it answered %d", r.status) }

// asker calls other services on behalf of one request.
type asker struct {
	ctx   context.Context
	trace string // the trace context, "" for none
}

func askerFor(r *http.Request) asker { return asker{r.Context(), r.Header.Get("traceparent")} }

// ask sends a request, and repeats it while the other service is busy. It decodes the answer into
// the variable that result points to, unless result is nil.
func (a asker) ask(method, url string, body, result any) error {
	wait, key := pause, newID()
	var err error
	for attempt := 1; attempt <= attempts; attempt++ {
		err = a.once(method, url, key, body, result)
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

// once sends a request once. By the key, the other service recognises a repeated request.
func (a asker) once(method, url, key string, body, result any) error {
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
	return read(req, result)
}

var client = &http.Client{Timeout: 5 * time.Second}

// read sends a request and decodes its answer.
func read(req *http.Request, result any) error {
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
		return refusal{res.StatusCode}
	}
	if result == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(result)
}
