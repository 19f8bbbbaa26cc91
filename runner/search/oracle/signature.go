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

// Signature is the shape of a message: its words without ids, numbers, UUIDs,
// times, paths and what is quoted. Of a JSON object that has a message for
// people it is the message's.
func Signature(body []byte) string { return signature(body, nil) }

// signature is the shape of the answer to requests whose values are known. They
// are masked first, so that a message that repeats its input has one shape.
func signature(body []byte, said *sentValues) string {
	return model.Excerpt([]byte(shape(said.mask(messageOf(body)), said)))
}

// messageOf is what an answer says, without the markup of a page.
func messageOf(body []byte) string {
	text := string(body[:min(len(body), maxRead)])
	if found := message(body); found != "" {
		text = found
	} else if strings.HasPrefix(strings.TrimSpace(text), "<") {
		text = html.UnescapeString(markup.ReplaceAllString(text, " "))
	}
	return text[:min(len(text), maxMessage)]
}

// markup is what a page has besides its text.
var markup = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|</?[a-z!][^<>]*>`)

// maxMessage is how much of a message is looked at: its shape is far shorter.
const maxMessage = 8 << 10

// messages are the names under which services say what is wrong.
var messages = []string{
	"error", "exception", "code", "message", "detail", "title", "msg", "error_description", "errorMessage", "reason", "errors",
}

// message finds what a JSON object says to people: each of its messages that is
// not only the name of a status, which tells nothing about the cause.
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

// deepestMessage is how deep a message may lie inside of an error.
const deepestMessage = 3

// collect returns the messages in an object, and in a list those of its first
// element: the number of elements changes with the input.
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

// inner is a message, or the messages of what stands in its place.
func inner(v any, depth int) []string {
	if text, ok := v.(string); ok && strings.TrimSpace(text) != "" {
		return []string{text}
	}
	return collect(v, depth)
}

// statusNames are the names of statuses that services give as their whole message,
// in lower case.
var statusNames = map[string]bool{
	"bad request": true, "unauthorized": true, "forbidden": true, "not found": true, "conflict": true, "gone": true,
	"method not allowed": true, "unprocessable entity": true, "unprocessable content": true, "too many requests": true,
	"unsupported media type": true, "internal server error": true, "server error": true, "not implemented": true,
	"bad gateway": true, "service unavailable": true, "gateway timeout": true,
}

// maxRead is how long a message may be for one to look into it.
const maxRead = 64 << 10

// tooDeep reports whether a body that cannot be read is nested deeper than the
// decoder goes, so that nobody knows whether it is JSON.
func tooDeep(body []byte) bool {
	err := json.Unmarshal(body, new(any))
	return err != nil && strings.Contains(err.Error(), "exceeded max depth")
}

// read decodes a JSON body, numbers as they are written, and reports whether it
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
