//go:build unix

// These declarations are added to net/http, for services that are recorded. A request to the service
// is identified by its trace. Requests that the service sends because of it get a header with its
// ID, which the recorder removes.
package http

import (
	"context"
	"internal/poll"
)

// sondeHeader is the header with the cause of a request. Its value is "-" if the cause is not known.
const sondeHeader = "Sonde-Request"

func (sh serverHandler) ServeHTTP(rw ResponseWriter, req *Request) {
	if !poll.SondeRecording.Load() {
		sh.sondeRealServeHTTP(rw, req)
		return
	}
	id := sondeTraceID(req.Header.Get("Traceparent"))
	req.Header.Del(sondeHeader) // the service may be its own client
	defer poll.SondeBeginRequest(id)()
	if id != "" {
		req.ctx = context.WithValue(req.ctx, poll.SondeRequest{}, id)
	}
	sh.sondeRealServeHTTP(rw, req)
}

// sondeTraceID returns the trace ID in a header Traceparent, "" if it is invalid.
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
