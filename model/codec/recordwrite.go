package codec

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sonde/model"
)

// lineWriter encodes lines that can be decoded as a recordLine. It writes JSON without reflection to save time,
// because the client of the service waits until the line is written.
type lineWriter struct {
	b    []byte
	keep func(sum string, data []byte) error // writes a large body to a file
	err  error
}

// name writes the name of a member.
func (w *lineWriter) name(name string) {
	w.next()
	w.b = append(append(append(w.b, '"'), name...), `":`...)
}

// next writes a comma, unless the next member or element is the first.
func (w *lineWriter) next() {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' {
		w.b = append(w.b, ',')
	}
}

func (w *lineWriter) begin(name string) {
	w.name(name)
	w.b = append(w.b, '{')
}

func (w *lineWriter) end() { w.b = append(w.b, '}') }

// text writes a member with a text. It writes nothing if the text is empty.
func (w *lineWriter) text(name, v string) {
	if v != "" {
		w.always(name, v)
	}
}

// always writes a member with a text, even if the text is empty.
func (w *lineWriter) always(name, v string) {
	w.name(name)
	w.b = quoted(w.b, strings.ToValidUTF8(v, "\ufffd"))
}

func (w *lineWriter) flag(name string, v bool) {
	if v {
		w.name(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *lineWriter) number(name string, n int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

// raw writes a text from a client or a service in the encoding of the type raw.
func (w *lineWriter) raw(v string) {
	if utf8.ValidString(v) {
		w.b = quoted(w.b, v)
		return
	}
	w.b = append(w.b, '{')
	w.bytes([]byte(v))
	w.end()
}

func (w *lineWriter) bytes(data []byte) { w.base64("bytes", data) }

// base64 writes a member with bytes in base64.
func (w *lineWriter) base64(name string, data []byte) {
	w.name(name)
	w.b = append(base64.StdEncoding.AppendEncode(append(w.b, '"'), data), '"')
}

// served writes a request. set is the number of the set of targets that the request covered, 0 if unknown.
func (w *lineWriter) served(s model.ServedRequest, set int) {
	w.begin("served")
	w.always("id", s.ID)
	w.text("user", s.User)
	w.text("session", s.Session)
	if set > 0 {
		w.number("covered", int64(set))
		w.flag("by_others", s.CoveredByOthers)
	}
	w.pair(s.Exchange)
	w.end()
}

func (w *lineWriter) stateSnapshot(s model.StateSnapshot) {
	w.begin("snapshot")
	w.always("name", s.Name)
	w.always("at", s.At.UTC().Format(time.RFC3339Nano))
	w.end()
}

func (w *lineWriter) sent(s model.OutwardCall) {
	w.begin("sent")
	w.always("id", s.ID)
	w.always("host", s.Host)
	w.text("name", s.Name)
	w.always("protocol", string(s.Protocol))
	w.flag("tls", s.TLS)
	w.text("connection", s.Connection)
	w.text("cause", s.CauseID)
	w.text("how", string(s.Attribution))
	w.pair(s.Exchange)
	w.messagePairs(s.Messages)
	w.end()
}

func (w *lineWriter) messagePairs(all []model.MessagePair) {
	if len(all) == 0 {
		return
	}
	w.name("turns")
	w.b = append(w.b, '[')
	for _, t := range all {
		w.next()
		w.b = append(w.b, '{')
		w.field("words", t.Request)
		w.field("answer", t.Answer)
		w.end()
	}
	w.b = append(w.b, ']')
}

func (w *lineWriter) field(name string, data []byte) {
	if len(data) > 0 {
		w.begin(name)
		w.body(data, false)
		w.end()
	}
}

func (w *lineWriter) pair(x model.Exchange) {
	if !x.At.IsZero() {
		w.always("at", x.At.UTC().Format(time.RFC3339Nano))
	}
	w.number("took", int64(x.Took))
	w.text("base", x.Base)
	if x.Request.Method != "" {
		w.request(x.Request)
	}
	if x.Reply.Status != 0 {
		w.reply(x.Reply)
	}
	if x.Err != nil && x.Err.Error() != "" {
		w.name("err")
		w.raw(x.Err.Error())
	}
}

func (w *lineWriter) request(q model.Request) {
	w.begin("request")
	w.text("op", string(q.Op))
	w.always("method", q.Method)
	w.name("url")
	w.raw(q.URL)
	w.header("header", q.Header)
	w.body(q.Body, q.Truncated)
	w.end()
}

func (w *lineWriter) reply(a model.Reply) {
	w.begin("reply")
	w.number("status", int64(a.Status))
	w.text("proto", a.Proto)
	w.header("header", a.Header)
	w.header("trailer", a.Trailer)
	w.body(a.Body, a.Truncated)
	w.end()
}

// header writes the fields of a header or trailer.
func (w *lineWriter) header(member string, h map[string][]string) {
	if len(h) == 0 {
		return
	}
	names := slices.AppendSeq(make([]string, 0, len(h)), maps.Keys(h))
	slices.Sort(names)
	w.begin(member)
	for _, name := range names {
		w.next()
		w.b = append(quoted(w.b, strings.ToValidUTF8(name, "\ufffd")), ":["...)
		for _, v := range h[name] {
			w.next()
			w.raw(v)
		}
		w.b = append(w.b, ']')
	}
	w.end()
}

// body writes the members of a bodyLine. It truncates a body at maxBody bytes.
func (w *lineWriter) body(data []byte, truncated bool) {
	if len(data) > maxBody {
		data, truncated = data[:maxBody], true
	}
	switch {
	case len(data) == 0:
	case len(data) > maxInline:
		sum := fmt.Sprintf("%x", sha256.Sum256(data))
		w.text("file", sum)
		w.err = errors.Join(w.err, w.keep(sum, data))
	case utf8.Valid(data):
		w.name("body")
		w.b = quoted(w.b, data)
	default:
		w.bytes(data)
	}
	w.flag("truncated", truncated)
}

// quoted appends a text as a JSON string. The text must be valid UTF-8.
func quoted[T string | []byte](b []byte, s T) []byte {
	b = append(b, '"')
	done := 0
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			b = escaped(append(b, s[done:i]...), c)
			done = i + 1
		}
	}
	return append(append(b, s[done:]...), '"')
}

func escaped(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return fmt.Appendf(b, `\u%04x`, c)
}
