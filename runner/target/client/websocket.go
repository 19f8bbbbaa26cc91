package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sonde/model"

	"github.com/gorilla/websocket"
)

// Limits of a WebSocket: the bytes of the handshake, the time to write a message, and the time to wait for the service's
// part of the close.
const (
	maxHandshake = maxHeader + 4<<10
	writeTime    = 10 * time.Second
	closeTime    = 2 * time.Second
)

// handshakeHeaders are headers that the handshake sets. Those of the request are left out.
var handshakeHeaders = []string{"Upgrade", "Connection", "Sec-Websocket-Key", "Sec-Websocket-Version", "Sec-Websocket-Extensions"}

// openWebSocket asks the service for a WebSocket, over HTTP/1.1. If the service refuses, the response has its answer with
// at most the first KiB of the body, and there is no stream.
func (s *sender) openWebSocket(_ outgoing, req *http.Request) (*http.Response, Stream, error) {
	if req.Method != http.MethodGet {
		return nil, nil, fmt.Errorf("a WebSocket begins with GET, and this is %s", req.Method)
	}
	header := req.Header.Clone()
	for _, name := range handshakeHeaders {
		header.Del(name)
	}
	secure := s.tls.Clone()
	secure.NextProtos = []string{"http/1.1"}
	var opened *handshakeConn
	dialer := websocket.Dialer{
		TLSClientConfig: secure,
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			opened = newHandshakeConn(req.Context(), conn)
			return opened, nil
		},
	}
	conn, res, err := dialer.DialContext(req.Context(), strings.Replace(req.URL.String(), "http", "ws", 1), header)
	switch {
	case errors.Is(err, websocket.ErrBadHandshake) && res.StatusCode != http.StatusSwitchingProtocols:
		return res, nil, nil
	case errors.Is(err, websocket.ErrBadHandshake):
		return nil, nil, fmt.Errorf("the service answers 101, but its handshake is not that of a WebSocket: %w", err)
	case err != nil:
		return nil, nil, err
	}
	opened.limited.Store(false)
	return res, newWebSocket(conn, opened, s.cancel, &s.mask), nil
}

// handshakeConn is the connection of a WebSocket. It limits what is read during the handshake, and is closed when its
// context ends.
type handshakeConn struct {
	net.Conn
	limited atomic.Bool
	read    atomic.Int64
}

func newHandshakeConn(ctx context.Context, conn net.Conn) *handshakeConn {
	c := &handshakeConn{Conn: conn}
	c.limited.Store(true)
	context.AfterFunc(ctx, func() { conn.Close() })
	return c
}

func (c *handshakeConn) Read(p []byte) (int, error) {
	if c.limited.Load() && c.read.Load() > maxHandshake {
		return 0, fmt.Errorf("the answer has more than %d KiB of headers", maxHandshake>>10)
	}
	n, err := c.Conn.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// webSocket is an open WebSocket.
type webSocket struct {
	conn    *websocket.Conn
	wire    *handshakeConn
	before  int64 // bytes of the handshake
	cancel  context.CancelCauseFunc
	stopped atomic.Bool
	mask    *mask
	writing sync.Mutex // held while a message is written
}

func newWebSocket(conn *websocket.Conn, wire *handshakeConn, cancel context.CancelCauseFunc, m *mask) *webSocket {
	return &webSocket{conn: conn, wire: wire, before: wire.read.Load(), cancel: cancel, mask: m}
}

func (w *webSocket) Kind() model.StreamKind { return model.WebSocket }
func (w *webSocket) Received() int64        { return w.wire.read.Load() - w.before }

func (w *webSocket) Send(text string) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	_ = w.conn.SetWriteDeadline(time.Now().Add(writeTime)) // cannot fail on an open connection
	if err := w.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		return fmt.Errorf("the message was not sent: %w", w.mask.err(err))
	}
	return nil
}

// Close tells the service that the stream ends, and waits a short time for its answer.
func (w *webSocket) Close() {
	w.stopped.Store(true)
	farewell := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	err := w.conn.WriteControl(websocket.CloseMessage, farewell, time.Now().Add(closeTime))
	if err != nil {
		w.cancel(nil)
		return
	}
	time.AfterFunc(closeTime, func() { w.cancel(nil) }) // if Next has not got the service's answer until then
}

func (w *webSocket) Next() (model.StreamMessage, *model.StreamEnd) {
	kind, in, err := w.conn.NextReader()
	if err != nil {
		return model.StreamMessage{}, w.end(err)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxMessage))
	if err != nil {
		return model.StreamMessage{}, w.end(err)
	}
	rest, err := io.Copy(io.Discard, in)
	if err != nil {
		return model.StreamMessage{}, w.end(err)
	}
	return model.StreamMessage{
		At:     time.Now(),
		Binary: kind == websocket.BinaryMessage,
		Data:   w.mask.body(data, rest > 0),
		Size:   int64(len(data)) + rest,
	}, nil
}

// end closes the connection, and returns how the stream ended.
func (w *webSocket) end(err error) *model.StreamEnd {
	defer w.cancel(nil)
	end := &model.StreamEnd{Stopped: w.stopped.Load()}
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok && closed.Code != websocket.CloseAbnormalClosure {
		end.Code, end.Text, end.Regular = closed.Code, w.mask.text(closed.Text), true
		return end
	}
	if !end.Stopped {
		end.Text = w.mask.err(err).Error()
	}
	return end
}
