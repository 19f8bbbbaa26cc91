//go:build unix

// These declarations are added to net/http, for services that are recorded. A request to the service is
// identified by its trace ID. Other requests, which the service sends in order to answer that request,
// get a header with the ID. The recorder removes this header.
package http

import (
	"context"
	"internal/poll"
)

// sondeHeader is a header of outward requests. It says why the request is sent: its value is the ID of
// the request to the service that caused it, or "-" if the cause is not known.
const sondeHeader = "Sonde-Request"

func (sh serverHandler) ServeHTTP(rw ResponseWriter, req *Request) {
	if !poll.SondeRecording.Load() {
		sh.sondeRealServeHTTP(rw, req)
		return
	}
	id := sondeTraceID(req.Header.Get("Traceparent"))
	req.Header.Del(sondeHeader) // a service that calls itself sends this header
	defer poll.SondeBeginRequest(id)()
	if id != "" {
		req.ctx = context.WithValue(req.ctx, poll.SondeRequest{}, id)
	}
	sh.sondeRealServeHTTP(rw, req)
}

// sondeTraceID returns the trace ID in a header Traceparent. It returns "" if the header is missing or invalid.
func sondeTraceID(parent string) string {
	const begin, end = len("00-"), len("00-") + 32
	if len(parent) < end+1 || parent[begin-1] != '-' || parent[end] != '-' {
		return ""
	}
	for _, c := range parent[begin:end] {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return ""
		}
	}
	return parent[begin:end]
}
