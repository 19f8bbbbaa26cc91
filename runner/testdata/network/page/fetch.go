package main

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"

	"sonde/runner/testdata/services/serve"
)

// reader reads pages of other hosts.
type reader struct {
	site, weather string // URLs without a path
	client        *http.Client

	mu   sync.Mutex
	kept map[string]page // the pages that GET /copies has read, by path
}

// page is what a host answered.
type page struct {
	status int
	kind   string // the media type
	header http.Header
	text   string
	at, to *url.URL // the URL of the page, and the URL to which it redirects
}

// mostBytes is the largest size of a page.
const mostBytes = 64 << 10

// strange returns the error for a host whose answer is not understood.
func strange(format string, args ...any) error {
	return serve.Refuse(http.StatusFailedDependency, format, args...)
}

// fetch reads a page of any status.
func (r *reader) fetch(ctx context.Context, at string, header map[string]string) (page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return page{}, serve.Refuse(http.StatusBadRequest, "path: must be one of a URL")
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := r.client.Do(req)
	if err != nil {
		return page{}, unreachable(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, mostBytes+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return page{}, strange("the page breaks off")
	case err != nil:
		return page{}, unreachable(err)
	case len(text) > mostBytes:
		return page{}, strange("the page is larger than %d bytes", mostBytes)
	}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		kind = "application/octet-stream"
	}
	to, _ := res.Location() // nil without a Location
	return page{res.StatusCode, kind, res.Header, string(text), res.Request.URL, to}, nil
}

// unreachable returns the error for a page that could not be read.
func unreachable(err error) error {
	var name *net.DNSError
	var late net.Error
	why := "cannot be reached"
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		why = "is not known"
	case errors.As(err, &late) && late.Timeout():
		why = "does not answer in time"
	case errors.Is(err, syscall.ECONNREFUSED):
		why = "does not listen"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF):
		why = "hangs up"
	}
	return serve.Refuse(http.StatusServiceUnavailable, "the host %s", why)
}

// found reads a page. Its error says why if the status is 400 or more.
func (r *reader) found(ctx context.Context, at string, header map[string]string) (page, error) {
	p, err := r.fetch(ctx, at, header)
	switch {
	case err != nil:
		return p, err
	case p.status == http.StatusNotFound, p.status == http.StatusGone:
		return p, serve.Missing("page")
	case p.status == http.StatusTooManyRequests:
		return p, serve.Refuse(http.StatusServiceUnavailable, "the host wants a break of %.20q", p.header.Get("Retry-After"))
	case p.status >= http.StatusInternalServerError:
		return p, serve.Refuse(http.StatusServiceUnavailable, "the host fails")
	case p.status >= http.StatusBadRequest:
		return p, strange("the host refuses with %d", p.status)
	}
	return p, nil
}

// path returns the path of the page that a request names.
func path(c *serve.Call) (string, error) {
	text := c.URL.Query().Get("path")
	if !strings.HasPrefix(text, "/") || len(text) > 100 {
		return "", serve.Refuse(http.StatusBadRequest, "path: must begin with a slash and have 100 characters at most")
	}
	return text, nil
}
