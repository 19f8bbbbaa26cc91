package runner

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/oracle"
)

// reasons keeps why operations were refused, in the service's own words, for as
// long as they never answered 2xx.
type reasons map[model.OpID]*refusals

// refusals counts the reasons of one operation.
type refusals struct {
	done  bool // it answered 2xx
	calls int
	all   []*reason // in order of appearance
	users []string  // who were refused by 401 or 403
	known map[string]*reason
}

// reason is a status and the words that came with it the first time.
type reason struct {
	status int
	words  string
	times  int
}

// mostReasons bounds the reasons that are told apart for one operation.
const mostReasons = 40

// note counts one answer to a call of a user.
func (r reasons) note(op model.OpID, user string, reply model.Reply) {
	f := r[op]
	if f == nil {
		f = &refusals{known: map[string]*reason{}}
		r[op] = f
	}
	switch {
	case f.done:
		return
	case reply.Status/100 == 2:
		*f = refusals{done: true}
		return
	}
	f.calls++
	if forbidden(reply.Status) && !slices.Contains(f.users, user) {
		f.users = append(f.users, user)
	}
	text := said(reply.Body)
	key := fmt.Sprint(reply.Status, oracle.Signature([]byte(text)))
	if f.known[key] == nil && len(f.all) < mostReasons {
		f.known[key] = &reason{status: reply.Status, words: text}
		f.all = append(f.all, f.known[key])
	}
	if f.known[key] != nil {
		f.known[key].times++
	}
}

// main returns the most common reason, nil where there is none.
func (f *refusals) main() *reason {
	var most *reason
	for _, r := range f.all {
		if most == nil || r.times > most.times {
			most = r
		}
	}
	return most
}

// String is the status, and the words if there are any.
func (r *reason) String() string {
	if r.words == "" {
		return fmt.Sprint(r.status)
	}
	return fmt.Sprintf("%d %q", r.status, r.words)
}

// mostRead is how much of a refusal is read.
const mostRead = 4096

var title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// said returns what an answer gives as its reason: the message in a JSON body, a
// page's title, or else its first words.
func said(body []byte) string {
	body = body[:min(len(body), mostRead)]
	if m := title.FindSubmatch(body); m != nil {
		body = m[1]
	}
	var v any
	if json.Unmarshal(body, &v) == nil {
		if text := message(v, 0); text != "" {
			body = []byte(text)
		}
	}
	words := []rune(model.Excerpt(body))
	return string(words[:min(len(words), 100)])
}

// sayings are the members of an error that say what is wrong, the best first.
var sayings = []string{"message", "detail", "error_description", "errors", "error", "details", "msg", "reason", "title", "description"}

// message finds the words in a JSON error.
func message(v any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return message(v[0], depth+1)
		}
	case map[string]any:
		for _, name := range sayings {
			if text := message(v[name], depth+1); strings.TrimSpace(text) != "" {
				return text
			}
		}
	}
	return ""
}
