package model

import "time"

// StreamKind is the protocol of a stream.
type StreamKind string

// The kinds of streams.
const (
	EventStream StreamKind = "server-sent events"
	WebSocket   StreamKind = "WebSocket"
)

// StreamMessage is one message of a stream: a server-sent event, or a message of a WebSocket.
type StreamMessage struct {
	At time.Time
	// Sent reports whether the user sent the message. Otherwise the service sent it.
	Sent bool
	// Event and ID are the type and the id of a server-sent event, "" if it has none.
	Event, ID string
	// Binary reports whether the message of a WebSocket is binary.
	Binary bool
	Data   []byte
	// Size is the size of the whole message in bytes. It is larger than the size of Data if only the beginning of the
	// message is kept.
	Size int64
}

// StreamEnd says how a stream ended.
type StreamEnd struct {
	// Code is the code with which a WebSocket was closed, 0 if there was none.
	Code int
	// Text is the reason that the service gave, or the error that ended the stream. It may be "".
	Text string
	// Regular reports whether the service ended the stream as its protocol provides. Otherwise the connection broke.
	Regular bool
	// Stopped reports whether the user ended the stream.
	Stopped bool
}
