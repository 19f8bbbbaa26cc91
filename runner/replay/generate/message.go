package generate

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/pointer"
)

// message is a decoded request or answer, or a decoded message of TCP or UDP.
type message struct {
	leaves []leaf
	body   any    // decoded JSON, if isJSON
	isJSON bool   // the body is JSON and not empty
	text   string // the body, if it is text
	bytes  []byte // the body, if it is binary
	plain  []byte // the decompressed body
	why    string // why the body is incomplete or cannot be written into a test; "" if neither is the case
}

// value returns the body: decoded JSON, or text.
func (m message) value() any {
	if m.isJSON {
		return m.body
	}
	return m.text
}

// newMessage decodes a body.
func newMessage(header map[string][]string, body []byte, truncated bool) message {
	body, why := decompress(header, body)
	switch {
	case truncated:
		return message{why: "was not recorded completely"}
	case why != "":
		return message{why: why}
	case !utf8.Valid(body):
		return message{bytes: body, plain: body, why: "is binary, of " + strconv.Itoa(len(body)) + " bytes"}
	}
	m := message{text: string(body), plain: body}
	m.body, m.isJSON = decode(body)
	if m.isJSON {
		m.leaves = leavesOf(m.body)
	} else if len(body) > 0 {
		m.leaves = []leaf{{in: model.InBody, value: m.text}}
	}
	return m
}

// maxDecompressed is the maximum size of a decompressed body, in bytes.
const maxDecompressed = 16 << 20

// decompress returns the decompressed body, or why that is not possible.
func decompress(header map[string][]string, body []byte) ([]byte, string) {
	switch how := strings.ToLower(headerValue(header, "Content-Encoding")); how {
	case "", "identity":
		return body, ""
	case "gzip", "x-gzip":
		if len(body) == 0 {
			return body, ""
		}
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, "is declared as gzip, but is not"
		}
		plain, err := io.ReadAll(io.LimitReader(r, maxDecompressed+1))
		if err != nil || len(plain) > maxDecompressed {
			return nil, "is gzip that is broken or larger than 16 MiB"
		}
		return plain, ""
	default:
		return nil, "is compressed by " + strconv.Quote(model.Printable(how, 20)) + ", which cannot be read"
	}
}

// headerValue returns the first value of a header, "" if there is none. The header's name may have any case.
func headerValue(header map[string][]string, name string) string {
	for key, values := range header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// joinedHeader returns all values of a header, joined as in model.Expectation. The header's name may have any case.
func joinedHeader(header map[string][]string, name string) string {
	var all []string
	for _, key := range sortedKeys(header) {
		if strings.EqualFold(key, name) {
			all = append(all, header[key]...)
		}
	}
	return strings.Join(all, ", ")
}

// formLeaves returns the fields of an urlencoded form, nil for any other body. A field with several
// values is left out, because a link cannot set it.
func formLeaves(media, text string) []leaf {
	if !strings.HasPrefix(media, "application/x-www-form-urlencoded") {
		return nil
	}
	fields, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	var all []leaf
	for name, values := range fields {
		if len(values) == 1 {
			all = append(all, leaf{in: model.InBody, name: "/" + pointer.Escape(name), value: values[0]})
		}
	}
	slices.SortFunc(all, func(a, b leaf) int { return strings.Compare(a.name, b.name) })
	return all
}
