//go:build unix

// What is added to net/http, for services that are recorded: a request that is
// answered is known by its trace, and what is asked of others for it says so in a
// header, which the other end of the network takes off again.
package http

import (
	"context"
	"internal/poll"
)

// sondeHeader says for which request another is sent; "-" is for none that is known.
const sondeHeader = "Sonde-Request"

func (sh serverHandler) ServeHTTP(rw ResponseWriter, req *Request) {
	if !poll.SondeRecords.Load() {
		sh.sondeRealServeHTTP(rw, req)
		return
	}
	id := sondeTrace(req.Header.Get("Traceparent"))
	req.Header.Del(sondeHeader) // the service asks itself
	defer poll.SondeEnter(id)()
	if id != "" {
		req.ctx = context.WithValue(req.ctx, poll.SondeRequest{}, id)
	}
	sh.sondeRealServeHTTP(rw, req)
}

// sondeTrace is the ID of a trace context's trace, "" where there is none.
func sondeTrace(parent string) string {
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
