package oracle

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"regexp"
	"strings"

	"sonde/model"
)

// Signature returns the shape of a message: its words without ids, numbers, UUIDs, times, paths and quoted
// parts. For a JSON object with an error message it is the shape of that message.
func Signature(body []byte) string { return signature(body, nil) }

// signature returns the shape of an answer. Values that the requests sent are masked first, so that a
// message which repeats its input has one shape.
func signature(body []byte, said *sentValues) string {
	return model.Excerpt([]byte(shape(said.mask(messageOf(body)), said)))
}

// messageOf returns the text of an answer, without the markup of a page.
func messageOf(body []byte) string {
	text := string(body[:min(len(body), maxRead)])
	if found := message(body); found != "" {
		text = found
	} else if strings.HasPrefix(strings.TrimSpace(text), "<") {
		text = html.UnescapeString(markup.ReplaceAllString(text, " "))
	}
	return text[:min(len(text), maxMessage)]
}

// markup matches what a page contains besides its text.
var markup = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|</?[a-z!][^<>]*>`)

// maxMessage is how much of a message is used: its shape is far shorter.
const maxMessage = 8 << 10

// messages are the property names that services use for error messages.
var messages = []string{
	"error", "exception", "code", "message", "detail", "title", "msg", "error_description", "errorMessage", "reason", "errors",
}

// message returns the error messages in a JSON object, "" if there are none. Names of statuses are left
// out, because they say nothing about the cause.
func message(body []byte) string {
	var object any
	if len(body) > maxRead || json.Unmarshal(body, &object) != nil {
		return ""
	}
	all := collect(object, 0)
	if len(all) == 0 {
		return ""
	}
	said := all[:0:0]
	for _, text := range all {
		if !statusNames[strings.ToLower(text)] {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return all[0]
	}
	return strings.Join(said, ": ")
}

// deepestMessage is the depth to which messages are looked for.
const deepestMessage = 3

// collect returns the messages in an object, and those in the first element of a list: the number of
// elements depends on the input.
func collect(v any, depth int) (all []string) {
	if depth > deepestMessage {
		return nil
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 || depth == 0 {
			return nil
		}
		return inner(v[0], depth+1)
	case map[string]any:
		for _, name := range messages {
			all = append(all, inner(v[name], depth+1)...)
		}
	}
	return all
}

// inner returns a message, or the messages inside a value.
func inner(v any, depth int) []string {
	if text, ok := v.(string); ok && strings.TrimSpace(text) != "" {
		return []string{text}
	}
	return collect(v, depth)
}

// statusNames are names of statuses that services return as their whole message, in lower case.
var statusNames = map[string]bool{
	"bad request": true, "unauthorized": true, "forbidden": true, "not found": true, "conflict": true, "gone": true,
	"method not allowed": true, "unprocessable entity": true, "unprocessable content": true, "too many requests": true,
	"unsupported media type": true, "internal server error": true, "server error": true, "not implemented": true,
	"bad gateway": true, "service unavailable": true, "gateway timeout": true,
}

// maxRead bounds the length of a message that is parsed.
const maxRead = 64 << 10

// tooDeep reports whether a body cannot be decoded only because it is nested too deeply, so that it may be
// JSON.
func tooDeep(body []byte) bool {
	err := json.Unmarshal(body, new(any))
	return err != nil && strings.Contains(err.Error(), "exceeded max depth")
}

// read decodes a JSON body with numbers as they are written. It returns false if the body is anything
// else than one JSON value.
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
