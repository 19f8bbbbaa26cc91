package main

import (
	"net/http"
	"strconv"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// copy stores a page. The next time, it asks the host only whether the page has changed.
func (r *reader) copy(c *serve.Call) (serve.Answer, error) {
	at, err := path(c)
	if err != nil {
		return serve.Answer{}, err
	}
	r.mu.Lock()
	old, known := r.kept[at]
	r.mu.Unlock()
	header := map[string]string{}
	if known {
		header["If-None-Match"] = old.header.Get("ETag")
	}
	p, err := r.fetch(c.Context(), r.site+at, header)
	if err != nil {
		if known {
			return copied("stale", old)
		}
		return serve.Answer{}, err
	}
	switch p.status {
	case http.StatusOK:
		return r.keep(at, p)
	case http.StatusNotModified:
		if !known {
			return serve.Answer{}, strange("nothing changed since never")
		}
		return copied("unchanged", old)
	case http.StatusGone, http.StatusNotFound:
		r.mu.Lock()
		delete(r.kept, at)
		r.mu.Unlock()
		return serve.Answer{}, serve.Missing("page")
	}
	return serve.Answer{}, strange("the host answers %d", p.status)
}

// keep stores a page if the host allows it.
func (r *reader) keep(at string, p page) (serve.Answer, error) {
	for rule := range strings.SplitSeq(p.header.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(rule), "=")
		switch name {
		case "no-store", "private":
			return copied("read", p)
		case "max-age":
			if age, err := strconv.Atoi(value); err != nil || age <= 0 {
				return copied("read", p)
			}
		}
	}
	if p.header.Get("ETag") == "" {
		return copied("read", p)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept[at] = p
	return copied("kept", p)
}

func copied(how string, p page) (serve.Answer, error) {
	return serve.OK(map[string]any{"state": how, "length": len(p.text), "etag": p.header.Get("ETag")})
}
