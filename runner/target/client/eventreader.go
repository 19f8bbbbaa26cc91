package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"sonde/model"
)

// maxEventName is the number of bytes of an event's type and id that are kept.
const maxEventName = 1 << 10

// eventReader parses server-sent events, as the HTML standard defines them in section 9.2.6. It keeps a bounded part of each
// line and each event.
type eventReader struct {
	in      *bufio.Reader
	afterCR bool   // the last line ended with a carriage return, so that a line feed belongs to the same end
	line    []byte // the beginning of the current line
	started bool   // a line was read, so that there is no byte order mark any more
}

func newEventReader(in io.Reader) *eventReader { return &eventReader{in: bufio.NewReader(in)} }

// next returns the next event. It skips events without data, as clients must, and comments. The error is io.EOF if the
// stream ended between two events, and io.ErrUnexpectedEOF if it ended within one.
func (r *eventReader) next() (model.StreamMessage, error) {
	var m model.StreamMessage
	hasData := false
	for {
		size, err := r.readLine()
		switch {
		case errors.Is(err, io.EOF) && (size > 0 || hasData):
			return m, io.ErrUnexpectedEOF
		case err != nil:
			return m, err
		case size == 0 && hasData:
			return m, nil
		case size == 0:
			m = model.StreamMessage{}
			continue
		}
		name, value, found := bytes.Cut(r.line, []byte(":"))
		if found && len(value) > 0 && value[0] == ' ' {
			value, size = value[1:], size-1
		}
		switch string(name) {
		case "data":
			if hasData {
				m.Data, m.Size = appendBounded(m.Data, []byte("\n")), m.Size+1
			}
			hasData = true
			m.Data = appendBounded(m.Data, value)
			m.Size += max(0, size-int64(len("data:")))
		case "event":
			m.Event = eventName(value)
		case "id":
			m.ID = eventName(value)
		}
	}
}

// eventName returns the beginning of a type or an id as a text.
func eventName(value []byte) string {
	return strings.ToValidUTF8(string(value[:min(len(value), maxEventName)]), "�")
}

// appendBounded appends bytes to a message until it has maxMessage bytes.
func appendBounded(data, more []byte) []byte {
	return append(data, more[:min(len(more), maxMessage-len(data))]...)
}

// readLine reads the next line into r.line, of which it keeps the beginning, and returns the size of the whole line. A line
// ends with a line feed, a carriage return, or both.
func (r *eventReader) readLine() (size int64, err error) {
	r.line = r.line[:0]
	for {
		b, err := r.in.ReadByte()
		if err != nil {
			return size, err
		}
		after := r.afterCR
		r.afterCR = b == '\r'
		switch {
		case b == '\n' && after:
			continue
		case b == '\n' || b == '\r':
			return r.withoutMark(size), nil
		}
		if len(r.line) < maxMessage+len("data: ") {
			r.line = append(r.line, b)
		}
		size++
	}
}

// withoutMark removes a byte order mark from the first line, and returns the size of the rest.
func (r *eventReader) withoutMark(size int64) int64 {
	if !r.started {
		r.started = true
		if rest, ok := bytes.CutPrefix(r.line, []byte("\ufeff")); ok {
			r.line, size = rest, size-3
		}
	}
	return size
}
