package record

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"strings"
)

// traceNames are the headers of trace contexts: W3C's, and both forms of B3.
var traceNames = []string{
	"Traceparent", "Tracestate", "B3", "X-B3-Traceid", "X-B3-Spanid", "X-B3-Parentspanid", "X-B3-Sampled",
	"X-B3-Flags",
}

// newID returns a random trace ID. Its last four hexadecimal digits encode the argument, by which the tracker finds the
// request. The ID is never all zeros, which W3C forbids.
func newID(at uint16) string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[0] |= 1
	binary.BigEndian.PutUint16(b[14:], at)
	return hex.EncodeToString(b[:])
}

// trace has the headers of the trace context that a client sent, nil if it sent none.
type trace http.Header

// takeTrace removes the trace context from headers and returns it.
func takeTrace(h http.Header) trace {
	var t trace
	for _, name := range traceNames {
		if v, ok := h[name]; ok {
			if t == nil {
				t = trace{}
			}
			t[name] = v
			delete(h, name)
		}
	}
	return t
}

// setTrace sets a trace context with a trace ID, in all three forms.
func setTrace(h http.Header, id string) {
	span := id[16:]
	values := [...]string{"00-" + id + "-" + span + "-01", id + "-" + span + "-1", id, span, "1"}
	for i, name := range [...]string{"Traceparent", "B3", "X-B3-Traceid", "X-B3-Spanid", "X-B3-Sampled"} {
		h[name] = values[i : i+1 : i+1]
	}
}

// traceIDs returns the trace IDs in headers.
func traceIDs(h http.Header) (ids []string) {
	if parts := strings.Split(headerValue(h, "Traceparent"), "-"); len(parts) >= 4 {
		ids = append(ids, parts[1])
	}
	if id, _, ok := strings.Cut(headerValue(h, "B3"), "-"); ok {
		ids = append(ids, id)
	}
	if id := headerValue(h, "X-B3-Traceid"); id != "" {
		ids = append(ids, id)
	}
	return ids
}

// headerValue returns the first value of a header, "" if there is none. The name must be in canonical form.
func headerValue(h http.Header, name string) string {
	if v := h[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// id returns the trace ID as the client wrote it, "" if it sent none.
func (t trace) id() string {
	if ids := traceIDs(http.Header(t)); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// restore replaces the monitor's trace ID in headers by the client's. The headers are then as
// without the monitor, except for spans, which are the service's own. If the client sent no trace,
// the monitor's trace stays.
func (t trace) restore(h http.Header, id string) {
	own := t.id()
	if own == "" {
		return
	}
	full := strings.Repeat("0", max(0, len(id)-len(own))) + own
	for name, values := range h {
		put := own
		if name == "Traceparent" {
			put = full
		}
		for i, v := range values {
			if !strings.Contains(v, id[16:]) {
				continue
			}
			v = strings.ReplaceAll(strings.ReplaceAll(v, id, put), id[16:], full[16:])
			h[name] = withValueAt(h[name], i, v)
		}
	}
	if state, ok := t["Tracestate"]; ok && h["Traceparent"] != nil && h["Tracestate"] == nil {
		h["Tracestate"] = state
	}
}

// withValueAt returns a copy of values with v at an index.
func withValueAt(values []string, at int, v string) []string {
	out := append([]string(nil), values...)
	out[at] = v
	return out
}

// withoutTrace returns headers without a trace context: the same map if there is none.
func withoutTrace(h http.Header) http.Header {
	for _, name := range traceNames {
		if _, ok := h[name]; ok {
			h = h.Clone()
			_ = takeTrace(h)
			return h
		}
	}
	return h
}
