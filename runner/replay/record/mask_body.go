package record

import (
	"bytes"
	"mime"
	"net/http"
	"net/textproto"
	"regexp"
	"strings"
	"unicode/utf8"

	"sonde/runner/target/redact"
)

// body masks a body. In multipart, JSON, a form, XML, HTML or lines of JSON, it masks values by their names. The media
// type says whether a body is multipart or a form. If there is no media type, and for all other formats, the content
// decides. Binary data is masked where it has readable text. Any other body is masked as text.
func (m *masker) body(data []byte, h http.Header) []byte {
	if len(data) == 0 {
		return data
	}
	media, parameters := mediaOf(headerValue(h, "Content-Type"))
	if strings.HasPrefix(media, "multipart/") || media == "" && bytes.HasPrefix(data, []byte("--")) {
		if now, ok := m.multipart(data, parameters["boundary"]); ok {
			return now
		}
	}
	if now, ok := m.json(data); ok {
		return now
	}
	if !utf8.Valid(data) {
		return m.binary(data)
	}
	s := string(data)
	switch start := strings.TrimLeft(s, " \t\r\n\ufeff"); {
	case media == "application/x-www-form-urlencoded" || !strings.Contains(media, "/") && isForm.MatchString(s):
		s = m.pairs(s)
	case strings.HasPrefix(start, "<"):
		s = m.markup(s)
	case strings.HasPrefix(start, "{") || strings.HasPrefix(start, "["):
		s = m.jsonLines(s)
	default:
		s = m.text(s)
	}
	if s == string(data) {
		return data
	}
	return []byte(s)
}

// isForm matches a text that looks like an urlencoded form. It is used if there is no media type.
var isForm = regexp.MustCompile(`^[\w.%+\[\]-]+=[^\s&"<>{}]*(?:&[\w.%+\[\]-]+=[^\s&"<>{}]*)*$`)

// mediaOf returns a media type in lower case, and its parameters.
func mediaOf(contentType string) (string, map[string]string) {
	media, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	return media, parameters
}

// bom is the byte order mark at the beginning of some texts in UTF-8.
var bom = []byte("\xef\xbb\xbf")

// json masks a JSON object, array or string. It returns false for any other text.
func (m *masker) json(data []byte) ([]byte, bool) {
	text := bytes.TrimPrefix(data, bom)
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' && start[0] != '"' {
		return nil, false
	}
	now, ok := rewriteJSON(text, m.value, m.number)
	if !ok || len(text) == len(data) {
		return now, ok
	}
	return append(bytes.Clone(bom), now...), true
}

// jsonLines masks lines of JSON, and all other lines as text.
func (m *masker) jsonLines(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		if now, ok := m.json([]byte(line)); ok {
			lines[i] = string(now)
		} else {
			lines[i] = m.text(line)
		}
	}
	return strings.Join(lines, "")
}

// binary masks runs of printable ASCII in binary data, if they have at least redact.LongSecret bytes.
func (m *masker) binary(data []byte) []byte {
	const least = redact.LongSecret
	var out []byte
	for i := 0; i < len(data); {
		from := i
		for i < len(data) && (data[i] >= ' ' && data[i] < utf8.RuneSelf || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
			i++
		}
		run := data[from:i]
		if len(run) >= least {
			run = []byte(m.text(string(run)))
		}
		out = append(out, run...)
		if i < len(data) {
			out = append(out, data[i])
			i++
		}
	}
	if bytes.Equal(out, data) {
		return data
	}
	return out
}

// multipart masks the parts of a multipart body. It returns false if there are none.
func (m *masker) multipart(data []byte, boundary string) ([]byte, bool) {
	if boundary == "" {
		line, _, _ := bytes.Cut(data, []byte("\n"))
		boundary = strings.TrimSpace(strings.TrimPrefix(string(line), "--"))
	}
	if boundary == "" || !bytes.Contains(data, []byte("--"+boundary)) {
		return nil, false
	}
	pieces := bytes.Split(data, []byte("--"+boundary))
	for i, piece := range pieces[1:] {
		pieces[i+1] = m.part(piece)
	}
	return bytes.Join(pieces, []byte("--"+boundary)), true
}

// part masks the content of one part, which begins with headers. The content is masked as a secret if it is text and
// the part's name says so, and otherwise as a body. A part without an empty line after its headers stays as it is.
func (m *masker) part(piece []byte) []byte {
	gap := []byte("\r\n\r\n")
	head, body, ok := bytes.Cut(piece, gap)
	if !ok {
		gap = []byte("\n\n")
		head, body, ok = bytes.Cut(piece, gap)
		if !ok {
			return piece
		}
	}
	h := http.Header{}
	for line := range strings.Lines(string(head)) {
		if name, v, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			h.Add(textproto.CanonicalMIMEHeaderKey(name), strings.TrimSpace(v))
		}
	}
	_, parameters, _ := mime.ParseMediaType(h.Get("Content-Disposition")) // a part without a name is masked as a body
	content := bytes.TrimRight(body, "\r\n")
	var now []byte
	if name := parameters["name"]; len(content) > 0 && utf8.Valid(content) && m.isSecretName(name) {
		now = []byte(m.pseudonymFor(string(content)))
	} else {
		now = m.body(content, h)
	}
	return bytes.Join([][]byte{head, gap, now, body[len(content):]}, nil)
}
