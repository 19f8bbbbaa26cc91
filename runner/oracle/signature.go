package oracle

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"sonde/model"
)

// varying are the parts of a message that differ from time to time, and what
// stands for them. Those in front win.
var varying = []struct {
	part *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "<uuid>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(\.\d+)?`), "<time>"},
	{regexp.MustCompile(`"[^"]*"|'[^']*'|“[^”]*”`), "<text>"},
	{regexp.MustCompile(`(?i)\b0x[0-9a-f]+|\b[0-9a-f]{16,}\b`), "<hex>"},
	{regexp.MustCompile(`\b[A-Za-z_-]*\d[\w-]*\d[\w-]*[A-Za-z][\w-]*|\b\w*[A-Za-z]\w*\d\w*\d\w*`), "<id>"},
	{regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`), "<n>"},
}

// Signature is a message without ids, numbers, UUIDs, times and what is quoted.
// Of a JSON object that has a message for people it is the message's.
func Signature(body []byte) string {
	text := model.Excerpt(body)
	if said := message(body); said != "" {
		text = model.Excerpt([]byte(said))
	}
	for _, v := range varying {
		text = v.part.ReplaceAllString(text, v.by)
	}
	return text
}

// messages are the names under which services say what is wrong.
var messages = []string{"error", "message", "detail", "title", "msg", "error_description", "errorMessage", "reason"}

// message finds what a JSON object says to people.
func message(body []byte) string {
	var object map[string]any
	if len(body) > maxRead || body == nil || json.Unmarshal(body, &object) != nil {
		return ""
	}
	for _, name := range messages {
		switch v := object[name].(type) {
		case string:
			return v
		case map[string]any:
			for _, inner := range messages {
				if s, ok := v[inner].(string); ok {
					return s
				}
			}
		}
	}
	return ""
}

// maxRead is how long a message may be for one to look into it.
const maxRead = 64 << 10

// tooDeep tells whether a body that cannot be read is nested deeper than the
// decoder goes, so that nobody knows whether it is JSON.
func tooDeep(body []byte) bool {
	err := json.Unmarshal(body, new(any))
	return err != nil && strings.Contains(err.Error(), "exceeded max depth")
}

// read decodes a JSON body, numbers as they are written, and tells whether it
// is nothing but JSON.
func read(body []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}
