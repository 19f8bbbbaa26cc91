package search

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// refusalReasons counts, for each operation, the explanations that the service gives for failed calls, until the
// operation first answers 2xx.
type refusalReasons map[model.OpID]*opRefusals

// opRefusals counts the reasons of one operation.
type opRefusals struct {
	succeeded bool // the operation answered 2xx
	calls     int
	reasons   []*refusalReason // reasons in the order in which they appeared
	users     []string         // users who were refused with 401 or 403
	byKey     map[string]*refusalReason
}

// refusalReason is a status and a message. Answers whose messages differ only in details count as one reason.
type refusalReason struct {
	status  int
	message string
	times   int
}

// maxReasons bounds the reasons that are counted for one operation.
const maxReasons = 40

// note counts an answer to a call of a user.
func (r refusalReasons) note(op model.OpID, user string, reply model.Reply) {
	f := r[op]
	if f == nil {
		f = &opRefusals{byKey: map[string]*refusalReason{}}
		r[op] = f
	}
	switch {
	case f.succeeded:
		return
	case reply.Status/100 == 2:
		*f = opRefusals{succeeded: true}
		return
	}
	f.calls++
	if isForbidden(reply.Status) && !slices.Contains(f.users, user) {
		f.users = append(f.users, user)
	}
	text := reasonText(reply.Body)
	key := fmt.Sprint(reply.Status, oracle.Signature([]byte(text)))
	if f.byKey[key] == nil && len(f.reasons) < maxReasons {
		f.byKey[key] = &refusalReason{status: reply.Status, message: text}
		f.reasons = append(f.reasons, f.byKey[key])
	}
	if f.byKey[key] != nil {
		f.byKey[key].times++
	}
}

// mostCommon returns the most common reason, nil if there is none.
func (r *opRefusals) mostCommon() *refusalReason {
	var most *refusalReason
	for _, reason := range r.reasons {
		if most == nil || reason.times > most.times {
			most = reason
		}
	}
	return most
}

// String returns the status and the message, if there is one.
func (r *refusalReason) String() string {
	if r.message == "" {
		return fmt.Sprint(r.status)
	}
	return fmt.Sprintf("%d %q", r.status, r.message)
}

// maxReasonBytes is the number of bytes of an answer that are searched for its message.
const maxReasonBytes = 4096

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// reasonText returns the message of an answer: the message in a JSON body, the title of a page, or else the
// first words, cut to 100 characters.
func reasonText(body []byte) string {
	body = body[:min(len(body), maxReasonBytes)]
	if m := titleTag.FindSubmatch(body); m != nil {
		body = m[1]
	}
	var v any
	if json.Unmarshal(body, &v) == nil {
		if text := jsonMessage(v, 0); text != "" {
			body = []byte(text)
		}
	}
	words := []rune(model.Excerpt(body))
	return string(words[:min(len(words), 100)])
}

// messageMembers are the members of a JSON error that may hold its message, the most likely one first.
var messageMembers = []string{
	"message", "detail", "error_description", "errors", "error", "details", "msg", "reason", "title", "description",
}

// jsonMessage returns the message in a JSON error, "" if there is none.
func jsonMessage(v any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return jsonMessage(v[0], depth+1)
		}
	case map[string]any:
		if reason, ok := v["reason"].(string); ok && strings.Contains(reason, " ") {
			return reason // a sentence: the message beside it is often less specific
		}
		for _, name := range messageMembers {
			if text := jsonMessage(v[name], depth+1); strings.TrimSpace(text) != "" {
				return text
			}
		}
	}
	return ""
}
