//go:build unix

package http

import (
	"context"
	"crypto/tls"
	"internal/poll"
	"net"
)

// The wrappers in this file add sondeHeader in the goroutine that calls RoundTrip, which knows the cause of the
// request. The goroutines that dial and write do not know the cause, because each of them serves several
// requests.

func (pc *persistConn) roundTrip(req *transportRequest) (*Response, error) {
	if poll.SondeRecording.Load() && sondeRecorded(pc.conn) {
		req.extraHeaders().Set(sondeHeader, sondeCause(req.ctx))
	}
	return pc.sondeRealRoundTrip(req)
}

func (pc *persistConn) writeLoop() {
	poll.SondeClearRequest()
	pc.sondeRealWriteLoop()
}

func (cc *http2ClientConn) RoundTrip(req *Request) (*Response, error) {
	if !poll.SondeRecording.Load() || !sondeRecorded(cc.tconn) {
		return cc.sondeRealRoundTrip(req)
	}
	clone := req.Clone(req.Context())
	clone.Header.Set(sondeHeader, sondeCause(req.Context()))
	res, err := cc.sondeRealRoundTrip(clone)
	if res != nil {
		res.Request = req
	}
	return res, err
}

// sondeCause returns the value of sondeHeader for a request to another host. The cause is the ID in ctx or, if
// ctx has none, the request that the goroutine works for.
func sondeCause(ctx context.Context) string {
	id, _ := ctx.Value(poll.SondeRequest{}).(string)
	if id == "" {
		id = poll.SondeCause()
	}
	if id == "" {
		id = "-"
	}
	return id
}

// sondeRecorded reports whether a connection is recorded. The recorder removes sondeHeader only from requests
// on such connections.
func sondeRecorded(c net.Conn) bool {
	if t, ok := c.(*tls.Conn); ok {
		return sondeRecorded(t.NetConn())
	}
	return net.SondeRecorded(c)
}
