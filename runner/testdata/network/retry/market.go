package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"sonde/runner/testdata/services/serve"
)

// market asks other hosts for prices.
type market struct {
	quotes, backup, orders     string // URLs without a path
	client, patient, streaming *http.Client

	mu       sync.Mutex
	breakers map[string]*breaker // by host
}

// breaker is a circuit breaker: after some failures, a host is not called for some calls.
type breaker struct{ failures, skip int }

// After mostFailures failures in a row, a host is not called for leftAlone calls.
const mostFailures, leftAlone = 2, 2

// spared reports whether a host is not called for now.
func (m *market) spared(host string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.breakers[host]
	if b == nil || b.skip == 0 {
		return false
	}
	b.skip--
	return true
}

// judge counts a failure of a host, or clears its failures.
func (m *market) judge(host string, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.breakers[host]
	if b == nil {
		b = &breaker{}
		m.breakers[host] = b
	}
	if b.failures++; !failed {
		b.failures = 0
	}
	if b.failures >= mostFailures {
		b.skip = leftAlone
	}
}

// hosts answers with the state of each host that was asked.
func (m *market) hosts(*serve.Call) (serve.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]string{}
	for host, b := range m.breakers {
		switch {
		case b.skip > 0:
			all[host] = "left alone"
		case b.failures > 0:
			all[host] = "failing"
		default:
			all[host] = "fine"
		}
	}
	return serve.OK(all)
}

// reply is the answer of a host.
type reply struct {
	status int
	text   string
}

// ask sends a request. By the key, the host recognises a repeated request.
func (m *market) ask(ctx context.Context, method, url, body, key string) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := m.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	return reply{res.StatusCode, string(text)}, err
}

func (m *market) get(ctx context.Context, url string) (reply, error) {
	return m.ask(ctx, http.MethodGet, url, "", "")
}

// mostTries limits the number of times that a host is asked for one thing, mostTime the time.
const (
	mostTries = 3
	mostTime  = 500 * time.Millisecond
)

// try asks a host until it answers. It waits between two tries, longer each time.
func (m *market) try(c *serve.Call, host, path string) (r reply, err error) {
	ctx, cancel := context.WithTimeout(c.Context(), mostTime)
	defer cancel()
	for n, busy := 1, 0; ; n++ {
		r, err = m.get(ctx, host+path)
		if err == nil && r.status == http.StatusTooManyRequests {
			// F01: an answer that tells it to wait does not count as a try.
			busy++
			c.Fault("F01", busy > 10)
			n--
		}
		if err == nil && r.status < http.StatusInternalServerError && r.status != http.StatusTooManyRequests {
			m.judge(host, false)
			return r, nil
		}
		if n == mostTries || ctx.Err() != nil {
			m.judge(host, true)
			return r, failure(r, err)
		}
		time.Sleep(time.Millisecond << n)
	}
}

// failure returns the error for a host without a usable answer.
func failure(r reply, err error) error {
	var name *net.DNSError
	var late net.Error
	why := fmt.Sprintf("fails with %d", r.status)
	switch {
	case err == nil:
	case errors.As(err, &name) && name.IsNotFound:
		why = "is not known"
	case errors.As(err, &late) && late.Timeout():
		why = "does not answer in time"
	case errors.Is(err, syscall.ECONNREFUSED):
		why = "does not listen"
	case errors.Is(err, io.ErrUnexpectedEOF):
		why = "breaks off"
	default:
		why = "cannot be reached"
	}
	return serve.Refuse(http.StatusServiceUnavailable, "the host %s", why)
}

// strange returns the error for a host whose answer is not understood.
func strange(format string, args ...any) error {
	return serve.Refuse(http.StatusFailedDependency, format, args...)
}

// symbols matches the symbols for which there are quotes.
var symbols = regexp.MustCompile(`^[A-Z]{1,5}$`)

func symbol(text string) (string, error) {
	if !symbols.MatchString(text) {
		return "", serve.Refuse(http.StatusBadRequest, "symbol: must be 1 to 5 capital letters")
	}
	return text, nil
}
