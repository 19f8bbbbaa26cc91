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
// parts. For a JSON object with an error message it returns the shape of the error message.
//
// Two messages with the same shape are the same fault. Two messages with different shapes may still be the
// same fault; wordings decides that.
func Signature(body []byte) string { return signature(body, nil) }

// signature is like Signature, but first masks the values that the requests sent. Messages that differ
// only in these values therefore have the same shape.
func signature(body []byte, sent *sentValues) string {
	return model.Excerpt([]byte(shape(sent.mask(messageText(body)), sent)))
}

// messageText returns the error message in an answer: that of a JSON object, or the text of the body without
// HTML tags.
func messageText(body []byte) string {
	text := string(body[:min(len(body), maxRead)])
	if found := errorMessage(body); found != "" {
		text = found
	} else if strings.HasPrefix(strings.TrimSpace(text), "<") {
		text = html.UnescapeString(markup.ReplaceAllString(text, " "))
	}
	return text[:min(len(text), maxMessage)]
}

// markup matches tags, comments, scripts and styles of HTML.
var markup = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|</?[a-z!][^<>]*>`)

// maxMessage is how many bytes of a message are used for its shape.
const maxMessage = 8 << 10

// messageNames are the property names that services use for error messages.
var messageNames = []string{
	"error", "exception", "code", "message", "detail", "title", "msg", "error_description", "errorMessage", "reason", "errors",
}

// errorMessage returns the error messages in a JSON object, "" if there are none. It leaves out names of
// statuses, because they say nothing about the cause. If there is no other message, it returns the first of
// these names.
func errorMessage(body []byte) string {
	var object any
	if len(body) > maxRead || json.Unmarshal(body, &object) != nil {
		return ""
	}
	all := collectMessages(object, 0)
	if len(all) == 0 {
		return ""
	}
	texts := all[:0:0]
	for _, text := range all {
		if !statusNames[strings.ToLower(text)] {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return all[0]
	}
	return strings.Join(texts, ": ")
}

// maxMessageDepth is how many levels of nested objects are searched for messages.
const maxMessageDepth = 3

// collectMessages returns the messages in an object, or in the first element of a nested list. It ignores the
// other elements, because their number depends on the input.
func collectMessages(v any, depth int) (all []string) {
	if depth > maxMessageDepth {
		return nil
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 || depth == 0 {
			return nil
		}
		return messagesIn(v[0], depth+1)
	case map[string]any:
		for _, name := range messageNames {
			all = append(all, messagesIn(v[name], depth+1)...)
		}
	}
	return all
}

// messagesIn returns v if it is a message, otherwise the messages inside v.
func messagesIn(v any, depth int) []string {
	if text, ok := v.(string); ok && strings.TrimSpace(text) != "" {
		return []string{text}
	}
	return collectMessages(v, depth)
}

// statusNames are names of statuses that services return as their whole message, in lower case.
var statusNames = map[string]bool{
	"bad request": true, "unauthorized": true, "forbidden": true, "not found": true, "conflict": true, "gone": true,
	"method not allowed": true, "unprocessable entity": true, "unprocessable content": true, "too many requests": true,
	"unsupported media type": true, "internal server error": true, "server error": true, "not implemented": true,
	"bad gateway": true, "service unavailable": true, "gateway timeout": true,
}

// maxRead is how many bytes of a body are searched for messages and values.
const maxRead = 64 << 10

// tooDeep reports whether a body may be JSON that cannot be decoded because it is nested too deeply.
func tooDeep(body []byte) bool {
	err := json.Unmarshal(body, new(any))
	return err != nil && strings.Contains(err.Error(), "exceeded max depth")
}

// read decodes a JSON body, with numbers as json.Number. It returns false if the body is not exactly one JSON
// value.
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
